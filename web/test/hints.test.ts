import { describe, expect, test } from "vitest";
import { followed, partsOf, planOf, restOfTurn } from "../src/game/hints";
import type { Frame, HintView, LogLine } from "../src/protocol";

function hint(...turn: string[]): HintView {
	return { move: turn[0] ?? "", turn, gold: 50, reasons: [] };
}

test("a move falls into its steps", () => {
	expect(partsOf("k7")).toEqual([["k7"]]);
	expect(partsOf("paddock:k7-m7")).toEqual([["paddock"], ["k7", "m7"]]);
	expect(partsOf("bazaar:water-mill,f13")).toEqual([["bazaar"], ["water-mill"], ["f13"]]);
});

describe("suggested turns", () => {
	const turns = [hint("k7", "paddock:k7-m7", "."), hint("l7", "k7", "."), hint("k7")];

	test("go on when their next move was played, the others are gone", () => {
		expect(followed(turns, ["k7"])).toEqual([{ ...hint("paddock:k7-m7", "."), gold: 50 }]);
		expect(followed(followed(turns, ["k7"]), ["paddock", "k7", "m7"])).toEqual([hint(".")]);
	});

	test("are gone when something else happened, or chance came in", () => {
		for (const played of [[], ["m7"], ["k7", "l7"], ["k7", "=C"]]) expect(followed(turns, played)).toEqual([]);
		expect(followed([hint(".")], [".", "=C"])).toEqual([]);
	});

	test("are drawn where something comes to stand, and the ways of pieces", () => {
		expect(planOf(hint("paddock:k7-m7", "!C", "l7", "."))).toEqual({
			marks: [
				{ hex: "m7", number: 1, next: true },
				{ hex: "l7", number: 2, next: false },
			],
			ways: [["k7", "m7"]],
		});
	});
});

describe("the rest of a turn", () => {
	function frames(...moves: string[]): Frame[] {
		const lines = moves.map((move, i) => ({ ply: i + 1, move }) as LogLine);
		return [null, ...lines].map((line, i) => ({ line, position: `p${i}` }) as Frame);
	}

	test("is what was played until it was ended, with the position before that", () => {
		const rest = restOfTurn(frames("=C", "k7", "l7", ".", "=D", "a1"), 2);
		expect(rest?.lines.map(({ move }) => move)).toEqual(["l7", "."]);
		expect(rest?.position).toBe("p3");
	});

	test("cannot be compared when a card was drawn in it, or it did not end", () => {
		expect(restOfTurn(frames("k7", "fort", "=C", "l7", "."), 0)).toBeUndefined();
		expect(restOfTurn(frames("k7", "l7"), 0)).toBeUndefined();
		expect(restOfTurn(frames("k7", "."), 2)).toBeUndefined();
	});
});
