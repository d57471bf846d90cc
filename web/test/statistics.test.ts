import { expect, test } from "vitest";
import {
	bestTurn,
	goldAtStart,
	goldByTurn,
	longestLead,
	positionsByTurn,
	ranking,
	type TurnGold,
	turningPoint,
} from "../src/game/statistics";
import type { Frame, LogLine, View } from "../src/protocol";

function frame(ply: number, turn: string, gold: number[][]): Frame {
	const line: LogLine = { ply, turn, seat: turn.endsWith("A") ? 0 : 1, move: "", happenings: [] };
	return { view: { ply, gold } as View, line: ply > 0 ? line : null, position: "" };
}

function turn(label: string, gold: number[]): TurnGold {
	return { label, seat: label.endsWith("A") ? 0 : 1, ply: 0, gold };
}

test("each turn counts with its last action, the deal does not", () => {
	const frames = [
		frame(0, "", [[0], [0]]),
		frame(1, "0A", [[0], [0]]),
		frame(2, "1A", [[1, 1], [0]]),
		frame(3, "1A", [[2, 1], [0]]),
		frame(4, "1B", [[2, 1], [4]]),
	];
	expect(goldByTurn(frames)).toEqual([
		{ label: "1A", seat: 0, ply: 3, gold: [3, 0] },
		{ label: "1B", seat: 1, ply: 4, gold: [3, 4] },
	]);
});

test("positions are judged at the beginning and after each turn", () => {
	const frames = [frame(0, "", [[0]]), frame(1, "0A", [[0]]), frame(2, "1A", [[1]]), frame(3, "1A", [[2]])];
	const placed = frames.map((each, i) => ({ ...each, position: `p${i}` }));
	expect(positionsByTurn(placed, goldByTurn(placed))).toEqual(["p0", "p3"]);
});

const TURNS = [
	turn("1A", [3, 0]),
	turn("1B", [3, 5]),
	turn("2A", [4, 5]),
	turn("2B", [4, 9]),
	turn("3A", [9, 9]),
	turn("3B", [9, 11]),
];

test("a lead ends with a tie", () => {
	expect(longestLead(TURNS)).toEqual({ seat: 1, turns: 3 });
	expect(longestLead([turn("1A", [0, 0])])).toBeUndefined();
});

test("the best turn is that of the player who made it", () => {
	expect(bestTurn(TURNS, [0, 0])).toMatchObject({ label: "1B", gain: 5, seat: 1 });
	expect(bestTurn([], [])).toBeUndefined();
});

test("what the seats had at the beginning is no gain", () => {
	const start = goldAtStart([frame(0, "", [[2], [1, 2]])]);
	expect(start).toEqual([2, 3]);
	expect(bestTurn([turn("1A", [3, 3])], start)).toMatchObject({ label: "1A", gain: 1, seat: 0 });
	expect(goldAtStart([])).toEqual([]);
});

test("the turning point is the turn after which the winner stayed ahead alone", () => {
	// A leads, B overtakes, A draws level, B goes ahead for good.
	expect(turningPoint(TURNS, [0, 0], [1])).toMatchObject({ label: "3B", seat: 1 });
	expect(turningPoint([turn("1A", [3, 0]), turn("1B", [3, 5]), turn("2A", [9, 5])], [0, 0], [0])).toMatchObject({
		label: "2A",
		seat: 0,
	});
});

test("there is no turning point for somebody who was always ahead, for a tie, or without turns", () => {
	expect(turningPoint([turn("1A", [3, 0]), turn("1B", [3, 2])], [0, 0], [0])).toBeUndefined();
	expect(turningPoint([turn("1A", [3, 0]), turn("1B", [3, 3])], [0, 0], [0, 1])).toBeUndefined();
	expect(turningPoint([], [], [0])).toBeUndefined();
});

test("a game from a position may turn in its first turn", () => {
	expect(turningPoint([turn("9A", [8, 6])], [5, 6], [0])).toMatchObject({ label: "9A", seat: 0 });
	expect(turningPoint([turn("9A", [8, 6])], [7, 6], [0])).toBeUndefined();
});

test("seats with equal gold share a place", () => {
	expect(ranking([31, 44, 31, 12])).toEqual([
		{ place: 1, seat: 1, gold: 44 },
		{ place: 2, seat: 0, gold: 31 },
		{ place: 2, seat: 2, gold: 31 },
		{ place: 4, seat: 3, gold: 12 },
	]);
});
