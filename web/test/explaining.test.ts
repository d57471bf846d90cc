import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type About, Explaining } from "../src/game/explaining.svelte";
import type { ExplanationView } from "../src/protocol";

const anchor = () => ({ x: 0, y: 0, width: 1, height: 1 });

function thing(key: string): ExplanationView {
	return { kind: "component", key, lines: [], rule: key };
}

function explaining(): { ask: ReturnType<typeof vi.fn>; it: Explaining } {
	const ask = vi.fn(async ({ hex, key }: About) => [thing(key ?? `at-${hex}`)]);
	return { ask, it: new Explaining(ask) };
}

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
});

test("only a mouse that rests opens a card, and it goes some time after the mouse", async () => {
	const { ask, it } = explaining();
	it.point({ hex: "a1" }, anchor);
	await vi.advanceTimersByTimeAsync(200);
	it.leave();
	await vi.advanceTimersByTimeAsync(2000);
	expect(ask).not.toHaveBeenCalled();
	it.point({ hex: "a1" }, anchor);
	await vi.advanceTimersByTimeAsync(1000);
	expect(it.shown?.things).toEqual([thing("at-a1")]);
	it.leave();
	it.stay();
	await vi.advanceTimersByTimeAsync(2000);
	expect(it.shown).toBeDefined();
	it.leave();
	await vi.advanceTimersByTimeAsync(2000);
	expect(it.shown).toBeUndefined();
});

test("a card that was asked for stays while the mouse wanders", async () => {
	const { it } = explaining();
	await it.show({ hex: "a1" }, anchor, "pressed");
	it.point({ hex: "b2" }, anchor);
	it.leave();
	await vi.advanceTimersByTimeAsync(5000);
	expect(it.shown?.about.hex).toBe("a1");
	expect(it.close()).toBe(true);
	expect(it.close()).toBe(false);
});

test("an answer that comes too late is not shown", async () => {
	const { it } = explaining();
	const shown = it.show({ hex: "a1" }, anchor, "pressed");
	it.close();
	await shown;
	expect(it.shown).toBeUndefined();
	const first = it.show({ hex: "a1" }, anchor, "pressed");
	await it.show({ hex: "b2" }, anchor, "pressed");
	await first;
	expect(it.shown?.about.hex).toBe("b2");
});

test("what a component is, is shown also without an answer", async () => {
	const it = new Explaining(() => Promise.reject(new Error("offline")));
	await it.show({ key: "x" }, anchor, "pressed");
	expect(it.shown?.things).toEqual([thing("x")]);
	it.close();
	await it.show({ hex: "a1" }, anchor, "pressed");
	expect(it.shown).toBeUndefined();
	await it.show({ hex: "a1" }, anchor, "pressed", "No.");
	expect(it.shown).toMatchObject({ reason: "No.", things: [] });
});

test("a bare reason goes by itself, and with the next position", async () => {
	const { ask, it } = explaining();
	it.refuse("a1", anchor, "No.");
	await vi.advanceTimersByTimeAsync(60_000);
	expect(it.shown).toBeUndefined();
	it.refuse("a1", anchor, "No.");
	await it.refresh();
	expect(it.shown).toBeUndefined();
	await it.show({ hex: "a1" }, anchor, "pressed", "No.");
	ask.mockClear();
	await it.refresh();
	expect(ask).toHaveBeenCalledOnce();
	expect(it.shown).toMatchObject({ about: { hex: "a1" }, reason: "" });
});
