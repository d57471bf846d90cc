import { describe, expect, test } from "vitest";
import {
	centre,
	extent,
	groupsOfSeven,
	type Hex,
	hexAt,
	hexName,
	isHexName,
	neighbours,
	nextOf,
	parseHex,
	RADIUS,
	stepTo,
	veil,
} from "../src/board/hexes";

const BOARD = { width: 20, height: 20 };

function everyHex(): Hex[] {
	return Array.from({ length: 400 }, (_, i) => ({ row: Math.floor(i / 20), col: i % 20 }));
}

describe("names", () => {
	test("round-trip for all hexes", () => {
		for (const hex of everyHex()) expect(parseHex(hexName(hex))).toEqual(hex);
		expect(hexName({ row: 0, col: 0 })).toBe("a1");
		expect(hexName({ row: 19, col: 19 })).toBe("t20");
	});

	test.each([".", "done", "paddock", "!C", "a0", "a", "7", "u1", "a100", ""])("%s is no hex", (text) => {
		expect(isHexName(text)).toBe(false);
	});
});

describe("geometry", () => {
	test("every hex is found at its centre and near its corners", () => {
		for (const hex of everyHex()) {
			const { x, y } = centre(hex);
			for (const [dx, dy] of [
				[0, 0],
				[20, 0],
				[-20, 0],
				[0, 23],
				[0, -23],
				[19, 11],
				[-19, -11],
			] as const) {
				expect(hexAt({ x: x + dx, y: y + dy }, BOARD)).toEqual(hex);
			}
		}
	});

	test("nothing is found off the board", () => {
		const { width, height } = extent(BOARD);
		for (const point of [
			{ x: -1, y: 24 },
			{ x: 2, y: 2 },
			{ x: width + 5, y: 60 },
			{ x: 30, y: height + 1 },
			{ x: 5, y: 60 },
		]) {
			expect(hexAt(point, BOARD)).toBeUndefined();
		}
	});

	test("neighbours are one hex away", () => {
		for (const hex of everyHex()) {
			const here = centre(hex);
			for (const other of neighbours(hex)) {
				const there = centre({ row: other.row + 2, col: other.col });
				const distance = Math.hypot(there.x - here.x, there.y - 72 - here.y);
				expect(distance).toBeGreaterThan(2 * RADIUS * 0.85);
				expect(distance).toBeLessThan(2 * RADIUS * 0.9);
			}
		}
	});
});

describe("keys", () => {
	test("arrows lead to a neighbour and stay on the board", () => {
		for (const hex of everyHex()) {
			for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]) {
				const next = stepTo(hex, key, BOARD) as Hex;
				expect([hex, ...neighbours(hex)]).toContainEqual(next);
				expect(next.row >= 0 && next.row < 20 && next.col >= 0 && next.col < 20).toBe(true);
			}
		}
		expect(stepTo({ row: 3, col: 3 }, "x", BOARD)).toBeUndefined();
	});

	test("every hex can be reached", () => {
		expect(stepTo({ row: 4, col: 9 }, "Home", BOARD)).toEqual({ row: 4, col: 0 });
		expect(stepTo({ row: 4, col: 9 }, "End", BOARD)).toEqual({ row: 4, col: 19 });
	});

	test("the next legal hex goes round", () => {
		const legal = ["k7", "c2", ".", "m7"];
		expect(nextOf(legal, { row: 6, col: 10 }, 1)).toEqual(parseHex("m7"));
		expect(nextOf(legal, { row: 6, col: 12 }, 1)).toEqual(parseHex("c2"));
		expect(nextOf(legal, { row: 0, col: 0 }, -1)).toEqual(parseHex("m7"));
		expect(nextOf([], { row: 0, col: 0 }, 1)).toBeUndefined();
	});
});

describe("city halls", () => {
	const hall = [{ row: 5, col: 5 }, ...neighbours({ row: 5, col: 5 })].map(hexName);

	test("seven hexes are one hall", () => {
		expect(groupsOfSeven(hall)).toEqual({ whole: ["f6"], single: [] });
	});

	test("fewer are single towers", () => {
		const rest = hall.slice(1);
		expect(groupsOfSeven(rest).whole).toEqual([]);
		expect(groupsOfSeven(rest).single.sort()).toEqual(rest.sort());
	});
});

test("a veil has a hole for each hex", () => {
	const data = veil({ x: 0, y: 0, width: 100, height: 100 }, ["a1", "b1"]);
	expect(data.match(/M/g)).toHaveLength(3);
});
