import { t } from "../i18n/index.svelte";
import { saySentence } from "../i18n/say";
import type { Message } from "../protocol";
import { RefusalError } from "./refusal";

/** Codes that have words of the page. */
const KNOWN = {
	unreachable: "pages.problem.unreachable",
	"void-key": "pages.problem.voidKey",
	damaged: "pages.problem.damaged",
	newer: "pages.problem.newer",
	outdated: "pages.problem.outdated",
} as const;
/** The text if the server gives no reason. */
const WORDLESS = { "too-fast": "pages.problem.tooFast", busy: "pages.problem.busy" } as const;

/** What went wrong, in one sentence for the person in front of the page. */
export function explain(error: unknown): string {
	return error instanceof RefusalError ? refusalWords(error.code, error.reason) : t("pages.problem.unknown");
}

export function refusalWords(code: string, reason: Message | undefined): string {
	if (code in KNOWN) return t(KNOWN[code as keyof typeof KNOWN]);
	if (reason) return saySentence(reason);
	return t(code in WORDLESS ? WORDLESS[code as keyof typeof WORDLESS] : "pages.problem.unknown");
}
