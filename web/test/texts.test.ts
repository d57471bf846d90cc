import { afterEach, describe, expect, test, vi } from "vitest";
import { decimal, listed, loadLanguage, spoken, t } from "../src/i18n/index.svelte";
import { bestLanguage, LANGUAGES } from "../src/i18n/locales";
import { preferences } from "../src/preferences.svelte";
import { type Files, filesOf, LOCALES, OTHERS } from "./locales";

const english = filesOf("en");

const holesIn = (text = "") => [...new Set([...text.matchAll(/\{(\w+)/g)].map(([, name]) => name))].sort().join();

afterEach(() => {
	preferences.language = "en";
	vi.unstubAllGlobals();
});

function textsOf({ pages, table, parts }: Files): [string, string][] {
	return [pages, table, ...Object.values(parts)].flatMap((texts) => Object.entries(texts));
}

test("there are languages, each in a folder that is called by its code", () => {
	expect(OTHERS.length).toBeGreaterThan(0);
	for (const [code] of LOCALES) expect(Intl.getCanonicalLocales(code)).toEqual([code]);
});

describe.each(LOCALES)("the texts of %s", (code, files) => {
	test("have the keys of the English ones, each with its prefix", () => {
		expect(Object.keys(files.pages).sort()).toEqual(Object.keys(english.pages).sort());
		expect(Object.keys(files.table).sort()).toEqual(Object.keys(english.table).sort());
		expect(Object.keys(files.pages).filter((key) => !key.startsWith("pages."))).toEqual([]);
		expect(Object.keys(files.table).filter((key) => !key.startsWith("game."))).toEqual([]);
	});

	test.each(["pages", "table"] as const)("have the holes of the English ones: %s", (file) => {
		const [own, inEnglish] = [files[file], english[file]];
		const different = Object.keys(inEnglish).filter((key) => holesIn(own[key]) !== holesIn(inEnglish[key]));
		expect(different).toEqual([]);
	});

	test("have the parts, keys and holes of the English ones, each key with the name of its part", () => {
		expect(Object.keys(files.parts).sort()).toEqual(Object.keys(english.parts).sort());
		for (const [part, inEnglish] of Object.entries(english.parts)) {
			const own = files.parts[part] ?? {};
			expect(Object.keys(own).sort(), part).toEqual(Object.keys(inEnglish).sort());
			for (const [key, text] of Object.entries(inEnglish)) {
				expect(key.startsWith(`${part}.`), key).toBe(true);
				expect(holesIn(own[key]), key).toBe(holesIn(text));
			}
		}
	});

	test("are not empty and have no exclamation marks", () => {
		const wrong = textsOf(files).filter(([, text]) => text.trim() === "" || text.includes("!"));
		expect(wrong.map(([key]) => key)).toEqual([]);
	});

	test("have no more plural forms than the language, and none in braces of its own", () => {
		const { pluralCategories } = new Intl.PluralRules(files.language.locale ?? code).resolvedOptions();
		const all = [...textsOf(files), ...Object.entries(files.messages ?? {})];
		const forms = (text: string) =>
			[...text.matchAll(/\{\w+:([^{}]*)\}/g)].map(([, forms]) => forms?.split("|").length);
		for (const [key, text] of all) {
			expect(Math.max(0, ...forms(text).map(Number)), key).toBeLessThanOrEqual(pluralCategories.length);
			expect(text, key).not.toMatch(/\{[^}]*\{/);
		}
	});

	test("come with a name of the language", () => {
		expect(LANGUAGES.get(code)?.name).toBe(files.language.name);
		expect(files.language.name.trim()).not.toBe("");
	});
});

describe.each(OTHERS)("the messages and names of %s", (_, { messages, names }) => {
	test("have the holes of their templates", () => {
		const different = Object.entries(messages).filter(([template, text]) => holesIn(template) !== holesIn(text));
		expect(different).toEqual([]);
	});

	test("are of the same templates and keys in every language", () => {
		const [[, first]] = OTHERS as [(typeof OTHERS)[0]];
		expect(Object.keys(messages).sort()).toEqual(Object.keys(first.messages).sort());
		const keys = (group: keyof typeof names) =>
			[names, first.names].map((each) => Object.keys(each[group] ?? {}).sort());
		for (const group of ["components", "boxes", "terrains", "pieces", "options", "levels"] as const) {
			const [own, inFirst] = keys(group);
			expect(own).toEqual(inFirst);
			expect(own).not.toEqual([]);
		}
	});

	test("have a form for each that a message asks for, but for names that have no forms at all", () => {
		const asked = Object.values(messages).flatMap((text) => [...text.matchAll(/\{(\w+)\.(\w+)/g)]);
		const forms = [names.pieces, names.terrains, names.components].flatMap((group) => Object.values(group ?? {}));
		for (const [, hole, form = ""] of asked) {
			expect(
				forms.some((name) => typeof name === "object" && form in name),
				`${hole}.${form}`,
			).toBe(true);
		}
	});

	test("are not empty and have no exclamation marks, but for one that is quoted", () => {
		const said = JSON.stringify([Object.values(messages), names]).replace(/„!“|«\s!\s»/gu, "");
		expect(said).not.toMatch(/!|""|" | "/);
	});
});

describe("speaking", () => {
	test("fills holes and leaves unknown ones", () => {
		expect(t("pages.record.place", { line: 3, column: 7 })).toBe("Line 3, column 7:");
		expect(t("pages.record.place", { line: 3 })).toBe("Line 3, column {column}:");
	});

	test("takes what is put into a hole as it is", () => {
		expect(t("pages.seat.botLevel", { level: "$& {n}" })).toBe("Bot: $& {n}");
	});

	test("chooses between one and many", () => {
		expect(t("pages.cards.missing", { n: 1 })).toBe("Choose 1 more card.");
		expect(t("pages.cards.missing", { n: 2 })).toBe("Choose 2 more cards.");
	});

	test("lists with a word before the last", () => {
		expect([listed([]), listed(["a1"]), listed(["a1", "b1"])]).toEqual(["", "a1", "a1 and b1"]);
		expect(listed(["a1", "b1", "c1"])).toBe("a1, b1 and c1");
		expect(listed(["a1", "b1", "c1"], "or")).toBe("a1, b1 or c1");
	});

	test("changes to German and back", async () => {
		preferences.language = "de";
		await loadLanguage();
		expect(spoken()).toBe("de");
		expect(t("pages.play")).toBe("Spielen");
		expect(t("game.step.waiting", { name: "Anna" })).toBe("Warten auf Anna.");
		expect(listed(["a1", "b1", "c1"], "or")).toBe("a1, b1 oder c1");
		expect(decimal(1.5)).toBe("1,5");
		preferences.language = "en";
		expect(spoken()).toBe("en");
		expect(decimal(1.5)).toBe("1.5");
	});

	test("is in the language of the browser unless one is chosen that exists", async () => {
		vi.stubGlobal("navigator", { languages: ["de-AT", "en"] });
		preferences.language = "auto";
		await loadLanguage();
		expect(spoken()).toBe("de");
		preferences.language = "xx";
		expect(spoken()).toBe("de");
		preferences.language = "en";
		expect(spoken()).toBe("en");
	});
});

test.each([
	[["de"], "de"],
	[["de-CH-1996", "en"], "de"],
	[["DE"], "de"],
	[["xx", "de", "en"], "de"],
	[["en-US", "de"], "en"],
	[["xx"], "en"],
	[[], "en"],
])("of the languages %o of a browser the page speaks %s", (wanted, found) => {
	expect(bestLanguage(wanted)).toBe(found);
});
