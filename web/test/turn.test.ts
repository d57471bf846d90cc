import { describe, expect, test } from "vitest";
import type { View } from "../src/protocol";
import { buildsOf, cardsOf, choicesOf, whyNotEnd } from "../src/table/turn";

function view(more: Partial<View>): View {
	return { player: 0, card: "G", todo: 3, acting: null, legal: ["a1", "b1"], tiles: [[]], ...more } as View;
}

describe("why a turn cannot be ended", () => {
	test("is what is left to do", () => {
		expect(whyNotEnd(view({ acting: "paddock" }))).toMatch(/action/);
		expect(whyNotEnd(view({ card: "" }))).toMatch(/card/);
		expect(whyNotEnd(view({ todo: 2 }))).toContain("2");
	});

	test("is nothing if it can be ended", () => {
		expect(whyNotEnd(view({ todo: 0, legal: ["."] }))).toBe("");
	});
});

test("builds are counted of all that the mandatory action has", () => {
	expect(buildsOf(view({ todo: 1 }))).toEqual({ built: 2, all: 3 });
});

test("cards and other choices are found among the legal moves", () => {
	const tiles = [[{ key: "paddock", hex: "c1", status: "ready" as const }]];
	const seen = view({ legal: ["!G", "!T", "paddock", "done", ".", "a1"], tiles });
	expect(cardsOf(seen)).toEqual(["G", "T"]);
	expect(choicesOf(seen).map(({ move }) => move)).toEqual(["done"]);
	expect(choicesOf(seen)[0]?.label).not.toBe("");
});
