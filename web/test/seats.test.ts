import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { catalogue } from "../src/net/catalogue.svelte";
import { remember } from "../src/net/keyring";
import type { Catalogue, SeatView, TableView, View } from "../src/protocol";
import type { Absence as Vacancy } from "../src/table/absences.svelte";
import { askedFor } from "../src/table/wishes";
import { seatView, tableView } from "./messages";

vi.stubGlobal("matchMedia", () => Object.assign(new EventTarget(), { matches: false }));
const { default: Absence } = await import("../src/table/Absence.svelte");
const { default: Arrivals } = await import("../src/table/Arrivals.svelte");
const { default: GameEnd } = await import("../src/table/GameEnd.svelte");
const { default: GameMenu } = await import("../src/table/GameMenu.svelte");
const { default: Pause } = await import("../src/table/Pause.svelte");
const { default: SitDialog } = await import("../src/table/SitDialog.svelte");

const [ann, ben, cleo] = ["Ann", "Ben", "Cleo"].map((name, colour) => seatView({ name, colour }));
const free = (colour: number): SeatView => seatView({ kind: "open", connected: false, colour });

let app: Record<string, unknown> | undefined;

function find(testid: string): HTMLElement | null {
	return document.querySelector(`[data-testid=${testid}]`);
}

function press(testid: string): void {
	find(testid)?.click();
	flushSync();
}

function words(): string {
	return document.body.textContent?.replace(/\s+/g, " ") ?? "";
}

function table(seats: (SeatView | undefined)[], more: Partial<TableView> = {}): TableView {
	return tableView({ seats: seats.flatMap((seat) => seat ?? []), yours: [0], ...more });
}

beforeEach(() => {
	localStorage.clear();
	catalogue.value = { levels: [], components: [], colours: ["", "", "", "", ""] } as unknown as Catalogue;
	HTMLDialogElement.prototype.showModal = function (this: HTMLDialogElement) {
		this.setAttribute("open", "");
	};
	HTMLDialogElement.prototype.close = function (this: HTMLDialogElement) {
		this.removeAttribute("open");
	};
});

afterEach(() => {
	if (app) unmount(app);
	app = undefined;
});

describe("what all players have to want", () => {
	const four = [ann, ben, cleo, seatView({ kind: "bot" })];

	test("is missing the people who have not said so, not the bots", () => {
		const seen = table(four, { consents: { pause: [1] } });
		expect(askedFor(seen, "pause")).toEqual({ isMine: false, others: [1], missing: [0, 2] });
		expect(askedFor(seen, "rematch")).toEqual({ isMine: false, others: [], missing: [0, 1, 2] });
	});

	test("is mine once all seats here want it; who looks on wants nothing", () => {
		const seen = table(four, { consents: { pause: [0, 1] } });
		expect(askedFor(seen, "pause").isMine).toBe(true);
		expect(askedFor({ ...seen, yours: [0, 2] }, "pause").isMine).toBe(false);
		expect(askedFor({ ...seen, yours: [] }, "pause").isMine).toBe(false);
	});
});

