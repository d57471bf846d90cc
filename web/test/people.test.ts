import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { catalogue } from "../src/net/catalogue.svelte";
import type { Catalogue, Notice, SeatView, View } from "../src/protocol";
import { plain, seatView } from "./messages";

vi.stubGlobal("matchMedia", () => Object.assign(new EventTarget(), { matches: false }));
const { default: HostDialog } = await import("../src/table/HostDialog.svelte");
const { default: Log } = await import("../src/game/Log.svelte");
const { default: Seats } = await import("../src/game/Seats.svelte");

let app: Record<string, unknown>;

function find(testid: string): HTMLElement | null {
	return document.querySelector(`[data-testid=${testid}]`);
}

function press(testid: string): void {
	find(testid)?.click();
	flushSync();
}

function seat(name: string, veiled = false): SeatView {
	return seatView({ name, veiled });
}

beforeEach(() => {
	catalogue.value = {
		levels: [{ key: "greedy", text: "" }],
		limits: { first_level: "greedy" },
		components: [],
		colours: [],
	} as unknown as Catalogue;
	// Some test environments have no modal dialogs.
	HTMLDialogElement.prototype.showModal = function (this: HTMLDialogElement) {
		this.setAttribute("open", "");
	};
});

afterEach(() => unmount(app));

describe("the host's dialog", () => {
	const calls = { onhush: vi.fn(), onmute: vi.fn(), onremove: vi.fn(), onrenew: vi.fn() };

	beforeEach(() => {
		for (const call of Object.values(calls)) call.mockReset();
		const guests = [
			{ number: 3, name: "", muted: false },
			{ number: 5, name: "Wim", muted: true },
		];
		const seats = [seat("Ann"), seat("Bob")];
		app = mount(HostDialog, {
			target: document.body,
			props: {
				open: true,
				seats,
				strangers: false,
				rated: false,
				id: "t",
				invite: "",
				guests,
				hushed: false,
				onreseat: async () => "",
				...calls,
			},
		});
		flushSync();
	});

	test("lists those who look on, also without a name", () => {
		const names = [...document.querySelectorAll("[data-watcher] strong")].map((name) => name.textContent);
		expect(names).toEqual(["Watcher 3", "Wim"]);
		expect(document.querySelector("[data-watcher='5']")?.textContent).toContain("muted");
	});

	test("mutes and lets speak", () => {
		press("mute-3");
		press("mute-5");
		expect(calls.onmute.mock.calls).toEqual([
			[3, true],
			[5, false],
		]);
	});

	test("sends somebody away when it is pressed twice, not for two different ones", () => {
		press("remove-3");
		expect(find("remove-3")?.textContent).toContain("Press again");
		press("remove-5");
		expect(calls.onremove).not.toHaveBeenCalled();
		press("remove-5");
		expect(calls.onremove).toHaveBeenCalledExactlyOnceWith(5);
	});

	test("turns the switch only when the server has done it", () => {
		press("hush");
		expect(calls.onhush).toHaveBeenCalledExactlyOnceWith(true);
		expect((find("hush") as HTMLInputElement).checked).toBe(false);
	});

	test("renews the link for looking on when it is pressed twice, and shows it", async () => {
		calls.onrenew.mockResolvedValue("t.new");
		press("renew");
		expect(calls.onrenew).not.toHaveBeenCalled();
		press("renew");
		await vi.waitFor(() => {
			flushSync();
			expect((find("new-watch-link") as HTMLInputElement | null)?.value).toMatch(/#\/watch\/t\.new$/);
		});
	});
});

describe("the seats that a host may give away", () => {
	const seats = [
		seat("Ann"),
		seatView({ kind: "bot", level: "greedy", stands_in: true, name: "Bob" }),
		seatView({ kind: "bot", level: "greedy" }),
		seatView({ kind: "open", connected: false }),
		seatView({ kind: "open", person: "cleo" }),
	];

	function given(strangers: boolean, rated: boolean): number[] {
		const calls = { onhush: vi.fn(), onmute: vi.fn(), onremove: vi.fn(), onrenew: vi.fn(), onreseat: vi.fn() };
		const others = { open: true, id: "t", invite: "", guests: [], hushed: false };
		app = mount(HostDialog, { target: document.body, props: { seats, strangers, rated, ...others, ...calls } });
		flushSync();
		return [...seats.keys()].filter((number) => {
			const shown = ["level", "bot", "person"].map((what) => find(`reseat-${what}-${number}`) !== null);
			expect(new Set(shown).size).toBe(1);
			return shown[0];
		});
	}

	test("are all of them among friends", () => {
		expect(given(false, false)).toEqual([0, 1, 2, 3, 4]);
		expect(document.body.textContent).toContain("a bot or another person can take their place");
	});

	test("are not those of players among strangers", () => {
		expect(given(true, false)).toEqual([2, 3]);
		expect(document.body.textContent).toContain("Nobody gives away the seat of a player");
	});

	test("are only those that nobody has in rated games", () => {
		expect(given(true, true)).toEqual([3]);
	});
});

describe("a seat whose hand is hidden from its new player", () => {
	const onagree = vi.fn();

	function show(yours: number[], agreeable: number[]): void {
		onagree.mockReset();
		const view = { player: 0, supply: [40, 40], gold: [[], []], tiles: [[], []], winners: [] } as unknown as View;
		const seats = [seat("Ann"), seat("Bob", true)];
		app = mount(Seats, {
			target: document.body,
			props: { setup: { supply: 40 }, view, seats, yours, agreeable, onagree, onexplain: () => undefined },
		});
		flushSync();
	}

	test("says so, and the others can agree to show it", () => {
		show([0], [1]);
		expect(find("veiled-0")).toBeNull();
		expect(find("veiled-1")?.textContent).toContain("the hand stays hidden");
		press("agree-1");
		expect(onagree).toHaveBeenCalledExactlyOnceWith(1);
	});

	test("tells the new player why", () => {
		show([1], []);
		expect(find("veiled-1")?.textContent).toContain("You see your card when you draw one");
		expect(find("agree-1")).toBeNull();
	});
});

test("what happened to the people stands in the log", () => {
	const notices: Notice[] = [{ version: 5, ply: 1, kind: "new-player", seat: 1, name: "Bob" }];
	const built = (ply: number, hex: string) => {
		const happenings = [
			{ kind: "built", seat: 0, message: plain(`builds on ${hex}`), hexes: [hex], key: "settlement", gold: 0 },
		];
		return { ply, turn: "1A", seat: 0, move: hex, happenings };
	};
	const lines = [built(1, "a1"), built(2, "b1")];
	const faces = [seat("Ann"), seat("")];
	app = mount(Log, { target: document.body, props: { lines, notices, faces, onshow: () => undefined } });
	flushSync();
	const entries = [...document.querySelectorAll("ol > li")].map((entry) => entry.textContent);
	expect(entries).toHaveLength(3);
	expect(entries[0]).toContain("builds on a1");
	expect(entries[1]).toContain("The seat of Bob has a new player");
	expect(entries[2]).toContain("builds on b1");
});
