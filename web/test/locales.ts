/** The files of every language, as they are found. */

import type { Language, Names, Step, Topic } from "../src/i18n/locales";

export interface Files {
	language: Language;
	pages: Record<string, string>;
	table: Record<string, string>;
	rules: Topic[];
	walkthrough: Step[];
	/** Not in English, where the catalogue has the names and the template is the message. */
	names: Names;
	messages: Record<string, string>;
}

const FOUND = import.meta.glob("../src/i18n/*/*.json", { eager: true, import: "default" });

const byCode = new Map<string, Record<string, unknown>>();
for (const [path, content] of Object.entries(FOUND)) {
	const [code = "", file = ""] = path.split("/").slice(-2);
	byCode.set(code, { ...byCode.get(code), [file.replace(".json", "")]: content });
}

export const LOCALES = [...byCode] as unknown as [string, Files][];
export const OTHERS = LOCALES.filter(([code]) => code !== "en");

export function filesOf(code: string): Files {
	const files = byCode.get(code);
	if (!files) throw new Error(`There is no language ${code}.`);
	return files as unknown as Files;
}
