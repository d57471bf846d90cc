import { flushSync } from "svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Frame, Replay } from "../src/protocol";
import { ReplayState } from "../src/replay/replay.svelte";

/** A moment by its ply and whose turn of which round it is. */
function frame(ply: number, round: number, player: number): Frame {
	return { view: { ply, round, player, gold: [[], []] }, line: null, position: `p${ply}` } as unknown as Frame;
}

const GAME = {
	names: ["Ann", "Ben"],
	colours: [3, 1],
	frames: [frame(0, 1, 0), frame(2, 1, 0), frame(3, 1, 1), frame(5, 1, 1), frame(6, 2, 0)],
} as unknown as Replay;

let replay: ReplayState;
let plies: number[];
let stop: () => void;

beforeEach(() => {
	plies = [];
	stop = $effect.root(() => {
		replay = new ReplayState((ply) => plies.push(ply));
	});
	replay.open(GAME);
});

afterEach(() => {
	stop();
	vi.useRealTimers();
});

describe("a replay", () => {
	test("begins at the start and knows who sits where", () => {
		expect(replay.frame?.view.ply).toBe(0);
		expect(replay.seats.map(({ name, colour }) => [name, colour])).toEqual([
			["Ann", 3],
			["Ben", 1],
		]);
	});

	test("shows the moment of a ply, or the next one, or the last", () => {
		for (const ply of [2, 4, 99]) replay.show(ply);
		expect(plies).toEqual([2, 5, 6]);
	});

	test("does not leave the game", () => {
		replay.step(-1);
		expect(replay.index).toBe(0);
		replay.move(99);
		expect(replay.index).toBe(4);
	});

	test("animates single steps forward only", () => {
		replay.step(1);
		expect(replay.forward).toBe(true);
		replay.step(-1);
		expect(replay.forward).toBe(false);
		replay.move(3);
		expect(replay.forward).toBe(false);
	});

	test("jumps to the first moment of the next turn, and back", () => {
		replay.jump(1);
		expect(replay.index).toBe(2);
		replay.jump(1);
		expect(replay.index).toBe(4);
		replay.jump(-1);
		expect(replay.index).toBe(2);
	});

	test("runs by itself to its end", () => {
		vi.useFakeTimers();
		replay.running = true;
		flushSync();
		vi.advanceTimersByTime(10_000);
		expect(plies).toEqual([2, 3, 5, 6]);
		expect(replay.running).toBe(false);
	});
});
