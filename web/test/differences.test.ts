import { describe, expect, test } from "vitest";
import { apply, Held } from "../src/net/differences";
import type { Difference, Edit, LogLine, View, Welcome } from "../src/protocol";
import made from "./differences.json";
import { clockView } from "./messages";

/** What tools/make_differences.py has made. */
interface Vectors {
	values: [unknown, Edit, unknown][];
	views: View[];
	sentViews: Edit[];
	lines: LogLine[];
	sentLines: NonNullable<Difference["lines"]>;
}

const vectors = made as unknown as Vectors;

/** With the order of keys, which says how pieces are drawn. */
const text = JSON.stringify;

describe("a difference", () => {
	test.each(vectors.values)("leads from %j by %j to %j", (old, edit, value) => {
		const before = text(old);
		expect(text(apply(old, edit))).toBe(text(value));
		expect(text(old)).toBe(before);
	});

	test("leads from each view of a game to the next", () => {
		let view: unknown = vectors.views[0];
		for (const [i, edit] of vectors.sentViews.entries()) {
			view = apply(view, edit);
			expect(text(view)).toBe(text(vectors.views[i + 1]));
		}
		expect(vectors.sentViews.length).toBeGreaterThan(20);
	});

	test("leaves what has not changed as it is", () => {
		const old = { a: [1], b: [2] };
		expect((apply(old, [1, [0, 3]]) as typeof old).a).toBe(old.a);
	});
});

describe("what is held", () => {
	const [view, next] = vectors.views as [View, View];
	const [edit] = vectors.sentViews as [Edit];

	function held(lines: LogLine[] = [], clock: Welcome["clock"] = null): Held {
		const made = new Held();
		made.take({
			type: "welcome",
			protocol: 5,
			version: 4,
			table: {},
			setup: {},
			view,
			lines,
			chat: [],
			clock,
		} as never);
		return made;
	}

	test("becomes an update", () => {
		const update = held(vectors.lines.slice(0, 3)).updated({ type: "difference", version: 5, view: edit });
		expect(update).toEqual({ type: "update", version: 5, since: 3, lines: [], view: next, clock: null });
	});

	test("has the lines that others are like", () => {
		const { lines } = held().updated({ type: "difference", version: 5, view: [], lines: vectors.sentLines });
		expect(lines).toEqual(vectors.lines);
		expect(vectors.sentLines.filter(Array.isArray).length).toBeGreaterThan(50);
	});

	test("loses lines that were taken back", () => {
		const some = held(vectors.lines.slice(0, 10));
		const update = some.updated({ type: "difference", version: 7, spans: 3, view: [], since: 4 });
		expect(update.since).toBe(4);
		some.take(update);
		const again = some.updated({ type: "difference", version: 8, view: [], lines: vectors.sentLines.slice(4, 6) });
		expect(again.lines).toEqual(vectors.lines.slice(4, 6));
	});

	test("has the clocks, and is told the time of day", () => {
		const update = held([], clockView()).updated({ type: "difference", version: 5, view: [], clock: [5, 1], now: 9 });
		expect(update.clock).toEqual(clockView({ running: 1, now: 9 }));
	});

	test("is what a difference was made for, or nothing comes of it", () => {
		expect(() => held().updated({ type: "difference", version: 6, view: edit })).toThrow();
		expect(() => new Held().updated({ type: "difference", version: 1, view: edit })).toThrow();
		const unknown: Difference = { type: "difference", version: 5, view: [], lines: [[3, "a1", []]] };
		expect(() => held().updated(unknown)).toThrow();
	});
});
