import { beforeEach, expect, test } from "vitest";
import { keepOwn, ownGame, ownGames } from "../src/daily/own";
import type { PuzzleInfo } from "../src/protocol";
import { nextPuzzle, progress } from "../src/puzzles/progress.svelte";

const puzzle = (key: string, difficulty: PuzzleInfo["difficulty"]): PuzzleInfo => ({
	key,
	difficulty,
	rating: 50,
	players: 2,
	sets: ["base"],
	last: false,
});

const PUZZLES = [puzzle("a", "easy"), puzzle("b", "easy"), puzzle("c", "medium"), puzzle("d", "medium")];

beforeEach(() => {
	localStorage.clear();
	progress.marks = {};
});

test("the next puzzle is of the same difficulty, after this one, then from the beginning", () => {
	expect(nextPuzzle(PUZZLES, {}, "easy")?.key).toBe("a");
	expect(nextPuzzle(PUZZLES, {}, "medium")?.key).toBe("c");
	expect(nextPuzzle(PUZZLES, { a: "solved" }, "easy", "a")?.key).toBe("b");
	expect(nextPuzzle(PUZZLES, { b: "shown" }, "easy", "b")?.key).toBe("a");
});

test("when all of a difficulty are done, others come; when all are done, none", () => {
	expect(nextPuzzle(PUZZLES, { a: "solved", b: "shown" }, "easy", "b")?.key).toBe("c");
	expect(nextPuzzle(PUZZLES, { a: "solved", b: "solved", c: "solved", d: "shown" }, "hard")).toBeUndefined();
});

test("the first mark of a puzzle stays: whoever has seen the answer has not solved it", () => {
	progress.mark("a", "shown");
	progress.mark("a", "solved");
	progress.mark("b", "solved");
	expect(progress.marks).toEqual({ a: "shown", b: "solved" });
	expect(JSON.parse(localStorage.getItem("kb-puzzles") ?? "")).toEqual({ a: "shown", b: "solved" });
});

test("the most gold of a date is kept, with the latest table, for 60 dates", () => {
	keepOwn("2026-11-18", "one");
	expect(ownGame("2026-11-18")).toEqual({ date: "2026-11-18", table: "one", best: null });
	keepOwn("2026-11-18", "one", 40);
	keepOwn("2026-11-18", "two");
	keepOwn("2026-11-18", "two", 30);
	expect(ownGame("2026-11-18")).toEqual({ date: "2026-11-18", table: "two", best: 40 });
	for (let n = 100; n < 180; n++) keepOwn(`2027-${n}`, "t");
	expect(ownGames()).toHaveLength(60);
	expect(ownGames()[0]?.date).toBe("2027-179");
});

test("what somebody else wrote into the browser is not believed", () => {
	localStorage.setItem("kb-daily", '{"x": 1}');
	expect(ownGames()).toEqual([]);
	localStorage.setItem("kb-daily", '[1, {"date": 2}, {"date": "2026-11-18", "table": "t", "best": 3}]');
	expect(ownGames()).toHaveLength(1);
});
