import { t, tr } from "../texts/index.svelte";
import { ApiError } from "./api";

/** What went wrong, in one sentence for the person in front of the page. */
export function explain(error: unknown): string {
	if (!(error instanceof ApiError)) return t("pages.problem.unknown");
	if (error.problem.code === "unreachable") return t("pages.problem.unreachable");
	return trSentence(error.problem.text) || t("pages.problem.unknown");
}

/** A sentence of the server in the language of the page. The server makes some of phrases by a capital and a full stop. */
export function trSentence(english: string): string {
	const whole = tr(english);
	if (whole !== english || !english.endsWith(".")) return whole;
	const phrase = english.charAt(0).toLowerCase() + english.slice(1, -1);
	const translated = tr(phrase);
	return translated === phrase ? english : `${translated.charAt(0).toUpperCase()}${translated.slice(1)}.`;
}
