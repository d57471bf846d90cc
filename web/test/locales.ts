/** The files of every language, as they are found. */

import type { Language, Names, Topic } from "../src/i18n/locales";

export interface Files {
	language: Language;
	pages: Record<string, string>;
	table: Record<string, string>;
	rules: Topic[];
	/** The texts of the parts of the page that are loaded on demand, by part. */
	parts: Record<string, Record<string, string>>;
	/** Not in English, where the catalogue has the names and the template is the message. */
	names: Names;
	messages: Record<string, string>;
}

const FOUND = import.meta.glob("../src/i18n/*/*.json", { eager: true, import: "default" });
const PARTS = import.meta.glob<Record<string, string>>("../src/i18n/*/parts/*.json", {
	eager: true,
	import: "default",
});

function partsOf(code: string): Files["parts"] {
	const own = Object.entries(PARTS).filter(([path]) => path.includes(`/i18n/${code}/`));
	return Object.fromEntries(own.map(([path, texts]) => [path.split("/").at(-1)?.replace(".json", "") ?? "", texts]));
}

const byCode = new Map<string, Record<string, unknown>>();
for (const [path, content] of Object.entries(FOUND)) {
	const [code = "", file = ""] = path.split("/").slice(-2);
	byCode.set(code, { ...byCode.get(code), [file.replace(".json", "")]: content });
}

for (const [code, files] of byCode) files.parts = partsOf(code);

export const LOCALES = [...byCode] as unknown as [string, Files][];
export const OTHERS = LOCALES.filter(([code]) => code !== "en");

export function filesOf(code: string): Files {
	const files = byCode.get(code);
	if (!files) throw new Error(`There is no language ${code}.`);
	return files as unknown as Files;
}
