import { describe, expect, test } from "vitest";
import { fill, makeGrammar } from "../src/i18n/template";

const filled = (template: string, locale: string, values: Record<string, string | number>) =>
	fill(template, makeGrammar(locale), (name) => values[name]);

describe("plural forms", () => {
	test.each([
		["en", "{n} {n:step|steps}", ["0 steps", "1 step", "2 steps", "5 steps"]],
		["de", "{n} {n:Schritt|Schritte}", ["0 Schritte", "1 Schritt", "2 Schritte", "5 Schritte"]],
		["fr", "{n} {n:pas|des pas}", ["0 pas", "1 pas", "2 des pas", "5 des pas"]],
		["pl", "{n} {n:krok|kroki|kroków}", ["0 kroków", "1 krok", "2 kroki", "5 kroków"]],
		["ja", "{n}{n:歩}", ["0歩", "1歩", "2歩", "5歩"]],
		["ar", "{n:a|b|c|d|e|f}", ["a", "b", "c", "d"]],
	])("of %s", (locale, template, expected) => {
		expect([0, 1, 2, 5].map((n) => filled(template, locale, { n }))).toEqual(expected);
	});

	test("for which a language has further categories are as the last one", () => {
		expect(filled("{n:krok|kroki}", "pl", { n: 5 })).toBe("kroki");
		expect(filled("{n:step}", "en", { n: 5 })).toBe("step");
	});

	test("may be empty, and may ask for any number of a sentence", () => {
		expect(filled("{n}{n: more|} of {all} {all:tile|tiles}", "en", { n: 1, all: 2 })).toBe("1 more of 2 tiles");
		expect(filled("{n}{n: more|} of {all} {all:tile|tiles}", "en", { n: 2, all: 1 })).toBe("2 of 1 tile");
	});

	test("stay as they are without a number", () => {
		expect(filled("{n:step|steps}", "en", {})).toBe("{n:step|steps}");
		expect(filled("{n:step|steps}", "en", { n: "many" })).toBe("{n:step|steps}");
	});
});

test("a hole asks for a grammatical form, and braces that are not holes are left alone", () => {
	const value = (name: string, form?: string) => `${name}/${form ?? ""}`;
	expect(fill("{piece.accusative} {piece} '}' {", makeGrammar("en"), value)).toBe("piece/accusative piece/ '}' {");
});
