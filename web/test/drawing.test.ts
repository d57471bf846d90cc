import { describe, expect, it } from "vitest";
import { linkTo } from "../src/net/links.svelte";
import { partsOf, placeOf } from "../src/router.svelte";
import {
	blank,
	type Drawing,
	fileOf,
	letterAt,
	linkPath,
	locationAt,
	mapsIn,
	mirrored,
	painted,
	readDrawing,
	resized,
	textOf,
	turned,
} from "../src/workshop/drawing";

const BOARD: Drawing = { kind: "board", name: "Two isles", set: "own", locations: ["a", "b"], rows: ["G1W", "D2W"] };

describe("the text of a map", () => {
	it("is read as it was written", () => {
		for (const drawing of [
			BOARD,
			blank("section", "mine"),
			{ ...blank("section", "x", "harvest"), locations: ["a"] },
		]) {
			expect(readDrawing(textOf(drawing))).toEqual(drawing);
		}
	});

	it("is read whatever it is", () => {
		for (const text of [
			"",
			"#",
			"##",
			"GG\nG",
			"# | |",
			"; only\n# a: b | c | d\nXY\n\nZ",
			"kingdom-builder-maps 1\n\n## q\nG",
		]) {
			const { rows } = readDrawing(text);
			expect(rows.every((row) => typeof row === "string")).toBe(true);
		}
		expect(readDrawing("kingdom-builder-maps 1\n\n; hm\n## q | a\n G1 \r\nDD").rows).toEqual(["G1", "DD"]);
		expect(readDrawing("# a, b | base | own\nGG").name).toBe("a");
	});

	it("survives a link and a file", () => {
		const text = textOf({ ...BOARD, name: "Ä/ö #1 % |x" });
		expect(placeOf(partsOf(new URL(linkTo(linkPath(text))).hash))).toEqual({ page: "workshop", shared: text });
		expect(mapsIn(fileOf([text, textOf(BOARD)]))).toEqual([text, textOf(BOARD)]);
		expect(mapsIn("nothing")).toEqual([]);
	});
});

describe("painting", () => {
	it("changes one hex and no other", () => {
		const after = painted(BOARD, { row: 0, col: 2 }, { letter: "T" });
		expect(after.rows).toEqual(["G1T", "D2W"]);
		expect(after.locations).toEqual(BOARD.locations);
		expect(BOARD.rows).toEqual(["G1W", "D2W"]);
	});

	it("numbers locations by itself", () => {
		const more = painted(BOARD, { row: 1, col: 0 }, { location: "c" });
		expect([more.rows[1], more.locations]).toEqual(["32W", ["a", "b", "c"]]);
		const again = painted(more, { row: 1, col: 2 }, { location: "a" });
		expect(again.rows).toEqual(["G1W", "321"]);
		const fewer = painted(BOARD, { row: 0, col: 1 }, { letter: "G" });
		expect([fewer.rows, fewer.locations]).toEqual([["GGW", "D1W"], ["b"]]);
	});

	it("keeps locations that are still to come", () => {
		const begun = { ...blank("section", "x"), locations: ["a", "b"] };
		expect(painted(begun, { row: 0, col: 0 }, { letter: "G" }).locations).toEqual(["a", "b"]);
	});

	it("fills rows that are too short", () => {
		expect(painted({ ...BOARD, rows: ["G", "DD"] }, { row: 0, col: 2 }, { letter: "T" }).rows[0]).toBe("G.T");
		expect(letterAt({ ...BOARD, rows: ["G"] }, { row: 4, col: 4 })).toBe(".");
		expect(locationAt(BOARD, { row: 1, col: 1 })).toBe("b");
	});
});

describe("the whole map", () => {
	it("is turned as a section is, twice to itself", () => {
		expect(turned(BOARD).rows).toEqual(["W2D", "W1G"]);
		expect(turned(turned(BOARD))).toEqual(BOARD);
		expect(mirrored(BOARD).rows).toEqual(["W1G", "W2D"]);
	});

	it("is cut or grows", () => {
		expect(resized(BOARD, 4, 3).rows).toEqual(["G1W.", "D2W.", "...."]);
		expect(resized(BOARD, 2, 1)).toEqual({ ...BOARD, rows: ["G1"], locations: ["a"] });
	});
});
