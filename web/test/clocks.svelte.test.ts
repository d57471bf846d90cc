import { flushSync } from "svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Countdown } from "../src/components/countdown.svelte";
import type { Socket } from "../src/net/connection";
import type { AnyMessage, ClockView, SeatView, SetupView, TableView, View } from "../src/protocol";
import type { Absences } from "../src/table/absences.svelte";
import { Clocks } from "../src/table/clocks.svelte";
import { Company } from "../src/table/company.svelte";
import { TableState } from "../src/table/table.svelte";
import { TimeWarning } from "../src/table/timeWarning.svelte";
import { titleOf } from "../src/table/titles";
import { clockView, seatView, tableView } from "./messages";

const played = vi.hoisted(() => vi.fn());
vi.mock("../src/game/sound", () => ({ play: played }));

const NOW = 1_800_000_000_000;

beforeEach(() => {
	vi.useFakeTimers({ now: NOW });
	played.mockReset();
});

afterEach(() => vi.useRealTimers());

describe("the clocks of a table", () => {
	test("are those of the newest message, and none without clocks", () => {
		const clocks = new Clocks();
		expect(clocks.of(0)).toBeUndefined();
		clocks.take(clockView({ now: NOW, since: NOW - 1000, left: [60_000, 90_000] }));
		expect(clocks.of(0)).toEqual({ left: 60_000, running: true, since: NOW - 1000, offset: 0, had: 300_000 });
		expect(clocks.of(1)?.running).toBe(false);
		expect(clocks.running).toMatchObject({ seat: 0, left: 60_000 });
		clocks.take(clockView({ running: null, stops: ["paused"] }));
		expect(clocks.running).toBeUndefined();
		expect(clocks.isPaused).toBe(true);
		clocks.take(null);
		expect(clocks.of(0)).toBeUndefined();
		expect(clocks.isPaused).toBe(false);
	});

	test("trust the message that was fastest about the server's time", () => {
		const clocks = new Clocks();
		for (const delay of [900, 40, 2500]) clocks.take(clockView({ now: NOW }), NOW + 7000 + delay);
		expect(clocks.offset).toBe(7040);
	});

	test("get over a clock of this machine that was put right", () => {
		const clocks = new Clocks();
		clocks.take(clockView({ now: NOW }), NOW - 60_000);
		for (let i = 0; i < 8; i++) clocks.take(clockView({ now: NOW }), NOW + 30);
		expect(clocks.offset).toBe(30);
	});
});

test("a countdown goes with the time, and with what the server says", () => {
	const clocks = new Clocks();
	clocks.take(clockView({ now: NOW, since: NOW, left: [60_000, 60_000] }));
	let counted: Countdown | undefined;
	const stop = $effect.root(() => {
		counted = new Countdown(() => clocks.running);
	});
	flushSync();
	expect(counted?.left).toBe(60_000);
	for (let i = 0; i < 25; i++) {
		vi.advanceTimersByTime(100);
		flushSync();
	}
	expect(Math.floor((counted?.left ?? 0) / 1000)).toBe(57);
	clocks.take(clockView({ now: Date.now(), since: Date.now(), left: [9_000, 60_000] }));
	flushSync();
	expect(counted?.left).toBe(9_000);
	clocks.take(null);
	flushSync();
	expect(counted?.left).toBeUndefined();
	expect(vi.getTimerCount()).toBe(0);
	stop();
});

class FakeSocket implements Socket {
	onopen: (() => void) | null = null;
	onmessage: ((event: { data: string }) => void) | null = null;
	onclose: ((event: { code: number }) => void) | null = null;
	send(): void {}
	close(): void {}

	say(message: AnyMessage): void {
		this.onmessage?.({ data: JSON.stringify(message) });
		flushSync();
	}
}

