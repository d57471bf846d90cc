import { expect, test } from "vitest";
import type { Frame, Replay } from "../src/protocol";
import { timeUsed, timeWords, turnTook } from "../src/replay/times";
import { seatView } from "./messages";

function frame(player: number, turn?: string, seat?: number): Frame {
	const line = turn === undefined ? null : { turn, seat };
	return { view: { player, over: false }, line, position: "" } as unknown as Frame;
}

const GAME = {
	names: ["Ann", "Ben"],
	frames: [frame(0), frame(0, "1A", 0), frame(1, "1A", 0), frame(1, "1B", 1), frame(0, "1B", 1)],
	clock: [300_000, 290_000, 300_000, 280_000, 290_000],
	took: [0, 10_000, 5_000, 20_000, 1_000],
} as unknown as Replay;
const SEATS = GAME.names.map((name) => seatView({ name }));

test("a turn takes the time of its actions so far", () => {
	expect(GAME.frames.map((_, index) => turnTook(GAME, index))).toEqual([undefined, 10_000, 15_000, 20_000, 21_000]);
});

test("each seat used the time of its own actions", () => {
	expect(timeUsed(GAME)).toEqual([15_000, 21_000]);
});

test("a moment says what the seat in turn had left, and how long the turn took", () => {
	expect(timeWords(GAME, 0, SEATS)).toBe("Time left of Ann: 5:00");
	expect(timeWords(GAME, 3, SEATS)).toBe("Time left of Ben: 4:40 · turn 1B: 0:20");
});

test("at the end it is the seat that acted last", () => {
	const last = frame(1, "1A", 0);
	const over = { ...last, view: { ...last.view, over: true } };
	expect(timeWords({ ...GAME, frames: [frame(0), over] }, 1, SEATS)).toMatch(/^Time left of Ann: 4:50/);
});

test("nothing is said where nobody kept the times", () => {
	const untimed = { ...GAME, clock: null, took: null };
	expect(timeWords(untimed, 3, SEATS)).toBe("");
	expect(timeUsed(untimed)).toBeUndefined();
});
