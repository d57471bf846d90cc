/** The languages of the page: every folder here with a `language.json` is one. */

import languageOfBase from "./en/language.json";
import pages from "./en/pages.json";
import table from "./en/table.json";
import { type Grammar, makeGrammar } from "./template";

const english = { ...pages, ...table };

export type TextKey = keyof typeof english;

/** The language for everything that another one lacks. */
export const BASE = "en";

export interface Language {
	/** Its own name, in its own words. */
	name: string;
	/** The variant whose numbers, dates and lists it has, if the name of the folder does not say it. */
	locale?: string;
}

/** A name, or a name with its text or its grammatical forms. */
export type Name = string | ({ name: string } & Record<string, string>);

/** The names of what is printed, by the keys of the catalogue. */
export type Names = Partial<
	Record<"components" | "boxes" | "terrains" | "special" | "pieces" | "options" | "levels", Record<string, Name>>
>;

/** All texts in one language, except for the rules and the parts on demand. */
export interface Locale {
	code: string;
	/** What `Intl` calls it. */
	tag: string;
	texts: Partial<Record<TextKey, string>>;
	/** Translations of what the server says, by the English template. */
	messages: Record<string, string>;
	names: Names;
	grammar: Grammar;
}

/** A piece of a topic: words, a drawn position, or what the catalogue says about printed things. */
export type Block =
	| { kind: "text"; text: string }
	| { kind: "list"; items: string[] }
	| { kind: "figure"; position: string; highlight: "legal" | string[]; caption: string }
	| { kind: "printed"; what: "locations" | "cards" | "tasks" | "nomads" | "pieces"; set: string };

/** A page of the rules. */
export interface Topic {
	key: string;
	/** The box that the topic belongs to; null if it is always of use. */
	set: string | null;
	title: string;
	blocks: Block[];
}

type Loaders<Content> = Record<string, () => Promise<Content>>;

const INTRODUCED = import.meta.glob<Language>("./*/language.json", { eager: true, import: "default" });
const SPOKEN = import.meta.glob<object>(["./*/{pages,table,messages,names}.json", "!./en/*.json"], {
	import: "default",
});
const RULES = import.meta.glob<Topic[]>("./*/rules.json", { import: "default" });

/** Every language by its code, in the order of their codes. */
export const LANGUAGES: ReadonlyMap<string, Language> = new Map(
	Object.entries(INTRODUCED).map(([path, language]) => [path.split("/")[1] ?? "", language]),
);

export const ENGLISH: Locale & { texts: Record<TextKey, string> } = {
	...makeLocale(BASE, languageOfBase),
	texts: english,
};

function makeLocale(code: string, { locale }: Language): Locale {
	const tag = locale ?? code;
	return { code, tag, texts: {}, messages: {}, names: {}, grammar: makeGrammar(tag) };
}

/** A language with its texts; what it lacks is left out. */
export async function loadLocale(code: string): Promise<Locale> {
	const language = LANGUAGES.get(code);
	if (!language || code === BASE) return ENGLISH;
	const read = async (file: string) => (await SPOKEN[`./${code}/${file}.json`]?.()) ?? {};
	const [pages, table, messages, names] = await Promise.all(["pages", "table", "messages", "names"].map(read));
	return {
		...makeLocale(code, language),
		texts: { ...pages, ...table },
		messages: { ...messages },
		names: { ...names },
	};
}

export function loadRules(code: string): Promise<Topic[]> {
	return loadFor(RULES, code, "rules");
}

async function loadFor<Content>(loaders: Loaders<Content[]>, code: string, file: string): Promise<Content[]> {
	const load = loaders[`./${code}/${file}.json`] ?? loaders[`./${BASE}/${file}.json`];
	return (await load?.()) ?? [];
}

/** The first of the browser's languages that exists here, perhaps in another variant: `de` for `de-AT`. */
export function bestLanguage(wanted: readonly string[]): string {
	const codes = [...LANGUAGES.keys()];
	for (const tag of wanted) {
		for (let parts = tag.toLowerCase().split("-"); parts.length > 0; parts = parts.slice(0, -1)) {
			const found = codes.find((code) => code.toLowerCase() === parts.join("-"));
			if (found) return found;
		}
	}
	return BASE;
}
