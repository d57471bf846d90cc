import type { Problem } from "../protocol";
import { t, tr } from "../texts/index.svelte";
import { Refusal } from "./refusal";

/** Codes that have words of the page. */
const KNOWN = {
	unreachable: "pages.problem.unreachable",
	"void-key": "pages.problem.voidKey",
	damaged: "pages.problem.damaged",
	newer: "pages.problem.newer",
	outdated: "pages.problem.outdated",
} as const;
/** What is said where the server gives no reason. */
const WORDLESS = { "too-fast": "pages.problem.tooFast", busy: "pages.problem.busy" } as const;

/** What went wrong, in one sentence for the person in front of the page. */
export function explain(error: unknown): string {
	return error instanceof Refusal
		? refusalWords({ code: error.code, text: error.message })
		: t("pages.problem.unknown");
}

export function refusalWords({ code, text }: Pick<Problem, "code" | "text">): string {
	if (code in KNOWN) return t(KNOWN[code as keyof typeof KNOWN]);
	return trSentence(text) || t(code in WORDLESS ? WORDLESS[code as keyof typeof WORDLESS] : "pages.problem.unknown");
}

/** A sentence of the server in the language of the page. The server makes some of phrases by a capital and a full stop. */
export function trSentence(english: string): string {
	const whole = tr(english);
	if (whole !== english || !english.endsWith(".")) return whole;
	const phrase = english.charAt(0).toLowerCase() + english.slice(1, -1);
	const translated = tr(phrase);
	return translated === phrase ? english : `${translated.charAt(0).toUpperCase()}${translated.slice(1)}.`;
}