describe("a pause", () => {
	const onwant = vi.fn();

	function show(
		paused: boolean,
		consents: TableView["consents"],
		yours = [0],
		resumable: number | null = null,
		offset = 0,
	): void {
		onwant.mockReset();
		app = mount(Pause, {
			target: document.body,
			props: { table: table([ann, ben], { consents, yours, resumable }), paused, offset, onwant },
		});
		flushSync();
	}

	test("that somebody wants can be agreed to", () => {
		show(false, { pause: [1] });
		expect(words()).toContain("Ben asks for a pause.");
		press("pause-agree");
		expect(onwant).toHaveBeenCalledExactlyOnceWith("pause", true);
	});

	test("that one wants oneself waits for the others, and can be taken back", () => {
		show(false, { pause: [0] });
		expect(words()).toContain("It begins once Ben agrees.");
		press("pause-back");
		expect(onwant).toHaveBeenCalledExactlyOnceWith("pause", false);
	});

	test("ends in the same way", () => {
		show(true, { resume: [1] });
		expect(words()).toContain("Paused.");
		expect(words()).toContain("Ben wants to go on.");
		press("resume-agree");
		expect(onwant).toHaveBeenCalledExactlyOnceWith("resume", true);
	});

	test("says from when on one player can end it, by the clock of this machine, and then lets them", () => {
		vi.useFakeTimers({ now: new Date(2026, 2, 3, 14, 0) });
		try {
			const at = new Date(2026, 2, 3, 14, 5).getTime();
			show(true, { resume: [0] }, [0], at - 60_000, 60_000); // the server's clock is a minute behind
			expect(words()).toContain("It goes on once Ben agrees.");
			expect(find("resume-from")?.textContent).toBe("From 14:05 on, one player alone can go on.");
			expect(find("resume-agree")).toBeNull();
			vi.advanceTimersByTime(299_000);
			flushSync();
			expect(find("resume-agree")).toBeNull();
			vi.advanceTimersByTime(1000);
			flushSync();
			expect(words()).toContain("The pause has lasted so long that one player alone can go on.");
			expect(words()).not.toContain("Ben agrees");
			expect(find("resume-from")).toBeNull();
			press("resume-agree"); // also whoever has asked before
			expect(onwant).toHaveBeenCalledExactlyOnceWith("resume", true);
			expect(vi.getTimerCount()).toBe(0);
		} finally {
			vi.useRealTimers();
		}
	});

	test("of days says on which one", () => {
		show(true, {}, [0], new Date(2099, 2, 10, 14, 5).getTime());
		expect(find("resume-from")?.textContent).toContain("10 Mar 2099, 14:05");
	});

	test("that is only wanted has no such moment", () => {
		show(false, { pause: [1] }, [0], 1);
		expect(words()).not.toContain("alone");
		expect(find("pause-agree")).not.toBeNull();
	});

	test("is only told to those who look on", () => {
		show(true, {}, []);
		expect(words()).toContain("Paused.");
		expect(document.querySelector("button")).toBeNull();
	});
});

describe("those who wait for somebody", () => {
	const calls = { onreplace: vi.fn(), onclaim: vi.fn() };
	const absence = { seat: 1, isHere: false, wait: 0, wanting: [] as number[], needed: 1 };

	function show(more: Partial<typeof absence>, seats = [ann, ben], yours = [0]): void {
		for (const call of Object.values(calls)) call.mockReset();
		const props = { absences: [{ ...absence, ...more }], table: table(seats, { yours }), ...calls };
		app = mount(Absence, { target: document.body, props });
		flushSync();
	}

	test("see how long they still have to wait", () => {
		show({ wait: 12_300 });
		expect(words()).toContain("You can go on without them in 13 seconds.");
		expect(document.querySelector("button")).toBeNull();
		expect(document.querySelector("[role=status]")?.textContent).not.toMatch(/\d/);
	});

	test("let a bot play on, or claim a game of two", () => {
		show({});
		press("replace-1");
		expect(calls.onreplace).toHaveBeenCalledExactlyOnceWith(1);
		press("claim");
		expect(calls.onclaim).toHaveBeenCalledOnce();
	});

	test("vote among more than two, once", () => {
		show({ wanting: [2], needed: 2 }, [ann, ben, cleo]);
		expect(words()).toContain("1 of 2 wants a bot to play on.");
		expect(find("claim")).toBeNull();
		expect(find("replace-1")).not.toBeNull();
		if (app) unmount(app);
		show({ wanting: [0], needed: 2 }, [ann, ben, cleo]);
		expect(find("replace-1")).toBeNull();
	});

	test("know if only the time is up, and so does whoever ran out of it", () => {
		show({ isHere: true });
		expect(words()).toContain("The time of Ben is up.");
		expect(find("replace-1")).not.toBeNull();
		if (app) unmount(app);
		show({ isHere: true }, [ann, ben], [1]);
		expect(words()).toContain("Your time is up.");
		expect(document.querySelector("button")).toBeNull();
	});
});

