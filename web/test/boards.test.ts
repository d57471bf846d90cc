import { expect, test } from "vitest";
import { boardOf, onlyOffered, slotsOf, withSection } from "../src/pages/boards";

const KNOWN = new Set(["tavern", "paddock", "oasis", "farm", "tower"]);
const BOARD = "tavern/paddock/oasis'/farm";

function slots(board: string) {
	const found = slotsOf(board, KNOWN);
	if (!found) throw new Error(`no sections in ${board}`);
	return found;
}

test("a board is read and written back", () => {
	expect(slots(BOARD)[2]).toEqual({ key: "oasis", turned: true });
	expect(boardOf(slots(BOARD))).toBe(BOARD);
});

test.each(["GGD/G1D(farm)", "tavern/paddock/oasis", "a/b/c/d", ""])("%s is no board of four sections", (board) => {
	expect(slotsOf(board, KNOWN)).toBeUndefined();
});

test("a section that is not on the board replaces another, which way up that was", () => {
	expect(boardOf(withSection(slots(BOARD), 2, "tower"))).toBe("tavern/paddock/tower'/farm");
});

test("a section that is on the board changes places", () => {
	expect(boardOf(withSection(slots(BOARD), 0, "oasis"))).toBe("oasis'/paddock/tavern/farm");
});

test("sections of a box that was put away are replaced by free ones", () => {
	expect(boardOf(onlyOffered(slots(BOARD), ["tavern", "paddock", "tower", "farm"]))).toBe("tavern/paddock/tower'/farm");
	expect(boardOf(onlyOffered(slots(BOARD), []))).toBe(BOARD);
});
