import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loadLanguage } from "../src/i18n/index.svelte";
import { asSentence, say, saySentence, withHexes } from "../src/i18n/say";
import { catalogue } from "../src/net/catalogue.svelte";
import { preferences } from "../src/preferences.svelte";
import type { Argument, Catalogue, Message } from "../src/protocol";
import { plain } from "./messages";

const FACES = [{ name: "Anna" }, { name: "Bob" }];

const CATALOGUE = {
	components: [
		{ key: "paddock", name: "Paddock", text: "Move two hexes." },
		{ key: "toll", name: "Toll", text: "2 gold for each bridge." },
	],
	pieces: [{ key: "city-halls", name: "city hall" }],
	terrain: { G: "grass", Q: "quicksand" },
} as unknown as Catalogue;

const hex = (name: string): Argument => ["hex", name];
const component = (key: string): Argument => ["component", key];
const piece = (key: string): Argument => ["piece", key];
const terrain = (letter: string): Argument => ["terrain", letter];
const seat = (number: number): Argument => ["seat", number];
const number = (n: number): Argument => ["number", n];
const nested = (message: Message): Argument => ["message", message];

/** A message whose English is made up: what shows it is not a translation. */
function message(template: string, args: Record<string, Argument> = {}): Message {
	return { template, arguments: args, text: `English: ${template}` };
}

async function inGerman(): Promise<void> {
	preferences.language = "de";
	await loadLanguage();
}

beforeEach(() => {
	preferences.language = "en";
	catalogue.value = CATALOGUE;
});

afterEach(() => {
	preferences.language = "en";
});

describe("in English", () => {
	test("a message is its text", () => {
		expect(say(plain("The game is over."))).toBe("The game is over.");
		expect(say(message("uses the {tile}", { tile: component("paddock") }), FACES)).toBe("English: uses the {tile}");
	});

	test("a seat is called by the name of the person, wherever it stands", () => {
		const occupied = message("{hex} is occupied by {seat}", { hex: hex("k7"), seat: seat(1) });
		expect(say(occupied, FACES)).toBe("k7 is occupied by Bob");
		expect(say(message("No: {reason}", { reason: nested(occupied) }), FACES)).toBe("No: k7 is occupied by Bob");
		const all: Argument = ["and", [seat(0), seat(1), seat(2)]];
		expect(say(message("{all} win", { all }), FACES)).toBe("Anna, Bob and Player C win");
		expect(say(occupied)).toBe("English: {hex} is occupied by {seat}");
	});

	test("what is said of one hex can be said of several", () => {
		const built = { template: "builds on {hex}", arguments: { hex: hex("a1") }, text: "builds on a1" };
		expect(say(withHexes(built, ["a1", "b1", "c1"]), FACES)).toBe("builds on a1, b1 and c1");
	});

	test("every kind of argument is put into words", () => {
		const args = {
			seat: seat(0),
			hex: hex("k7"),
			action: component("paddock"),
			unknown: component("moat"),
			piece: piece("city-halls"),
			terrain: terrain("Q"),
			n: number(1),
			text: ["text", "as {typed}"],
			reason: nested(message("inner")),
			any: ["or", [terrain("G"), hex("a1"), number(3)]],
		} satisfies Record<string, Argument>;
		const template =
			"{seat} {hex} {action} {unknown} {piece} {terrain} {n} {n:step|steps} {text} {reason} {any} {gone}";
		expect(say(message(template, args), FACES)).toBe(
			"Anna k7 Paddock moat city hall quicksand 1 step as {typed} English: inner grass, a1 or 3 {gone}",
		);
	});
});

describe("in German", () => {
	beforeEach(inGerman);

	test("a message is found by its template", () => {
		expect(say(message("The game is over."))).toBe("Das Spiel ist aus.");
		expect(say(message("a message that nobody knows"))).toBe("English: a message that nobody knows");
	});

	test("names are those of the language, or else those of the catalogue", () => {
		const uses = (key: string) => say(message("uses the {tile}", { tile: component(key) }));
		expect(uses("paddock")).toBe("nutzt „Koppel“");
		expect(uses("toll")).toBe("nutzt „Toll“");
		const draws = (letter: string) => say(message("draws {terrain}", { terrain: terrain(letter) }));
		expect([draws("G"), draws("Q"), draws("Z")]).toEqual(["zieht Gras", "zieht quicksand", "zieht Z"]);
	});

	test("a name stands in the grammatical form that the sentence asks for", () => {
		const puts = (key: string) => say(message("puts a {piece} on {hex}", { piece: piece(key), hex: hex("k7") }));
		expect(puts("warriors")).toBe("setzt einen Krieger auf k7");
		expect(puts("ships")).toBe("setzt ein Schiff auf k7");
		const taken = message("takes back the {piece} on {hex}", { piece: piece("warriors"), hex: hex("k7") });
		expect(say(taken)).toBe("nimmt den Krieger auf k7 zurück");
	});

	test("plural forms, people and nested messages are as in the language", () => {
		const left = (n: number) =>
			say(
				message("{action}: {n} {n:step|steps} left, from {hex} or with another settlement.", {
					action: component("resettlement"),
					n: number(n),
					hex: hex("k7"),
				}),
			);
		expect(left(1)).toBe("Umsiedlung: noch 1 Schritt, von k7 aus oder mit einer anderen Siedlung.");
		expect(left(4)).toBe("Umsiedlung: noch 4 Schritte, von k7 aus oder mit einer anderen Siedlung.");
		const wanted = nested(message("the terrain card shows {terrain}", { terrain: terrain("G") }));
		const reason = message("{hex} is {ground}, but {wanted}.", { hex: hex("k7"), ground: terrain("W"), wanted });
		expect(say(reason, FACES)).toBe("k7 (Wasser) passt nicht – die Geländekarte zeigt Gras.");
		const occupied = message("{hex} is occupied by {seat}: one piece a hex.", { hex: hex("k7"), seat: seat(1) });
		expect(say(occupied, FACES)).toBe("Auf k7 steht schon eine Figur von Bob: nur eine je Feld.");
		expect(say(occupied)).toBe("Auf k7 steht schon eine Figur von Spieler B: nur eine je Feld.");
		const free: Argument = ["and", [terrain("G"), terrain("C"), terrain("W")]];
		expect(say(message("keeps {terrains} free of contact", { terrains: free }))).toBe(
			"bleibt ohne Kontakt zu Gras, Canyon und Wasser",
		);
	});

	test("a message without a translation is all English, with the names of people", () => {
		const made = message("{seat} pays {n} {n:coin|coins} for {action}", {
			seat: seat(0),
			n: number(1),
			action: component("paddock"),
		});
		expect(say(made, FACES)).toBe("Anna pays 1 coin for Paddock");
	});
});

describe("a fragment as a sentence", () => {
	test.each([
		["your supply is empty", "Your supply is empty."],
		["k7 is not on this board", "k7 is not on this board."],
		["k7, or another", "k7, or another."],
		["über allem", "Über allem."],
		["where to from k7?", "Where to from k7?"],
		["The game is over.", "The game is over."],
		["'x' here: expected a move", "'x' here: expected a move."],
	])("%s", (fragment, sentence) => {
		expect(asSentence(fragment)).toBe(sentence);
		expect(saySentence(plain(fragment))).toBe(sentence);
	});
});