describe("choosing a seat", () => {
	const onsit = vi.fn();

	function show(seats: (SeatView | undefined)[], from: number[]): void {
		onsit.mockReset().mockResolvedValue(true);
		const props = { open: true, seats: table(seats).seats, free: from, refusal: "", onsit };
		app = mount(SitDialog, { target: document.body, props });
		flushSync();
	}

	function type(testid: string, text: string): void {
		const field = find(testid) as HTMLInputElement;
		field.value = text;
		field.dispatchEvent(new Event("input", { bubbles: true }));
	}

	function submit(): void {
		document.querySelector("form")?.dispatchEvent(new SubmitEvent("submit", { bubbles: true, cancelable: true }));
	}

	test("offers the free seats only, the first one before all others", async () => {
		show([ann, free(1), free(2)], [1, 2]);
		expect((find("sit-0") as HTMLInputElement).disabled).toBe(true);
		expect((find("sit-1") as HTMLInputElement).checked).toBe(true);
		press("sit-2");
		type("sit-name", "  Dora ");
		submit();
		expect(onsit).toHaveBeenCalledExactlyOnceWith(2, "Dora", 2);
	});

	test("keeps the chosen colour, unless somebody has it", () => {
		show([ann, free(1), free(2)], [1, 2]);
		expect((find("join-colour-0") as HTMLInputElement).disabled).toBe(true);
		press("join-colour-4");
		submit();
		expect(onsit).toHaveBeenCalledExactlyOnceWith(1, expect.any(String), 4);
	});

	test("says if others were faster", () => {
		show([ann, ben], []);
		expect(words()).toContain("all seats are taken now");
		expect(find("sit")).toBeNull();
		expect(find("look-on")).not.toBeNull();
	});
});

describe("while seats are free", () => {
	const onreplace = vi.fn();

	function show(more: Partial<TableView>, onchoose?: () => void, vacant: Vacancy[] = []): void {
		const seen = table([ann, free(1), free(2)], more);
		const props = { table: seen, timed: true, free: vacant, onchoose, onreplace };
		app = mount(Arrivals, { target: document.body, props });
		flushSync();
	}

	test("it is told how many have come, and who is missing", () => {
		show({});
		expect(words()).toContain("1 of 3 is here");
		expect(words()).toContain("Ann: here");
		expect(words()).toContain("Player B: still missing");
		expect(find("copy-table-link")).toBeNull();
		expect(find("choose-seat")).toBeNull();
	});

	test("those who have the table's link can pass it on", () => {
		remember("t", { invite: "t.secret" });
		show({});
		expect(find("copy-table-link")).not.toBeNull();
	});

	test("everybody can pass on the address of an open table, and those without a seat choose one", () => {
		const onchoose = vi.fn();
		show({ open: true, yours: [] }, onchoose);
		expect(find("copy-table-link")).not.toBeNull();
		press("choose-seat");
		expect(onchoose).toHaveBeenCalledOnce();
	});

	test("those who play give a free seat to a bot once nobody has come for a while", () => {
		const vacancy = (seat: number, wait: number, wanting: number[] = []): Vacancy => ({
			seat,
			isHere: false,
			wait,
			wanting,
			needed: 2,
		});
		show({}, undefined, [vacancy(1, 3000), vacancy(2, 3000)]);
		expect(find("replace-1")).toBeNull();
		if (app) unmount(app);
		show({}, undefined, [vacancy(1, 0, [0]), vacancy(2, 0)]);
		expect(words()).toContain("1 of 2 wants a bot at the free seat.");
		expect(find("replace-1")).toBeNull();
		press("replace-2");
		expect(onreplace).toHaveBeenCalledExactlyOnceWith(2);
	});
});

describe("giving up", () => {
	const ongiveup = vi.fn();

	const away = { absences: [], onreplace: vi.fn(), onclaim: vi.fn() };

	function show(seats: (SeatView | undefined)[], rated: boolean): void {
		ongiveup.mockReset();
		app = mount(GameMenu, {
			target: document.body,
			props: { open: true, days: false, table: table(seats, { rated }), ...away, ongiveup },
		});
		flushSync();
		press("give-up");
	}

	test("says who wins, and does it only then", () => {
		show([ann, ben], true);
		expect(words()).toContain("Ben wins at once");
		expect(words()).toContain("counts as a game that you left");
		expect(ongiveup).not.toHaveBeenCalled();
		press("give-up-sure");
		expect(ongiveup).toHaveBeenCalledOnce();
	});

	test("says that a bot plays on among more than two", () => {
		show([ann, ben, cleo], false);
		expect(words()).toContain("a bot plays for you");
		expect(words()).not.toContain("rated");
		press("stay");
		expect(find("give-up")).not.toBeNull();
		expect(ongiveup).not.toHaveBeenCalled();
	});
});