describe("at a table", () => {
	let socket: FakeSocket;
	let table: TableState;
	let warning: TimeWarning;
	let company: Company;
	let absences: Absences;
	let stop: () => void;

	const view = (more: Partial<View> = {}) => ({ ply: 2, player: 0, round: 1, over: false, legal: [], ...more }) as View;

	function welcome(seen: Partial<TableView>, clock: ClockView | null, more: Partial<View> = {}): void {
		const said = { protocol: 5, version: 4, setup: {} as SetupView, lines: [], chat: [], clock };
		socket.say({ type: "welcome", ...said, table: tableView({ yours: [0], ...seen }), view: view(more) });
	}

	function people(seats: SeatView[], clock: ClockView | null = null): void {
		socket.say({ type: "table", version: 5, table: tableView({ yours: [0], seats }), clock });
	}

	function pass(milliseconds: number): void {
		vi.advanceTimersByTime(milliseconds);
		flushSync();
	}

	beforeEach(() => {
		socket = new FakeSocket();
		stop = $effect.root(() => {
			table = new TableState("t", [], () => undefined, { open: () => socket, silence: 1e9 });
			warning = new TimeWarning(table);
			company = new Company(table);
			absences = company.absences;
		});
		table.start();
		socket.onopen?.();
	});

	afterEach(() => {
		table.close();
		stop();
	});

	describe("the warning that time is nearly up", () => {
		const short = (more: Partial<ClockView> = {}) =>
			clockView({ now: Date.now(), since: Date.now(), left: [14_000, 60_000], ...more });

		test("comes once in an own turn, ten seconds before its end", () => {
			welcome({}, short());
			pass(3_900);
			expect(warning.words).toBe("");
			pass(200);
			expect(warning.words).toBe("Your time is nearly up.");
			expect(played.mock.calls).toEqual([["hurry"]]);
			socket.say({
				type: "update",
				version: 5,
				since: 2,
				lines: [],
				view: view({ ply: 3 }),
				clock: short({ left: [9000, 1] }),
			});
			pass(5_000);
			expect(played).toHaveBeenCalledOnce();
		});

		test("is gone with the turn, and comes again in the next one", () => {
			welcome({}, short({ left: [9_000, 60_000] }));
			pass(1);
			expect(played).toHaveBeenCalledOnce();
			const theirs = short({ running: 1 });
			socket.say({ type: "update", version: 5, since: 2, lines: [], view: view({ player: 1 }), clock: theirs });
			expect(warning.words).toBe("");
			const again = short({ left: [8_000, 60_000] });
			socket.say({ type: "update", version: 6, since: 2, lines: [], view: view({ round: 2 }), clock: again });
			pass(1);
			expect(played).toHaveBeenCalledTimes(2);
		});

		test.each([
			["in a game of days", { yours: [0] }, { kind: "days" as const }],
			["in the turn of somebody else", { yours: [1] }, {}],
			["while nobody's clock runs", { yours: [0] }, { running: null }],
		])("does not come %s", (_, seen, clock) => {
			welcome(seen, short(clock));
			pass(60_000);
			expect(played).not.toHaveBeenCalled();
			expect(warning.words).toBe("");
		});
	});

	describe("somebody who is away", () => {
		const here = seatView({ name: "Ann" });
		const ben = (more: Partial<SeatView> = {}) => seatView({ name: "Ben", connected: false, ...more });

		test("is mentioned only if that lasts", () => {
			welcome({ seats: [here, seatView({ name: "Ben" })] }, clockView({ now: NOW }));
			people([here, ben({ away: NOW + 30_000 })], clockView({ now: NOW }));
			pass(4_000);
			expect(absences.list).toEqual([]);
			expect(absences.isNoticed(1)).toBe(false);
			people([here, seatView({ name: "Ben" })], clockView({ now: Date.now() }));
			pass(10_000);
			expect(absences.list).toEqual([]);
			expect(vi.getTimerCount()).toBe(1); // only the connection waits for a sign of life
		});

		test("may be replaced after the time that the server says, by its clock", () => {
			welcome({ seats: [here, seatView({ name: "Ben" })] }, clockView({ now: NOW - 3000 }));
			people([here, ben({ away: NOW - 3000 + 30_000 })], clockView({ now: NOW - 3000 }));
			pass(6_000);
			expect(absences.list).toEqual([{ seat: 1, isHere: false, wait: 24_000, wanting: [], needed: 1 }]);
			expect(absences.isNoticed(1)).toBe(true);
			pass(25_000);
			expect(absences.list[0]?.wait).toBe(0);
		});

		test("is mentioned at once to those who come later", () => {
			welcome({ seats: [here, ben({ away: NOW - 1 })] }, null);
			expect(absences.list).toMatchObject([{ seat: 1, wait: 0 }]);
		});

		test("keeps nobody waiting for ever whose machine has another time, where there is no clock", () => {
			welcome({ seats: [here, seatView({ name: "Ben" })] }, null);
			people([here, ben({ away: NOW + 3_600_000 })]);
			pass(121_000);
			expect(absences.list[0]?.wait).toBe(0);
		});

		test("is outvoted by most of those who are here", () => {
			const cleo = seatView({ name: "Cleo" });
			welcome({ seats: [here, ben({ away: NOW, replaced_by: [2] }), cleo, seatView({ kind: "bot" })] }, null);
			expect(absences.list).toMatchObject([{ seat: 1, wanting: [2], needed: 2 }]);
		});

		test("is of no interest after the end", () => {
			welcome({ seats: [here, ben({ away: NOW })] }, null, { over: true });
			expect(absences.list).toEqual([]);
		});
	});

	describe("a free seat", () => {
		const [ann, ben] = [seatView({ name: "Ann" }), seatView({ name: "Ben" })];
		const free = (away: number | null) => seatView({ kind: "open", connected: false, away });

		test("goes to a bot after the time that the server says, and nobody is away there", () => {
			welcome({ seats: [ann, free(NOW + 3_000)] }, clockView({ now: NOW }));
			expect(absences.free).toEqual([{ seat: 1, isHere: false, wait: 3_000, wanting: [], needed: 1 }]);
			expect([absences.list, company.absent]).toEqual([[], []]);
			pass(4_000);
			expect(company.free[0]?.wait).toBe(0);
		});

		test("waits anew when somebody else sits down", () => {
			welcome({ seats: [ann, free(NOW + 120_000), free(NOW + 120_000)] }, null);
			pass(100_000);
			people([ann, ben, free(NOW + 220_000)]);
			pass(30_000);
			expect(absences.free).toMatchObject([{ seat: 2, wait: 90_000, needed: 2 }]);
		});

		test("is none of the business of those who look on, nor after the end", () => {
			welcome({ seats: [ann, free(NOW)], yours: [] }, null);
			expect(company.free).toEqual([]);
			welcome({ seats: [ann, free(NOW)] }, null, { over: true });
			expect(company.free).toEqual([]);
		});
	});

	describe("what concerns the others", () => {
		const [ann, ben, bot] = [seatView({ name: "Ann" }), seatView({ name: "Ben" }), seatView({ kind: "bot" })];
		const gone = seatView({ connected: false, away: NOW });
		const free = seatView({ kind: "open", connected: false });
		const running = () => clockView({ now: Date.now() });

		test("is nothing in a game against bots, or among people who share a page", () => {
			welcome({ seats: [ann, bot] }, running());
			expect(company.isPlaying).toBe(false);
			welcome({ seats: [ann, ben], yours: [0, 1] }, running());
			expect(company.isPlaying).toBe(false);
			expect(company.hasNews).toBe(false);
		});

		test("is a pause where clocks run, once all are here", () => {
			welcome({ seats: [ann, ben] }, running());
			expect(company.canPause).toBe(true);
			welcome({ seats: [ann, ben] }, null);
			expect(company.canPause).toBe(false);
			welcome({ seats: [ann, ben, free] }, running());
			expect(company.canPause).toBe(false);
			expect(company.isWaiting).toBe(true);
			welcome({ seats: [ann, ben], consents: { pause: [1] } }, running());
			expect(company.canPause).toBe(false);
			expect(company.hasNews).toBe(true);
			welcome({ seats: [ann, ben] }, clockView({ now: NOW, running: null, stops: ["paused"] }));
			expect([company.canPause, company.isPausing]).toEqual([false, true]);
		});

		test("is somebody who is away, in haste only where clocks run", () => {
			welcome({ seats: [ann, gone] }, running());
			expect([company.absent.length, company.hurried.length]).toEqual([1, 1]);
			welcome({ seats: [ann, gone] }, null);
			expect([company.absent.length, company.hurried.length]).toEqual([1, 0]);
			expect(company.hasNews).toBe(false);
		});

		test("is none of the business of those who look on, but they may take a free seat", () => {
			welcome({ seats: [ann, gone, free], yours: [], free: [2] }, running());
			expect(company.absent).toEqual([]);
			expect(company.canChoose).toBe(true);
			welcome({ seats: [ann, gone, free], yours: [0], free: [2] }, running());
			expect(company.canChoose).toBe(false);
		});

		test("is over with the game", () => {
			welcome({ seats: [ann, gone, free] }, running(), { over: true });
			expect([company.isPlaying, company.isWaiting, company.hasNews]).toEqual([false, false, false]);
		});
	});

	test("somebody whose time is up is mentioned although they are here", () => {
		welcome({ seats: [seatView(), seatView({ away: NOW - 1 })] }, clockView({ now: NOW, left: [60_000, 0] }));
		expect(absences.list).toMatchObject([{ seat: 1, isHere: true, wait: 0 }]);
	});

	test("the title says how much time an own turn has left", () => {
		welcome({ seats: [seatView({ name: "Ann" })] }, null);
		expect(titleOf(table)).toBe("Your turn - Kingdom Builder");
		expect(titleOf(table, 45_900)).toBe("0:45 - Your turn - Kingdom Builder");
		welcome({ yours: [], seats: [seatView({ name: "Ann" })] }, null);
		expect(titleOf(table, 45_900)).toBe("Ann to play - Kingdom Builder");
	});
});
