import { expect, test } from "vitest";
import { hexName, neighbours, parseHex } from "../src/board/hexes";
import { drawingsOf, occupants, unowned } from "../src/board/pieces";
import type { PieceInfo } from "../src/protocol";

function kind(key: string, more: Partial<PieceInfo> = {}): PieceInfo {
	return { key, name: key, owned: true, drawing: `kb-${key}`, whole: null, text: "", ...more };
}

const KINDS = [
	kind("settlement"),
	kind("beacons", { drawing: "kb-pieces" }),
	kind("walls", { owned: false }),
	kind("city-halls", { whole: "kb-city-hall" }),
];

const HALL = [parseHex("f6") ?? { row: 0, col: 0 }].flatMap((middle) => [middle, ...neighbours(middle)]).map(hexName);

const PIECES = {
	settlement: [["a1"], ["b1"]],
	beacons: [[], ["c1"]],
	"city-halls": [[...HALL, "k9"], []],
	walls: [["d1", "e1"]],
	dragons: [["a2"], []],
};

test("pieces of seats and pieces that nobody owns are told apart", () => {
	expect(occupants({ pieces: PIECES }).get("c1")).toEqual({ kind: "beacons", seat: 1 });
	expect(occupants({ pieces: PIECES }).has("d1")).toBe(false);
	expect([...unowned({ pieces: PIECES })]).toEqual([
		["d1", "walls"],
		["e1", "walls"],
	]);
});

test("every kind of piece is drawn as the catalogue says, in the colours of the seats", () => {
	const drawn = drawingsOf(PIECES, KINDS, (seat) => [3, 0][seat] ?? seat);
	expect(drawn.unowned).toEqual([
		{ hex: "d1", artwork: "#kb-walls" },
		{ hex: "e1", artwork: "#kb-walls" },
	]);
	expect(drawn.large).toEqual([
		{ hex: "f6", artwork: "#kb-city-hall-4" },
		{ hex: "k9", artwork: "#kb-city-halls-4" },
	]);
	expect(drawn.small).toEqual([
		{ hex: "a1", artwork: "#kb-settlement-4" },
		{ hex: "b1", artwork: "#kb-settlement-1" },
		{ hex: "c1", artwork: "#kb-pieces-1" },
		{ hex: "a2", artwork: "#kb-pieces-4" },
	]);
});
