import { afterEach, describe, expect, test } from "vitest";
import { preferences } from "../src/preferences.svelte";
import { de as deGame } from "../src/texts/de.game";
import { de as dePages } from "../src/texts/de.pages";
import { en as enGame } from "../src/texts/en.game";
import { en as enPages } from "../src/texts/en.pages";
import { loadLanguage, plural, spoken, t, tr } from "../src/texts/index.svelte";

const CATALOGUES: [string, Record<string, string>, Record<string, string>][] = [
	["pages", enPages, dePages],
	["game", enGame, deGame],
];

const holesIn = (text = "") => [...new Set(text.match(/\{\w+\}/g))].sort().join();

afterEach(() => {
	preferences.language = "en";
});

describe.each(CATALOGUES)("the texts of %s", (name, en, de) => {
	test("have the same keys in both languages, with the prefix", () => {
		expect(Object.keys(de).sort()).toEqual(Object.keys(en).sort());
		expect(Object.keys(en).filter((key) => !key.startsWith(`${name}.`))).toEqual([]);
	});

	test("have the same holes in both languages", () => {
		const different = Object.keys(en).filter((key) => holesIn(en[key]) !== holesIn(de[key]));
		expect(different).toEqual([]);
	});

	test("are not empty and have no exclamation marks", () => {
		const all = [...Object.entries(en), ...Object.entries(de)];
		expect(all.filter(([, text]) => text.trim() === "" || text.includes("!")).map(([key]) => key)).toEqual([]);
	});

	test("have both forms of every plural", () => {
		const stems = (ending: string) =>
			Object.keys(en)
				.filter((key) => key.endsWith(ending))
				.map((key) => key.slice(0, -ending.length))
				.sort();
		expect(stems("One")).toEqual(stems("Many"));
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
		expect(plural("pages.cards.missing", 1)).toBe("Choose 1 more card.");
		expect(plural("pages.cards.missing", 2)).toBe("Choose 2 more cards.");
	});

	test("changes to German and back", async () => {
		preferences.language = "de";
		await loadLanguage();
		expect(spoken()).toBe("de");
		expect(t("pages.play")).toBe("Spielen");
		expect(tr("Fishermen")).toBe("Fischer");
		expect(tr("a phrase that nobody knows")).toBe("a phrase that nobody knows");
		preferences.language = "en";
		expect(spoken()).toBe("en");
		expect(tr("Fishermen")).toBe("Fishermen");
	});
});
