import { flushSync } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ScoreLine } from "../src/protocol";
import { Counting, goldAfter, stepsOf } from "../src/table/counting.svelte";

const line = (key: string, seat: number, gold: number, ...hexes: string[]): ScoreLine => ({ key, seat, gold, hexes });

/** As the server sends them: by seat. */
const LINES = [
	line("road", 0, 3, "a1"),
	line("inn", 0, 0),
	line("bridge", 0, 5, "b1", "b2"),
	line("road", 1, 4, "c1"),
	line("inn", 1, 2),
	line("bridge", 1, 0),
];
const SCORING = ["road", "inn", "bridge"];

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("cards are counted one after the other, and what pays nothing is left out", () => {
	expect(stepsOf(LINES, SCORING).map(({ key, seat }) => `${key} ${seat}`)).toEqual([
		"road 0",
		"road 1",
		"inn 1",
		"bridge 0",
	]);
});

test("the gold runs up to what the lines add up to", () => {
	const steps = stepsOf(LINES, SCORING);
	const sums = Array.from({ length: steps.length + 1 }, (_, done) => goldAfter(steps, done, 2));
	expect(sums).toEqual([
		[0, 0],
		[3, 0],
		[3, 4],
		[3, 6],
		[8, 6],
	]);
});

function counted(lines: () => ScoreLine[] | undefined, check: (counting: Counting) => void): void {
	const ask = vi.fn();
	const end = $effect.root(() => {
		const counting = new Counting(lines, () => SCORING, ask);
		flushSync();
		expect(ask).not.toHaveBeenCalled();
		counting.start();
		flushSync();
		expect(ask).toHaveBeenCalled();
		check(counting);
	});
	end();
}

/** Lets the next timer go off. */
function tick(): void {
	vi.runOnlyPendingTimers();
	flushSync();
}

test("each step lights its hexes, and the end is the end", () => {
	counted(
		() => LINES,
		(counting) => {
			const seen: (string[] | undefined)[] = [counting.lit];
			while (counting.on) {
				tick();
				seen.push(counting.lit);
			}
			expect(seen).toEqual([[], ["a1"], ["c1"], [], ["b1", "b2"], undefined]);
			expect(counting.done).toBe(4);
		},
	);
});

test("it can be skipped and begins again from nothing", () => {
	counted(
		() => LINES,
		(counting) => {
			tick();
			tick();
			counting.stop();
			flushSync();
			expect([counting.on, counting.lit, vi.getTimerCount()]).toEqual([false, undefined, 0]);
			counting.start();
			flushSync();
			expect([counting.on, counting.done]).toEqual([true, 0]);
		},
	);
});

test("without an answer the result is shown uncounted", () => {
	counted(
		() => undefined,
		(counting) => {
			expect(counting.lit).toEqual([]);
			tick();
			expect(counting.on).toBe(false);
		},
	);
});