test("the menu lets a bot play on for those who are away, also without a clock", () => {
	const calls = { onreplace: vi.fn(), onclaim: vi.fn() };
	const absences = [
		{ seat: 0, isHere: true, wait: 0, wanting: [], needed: 1 },
		{ seat: 1, isHere: false, wait: 0, wanting: [], needed: 1 },
	];
	const show = (wait: number) => {
		const props = {
			open: true,
			days: false,
			table: table([ann, ben]),
			absences: absences.map((each) => ({ ...each, wait })),
		};
		app = mount(GameMenu, { target: document.body, props: { ...props, ...calls } });
		flushSync();
	};
	show(5000);
	expect(find("menu-replace-1")).toBeNull();
	expect(find("menu-claim")).toBeNull();
	if (app) unmount(app);
	show(0);
	expect(find("menu-replace-0")).toBeNull();
	press("menu-replace-1");
	expect(calls.onreplace).toHaveBeenCalledExactlyOnceWith(1);
});

describe("the end", () => {
	const onwant = vi.fn();
	const onrematch = vi.fn();

	function show(more: Partial<TableView>, gold = [10, 20], winners = [0]): void {
		onwant.mockReset();
		const view = { winners, gold: gold.map((n) => [n]), over: true } as unknown as View;
		const calls = { frames: async () => [], onshow: vi.fn(), onexport: vi.fn(), onrematch, onwant };
		const props = { view, table: table([ann, ben], more), replayHref: "#/", daily: false, children: () => undefined };
		app = mount(GameEnd, { target: document.body, props: { ...props, ...calls } as never });
		flushSync();
	}

	const places = () => [...document.querySelectorAll("[data-testid=ranking] .name")].map((name) => name.textContent);

	test.each([
		["gave-up", [0], "You win", "Ben gave up."],
		["gave-up", [1], "Ann wins", "You gave up."],
		["claimed", [0], "You win", "Ben was away for too long."],
		["claimed", [1], "Ann wins", "You were away for too long."],
	] as const)("of a game that was %s says why, and who has won whatever the gold says", (ended, yours, title, why) => {
		show({ ended, yours: [...yours] });
		expect(document.querySelector("h2")?.textContent).toBe(title);
		expect(find("end-reason")?.textContent).toBe(why);
		expect(places()).toEqual(["Ann", "Ben"]);
	});

	test("of a game that was played to the end needs no reason", () => {
		show({}, [10, 20], [1]);
		expect(document.querySelector("h2")?.textContent).toBe("Ben wins with 20 gold");
		expect(find("end-reason")).toBeNull();
		expect(places()).toEqual(["Ben", "Ann"]);
	});

	test("a rematch that all have to want shows who wants it", () => {
		show({ asks_all: true, consents: { rematch: [1] } });
		expect(find("rematch-wish")?.textContent).toBe("Ben wants a rematch.");
		press("rematch");
		expect(onwant).toHaveBeenCalledExactlyOnceWith(true);
		expect(find("rematch-same")).toBeNull();
	});

	test("who wants a rematch sees whom it waits for, and can take it back", () => {
		show({ asks_all: true, consents: { rematch: [0] } });
		expect(find("rematch-wish")?.textContent).toBe("Waiting for Ben.");
		press("rematch-back");
		expect(onwant).toHaveBeenCalledExactlyOnceWith(false);
	});

	test("the host decides on a rematch among friends", () => {
		show({ host: true });
		expect(find("rematch-same")).not.toBeNull();
		expect(find("rematch")).toBeNull();
	});

	test("a rated game leads to the own rating", () => {
		const seats = [seatView({ name: "Ann", person: "p1" }), seatView({ name: "Ben", person: "p2" })];
		show({ rated: true, seats, yours: [1] });
		expect(find("to-rating")?.getAttribute("href")).toBe("#/person/p2");
	});
});
