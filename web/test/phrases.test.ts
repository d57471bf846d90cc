import { describe, expect, it, test } from "vitest";
import { makeTranslator } from "../src/i18n/phrases";
import german from "../src/i18n/phrases.de.json";
import sentences from "./sentences.json";

const translate = makeTranslator(german);

/** Texts that are the same in both languages. */
const SAME = new Set(["Fort", "Kingdom Builder", "Lords", "Palisade", "Silo"]);

const ENGLISH = new RegExp(
	`(?<![\\w-])(${[
		"a|action|and|are|as|at|be|begins|board|both|build|builds|by|can|cannot|card|cards|choose|column|draw|draws|each|edge",
		"expected|field|for|free|from|game|hand|has|have|hex|hexes|if|is|it|its|land|left|letter|line|location|map|may|more",
		"move|moves|must|next|no|none|not|nothing|of|on|once|one|only|or|other|own|piece|pieces|plays|put|puts|row|seat",
		"seats|section|sections|settlement|settlements|stands|step|steps|supply|take|takes|terrain|that|the|their|there",
		"this|tile|tiles|to|turn|twice|two|unknown|used|uses|was|when|where|which|with|without|you|your",
	].join("|")})(?![\\w-])`,
);

/** What is taken over as it was written: something in quotes, and lists of keys. */
const VERBATIM = /'[^']*'|"[^"]*"|(?<=eine?s? von )[\w', -]+$|\[Start .*\]/g;

describe("the German of everything that the library says", () => {
	it.each(sentences)("%s", (english) => {
		const translated = translate(english);
		if (!SAME.has(english)) expect(translated).not.toBe(english);
		expect(translated.replace(VERBATIM, "").match(ENGLISH)).toBeNull();
		expect(translated).not.toMatch(/[{]=?\d|undefined|!$/);
	});
});

describe("a template", () => {
	const phrases = {
		Farm: "Bauernhof",
		Harbor: "Hafen",
		grass: "Gras",
		"{1} is {2}, but {3}.": "{3}; {1} ist {2}.",
		"{1}: build on {2}": "{1}: baue auf {2}",
		"{1}: {2}": "{1}: {2}",
		"unknown {=1}": "{1} ist unbekannt",
	};
	const say = makeTranslator(phrases);

	test("translates what stands in its holes, and puts it where the value has them", () => {
		expect(say("k7 is grass, but Farm: build on grass.")).toBe("Bauernhof: baue auf Gras; k7 ist Gras.");
	});

	test("does not match when a hole holds what nobody knows", () => {
		expect(say("k7 is sand, but Farm: build on grass.")).toBe("k7 is sand, but Farm: build on grass.");
	});

	test("lets names through: hexes, numbers, seats, quotes", () => {
		for (const name of ["a1", "t20", "12", "B", "'farm'"]) expect(say(`Farm: ${name}`)).toBe(`Bauernhof: ${name}`);
		for (const name of ["u1", "a21", "F", "x"]) expect(say(`Farm: ${name}`)).toBe(`Farm: ${name}`);
	});

	test("takes anything as it is where the hole says so", () => {
		expect(say("unknown grass")).toBe("grass ist unbekannt");
	});

	test("that has more to say goes first, wherever it stands in the table", () => {
		const reversed = makeTranslator(Object.fromEntries(Object.entries(phrases).reverse()));
		expect(reversed("Farm: build on grass")).toBe("Bauernhof: baue auf Gras");
	});

	test("takes signs of regular expressions for what they are", () => {
		expect(makeTranslator({ "({1})? [.*]": "{1} $&" })("(3)? [.*]")).toBe("3 $&");
	});
});

test("reasons for a turn are translated one by one", () => {
	expect(translate("reaches the Tower; +3 gold by Fishermen; keeps desert and grass free of contact")).toBe(
		"holt das Plättchen Turm; +3 Gold durch Fischer; bleibt ohne Kontakt zu Wüste und Gras",
	);
});

test("unknown text stays as it is, empty text too", () => {
	for (const text of ["", "Anna is here", "constructor", "{1}", "a: b"]) expect(translate(text)).toBe(text);
});

test("every hole of a value is one of its key, and none is lost", () => {
	for (const [english, value] of Object.entries(german)) {
		const holes = (text: string) => [...text.matchAll(/\{=?(\d)\}/g)].map((match) => match[1]).sort();
		expect(holes(value), english).toEqual(holes(english));
	}
});

test("a long game does not fill the memory, and is translated at once", () => {
	const began = performance.now();
	for (let number = 0; number < 20000; number++) translate(`A begins turn ${number}`);
	expect(performance.now() - began).toBeLessThan(4000);
});
