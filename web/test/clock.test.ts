import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { changesIn, clockText, isShort, leftAt, type SeatClock } from "../src/components/clock";

vi.stubGlobal("matchMedia", () => Object.assign(new EventTarget(), { matches: false }));
const { default: Clock } = await import("../src/components/Clock.svelte");

const NOW = 1_800_000_000_000;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

function running(left: number, more: Partial<SeatClock> = {}): SeatClock {
	return { left, running: true, since: NOW, offset: 0, ...more };
}

describe("what a clock shows", () => {
	test.each([
		[0, "0:00.0"],
		[99, "0:00.0"],
		[9_400, "0:09.4"],
		[9_999, "0:09.9"],
		[10_000, "0:10"],
		[4 * MINUTE + 32 * SECOND + 999, "4:32"],
		[HOUR - 1, "59:59"],
		[HOUR, "1h 0m"],
		[5 * HOUR + 12 * MINUTE, "5h 12m"],
		[DAY - 1, "23h 59m"],
		[2 * DAY + 3 * HOUR + 59 * MINUTE, "2d 3h"],
	])("of %i ms is %s", (left, text) => {
		expect(clockText(left, "en")).toBe(text);
	});

	test("is in the words and with the decimal sign of the language", () => {
		expect(clockText(9_400, "de")).toBe("0:09,4");
		const days = ["en", "de", "fr"].map((tag) => clockText(2 * DAY + 3 * HOUR, tag));
		for (const text of days) expect(text).toMatch(/^2\D+3\D+$/);
		expect(new Set(days).size).toBe(3);
	});
});

describe("what is left", () => {
	test("is counted from when the clock began to run, by the server's clock", () => {
		expect(leftAt(running(MINUTE), NOW + 5 * SECOND)).toBe(55 * SECOND);
		expect(leftAt(running(MINUTE, { offset: HOUR }), NOW + HOUR + 5 * SECOND)).toBe(55 * SECOND);
		expect(leftAt(running(MINUTE, { running: false }), NOW + HOUR)).toBe(MINUTE);
	});

	test("is never less than nothing, nor more than there was when a clock was set back", () => {
		expect(leftAt(running(MINUTE), NOW + HOUR)).toBe(0);
		expect(leftAt(running(MINUTE), NOW - HOUR)).toBe(MINUTE);
	});
});

describe("when that changes", () => {
	test.each([
		10_400,
		9_999.5,
		5_000,
		100,
		61_234,
		HOUR,
		HOUR + 1,
		HOUR + 90_000.25,
		DAY,
		DAY + 5,
		3 * DAY + 90 * MINUTE,
	])("%d ms before the end is the first moment with another text", (left) => {
		const clock = running(left);
		const wait = changesIn(clock, NOW);
		expect(wait).not.toBeNull();
		const text = (now: number) => clockText(leftAt(clock, now), "en");
		expect(text(NOW + (wait ?? 0))).not.toBe(text(NOW));
		expect(text(NOW + (wait ?? 0) - 1)).toBe(text(NOW));
	});

	test("steps down to the end through every text once", () => {
		const clock = running(12 * SECOND);
		const texts: string[] = [];
		let now = NOW;
		for (let wait: number | null = 0; wait !== null && texts.length < 200; wait = changesIn(clock, now)) {
			now += wait;
			texts.push(clockText(leftAt(clock, now), "en"));
		}
		expect(texts.length).toBe(3 + 100);
		expect(new Set(texts).size).toBe(texts.length);
		expect(texts.at(-1)).toBe("0:00.0");
	});

	test("is never, if the clock stands or has run out", () => {
		expect(changesIn(running(MINUTE, { running: false }), NOW)).toBeNull();
		expect(changesIn(running(SECOND), NOW + MINUTE)).toBeNull();
	});

	test("waits for a beginning that this machine believes to be in the future", () => {
		expect(changesIn(running(MINUTE, { since: NOW + HOUR }), NOW)).toBe(HOUR + 1);
	});
});

test("time is short below a fifth or ten seconds", () => {
	expect(isShort(9_999, 20_000)).toBe(true);
	expect(isShort(59_000, 300_000)).toBe(true);
	expect(isShort(60_000, 300_000)).toBe(false);
	expect(isShort(10_000, 10_000)).toBe(false);
});

describe("the component", () => {
	let app: Record<string, unknown>;
	const timer = () => document.querySelector<HTMLElement>("[role=timer]");

	function show(props: Partial<SeatClock> & { left: number }): void {
		app = mount(Clock, {
			target: document.body,
			props: { ...running(props.left), had: MINUTE, name: "Anna", ...props },
		});
		flushSync();
	}

	beforeEach(() => {
		vi.useFakeTimers();
		vi.setSystemTime(NOW);
	});

	afterEach(async () => {
		await unmount(app);
		vi.useRealTimers();
	});

	test("counts down by itself, with one timer", () => {
		show({ left: 13 * SECOND });
		expect(timer()?.textContent).toBe("0:13");
		vi.advanceTimersByTime(1);
		flushSync();
		expect(timer()?.textContent).toBe("0:12");
		for (let n = 0; n < 60; n += 1) {
			vi.advanceTimersByTime(100);
			flushSync();
			expect(vi.getTimerCount()).toBe(1);
		}
		expect(timer()?.textContent).toBe("0:06.9");
		vi.advanceTimersByTime(MINUTE);
		flushSync();
	});

	test("ends at nothing, without a timer", () => {
		show({ left: 300 });
		for (let n = 0; n < 5; n += 1) {
			vi.advanceTimersByTime(100);
			flushSync();
		}
		expect(timer()?.textContent).toBe("0:00.0");
		expect(vi.getTimerCount()).toBe(0);
	});

	test("warns when time is short, and only the seat whose clock runs", () => {
		show({ left: 11 * SECOND });
		expect(timer()?.classList.contains("short")).toBe(true);
		unmount(app);
		show({ left: 11 * SECOND, running: false });
		expect(timer()?.classList.contains("short")).toBe(false);
		expect(vi.getTimerCount()).toBe(0);
	});

	test("has a name for screen readers and does not speak by itself", () => {
		show({ left: MINUTE });
		expect(timer()?.getAttribute("aria-label")).toContain("Anna");
		expect(timer()?.getAttribute("aria-live")).toBe("off");
	});
});
