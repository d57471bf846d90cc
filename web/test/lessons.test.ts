import { beforeEach, describe, expect, test } from "vitest";
import { stepsNow, stepToShow } from "../src/lessons/guide";
import { bookmark, dropBookmark, isDone, keepBookmark, markDone } from "../src/lessons/shelf";
import { lessonText } from "../src/lessons/texts";
import type { StepInfo } from "../src/protocol";

const KINDS = { r: "read", p: "play", u: "undo", w: "wait" } as const;

/** Steps from letters, such as `rp` for one to read and one to play; their keys are their numbers. */
function steps(letters: string): StepInfo[] {
	return [...letters].map((letter, n) => ({
		key: String(n),
		kind: KINDS[letter as keyof typeof KINDS],
		point: "",
		hexes: [],
		card: "",
	}));
}

describe("the steps that can be shown", () => {
	const all = steps("rrprrpurwrr");

	test.each([
		[2, [0, 2]],
		[5, [3, 5]],
		[6, [6, 6]],
		[8, [7, 8]],
		[11, [9, 10]],
	])("are those from the last deed to the next: %i", (step, range) => {
		expect(stepsNow(all, { step, begun: false })).toEqual(range);
	});

	test("are not those to be read before a deed that is half done", () => {
		expect(stepsNow(all, { step: 5, begun: true })).toEqual([5, 5]);
	});

	test("begin with the first, go on where somebody was, and end with the deed", () => {
		expect(stepToShow(all, { step: 2, begun: false }, undefined)).toBe(0);
		expect(stepToShow(all, { step: 2, begun: false }, "1")).toBe(1);
		expect(stepToShow(all, { step: 2, begun: false }, "gone")).toBe(0);
		expect(stepToShow(all, { step: 5, begun: false }, "2")).toBe(3);
		expect(stepToShow(all, { step: 5, begun: true }, "3")).toBe(5);
	});

	test("are not read again by somebody who has taken a move back", () => {
		expect(stepToShow(all, { step: 2, begun: false }, "3")).toBe(2);
		expect(stepToShow(all, { step: 5, begun: false }, "6")).toBe(5);
	});

	test("are never others than those that can be shown", () => {
		for (const step of [2, 5, 6, 8, 11])
			for (const begun of [false, true])
				for (const { key } of all) {
					const [first, last] = stepsNow(all, { step, begun });
					const shown = stepToShow(all, { step, begun }, key);
					expect(shown).toBeGreaterThanOrEqual(first);
					expect(shown).toBeLessThanOrEqual(last);
				}
	});
});

describe("the shelf of lessons", () => {
	beforeEach(() => localStorage.clear());

	test("keeps where somebody is, and what is done", () => {
		expect(bookmark("a")).toBeUndefined();
		keepBookmark("a", { table: "t", step: "s" });
		keepBookmark("b", { table: "u", step: "" });
		markDone("b");
		markDone("b");
		expect(bookmark("a")).toEqual({ table: "t", step: "s" });
		expect([isDone("a"), isDone("b")]).toEqual([false, true]);
		dropBookmark("b");
		expect([bookmark("b"), isDone("b"), bookmark("a")?.step]).toEqual([undefined, true, "s"]);
	});

	test.each(["not json", "[]", "null", '{"done":3,"at":{"a":{"table":1}}}', '{"at":[]}'])("bears %s", (text) => {
		localStorage.setItem("kb-lessons", text);
		expect([isDone("a"), bookmark("a")]).toEqual([false, undefined]);
		markDone("a");
		expect(isDone("a")).toBe(true);
	});
});

test("a lesson that this page does not know has no words", () => {
	expect(lessonText("of the future", "title")).toBe("");
	expect(lessonText("tutorial", "title")).not.toBe("");
});
