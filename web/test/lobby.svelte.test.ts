import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Wire } from "../src/lobby/line";
import { LobbyState } from "../src/lobby/lobby.svelte";
import { waitedWords } from "../src/lobby/words";
import { RefusalError } from "../src/net/refusal";
import type { AnyLobbyCommand, AnyLobbyMessage, LobbySeek, LobbyTable, OwnSeek, Paired } from "../src/protocol";
import { refused } from "./messages";

class FakeWire implements Wire {
	onopen: (() => void) | null = null;
	onmessage: ((event: { data: string }) => void) | null = null;
	onclose: (() => void) | null = null;
	closed = false;
	readonly sent: AnyLobbyCommand[] = [];

	send(data: string): void {
		if (this.closed) throw new Error("closed");
		this.sent.push(JSON.parse(data));
	}

	close(): void {
		this.closed = true;
	}

	say(message: AnyLobbyMessage): void {
		this.onmessage?.({ data: JSON.stringify(message) });
	}
}

const CLOCK = { kind: "live", start: 300, add: 30 } as const;

function table(id: string, since: number, free = true, round = 1): LobbyTable {
	const seat = { name: "", level: "", person: "", colour: 0, points: null, provisional: false };
	const seats = [
		{ ...seat, free: false },
		{ ...seat, free },
	];
	return { table: id, since, clock: CLOCK, sets: ["base"], rated: false, round, seats };
}

function seek(id: string, since: number): LobbySeek {
	const wish = { clock: CLOCK, least: 2, most: 2, sets: ["base"], rated: false };
	return { seek: id, since, name: "", person: id, points: null, provisional: false, ...wish };
}

function own(id: string, more: Partial<OwnSeek> = {}): AnyLobbyMessage {
	const wish = { clock: CLOCK, least: 2, most: 2, sets: ["base"], rated: false };
	return { type: "own", can_rate: true, seeks: [{ seek: id, waited: 5, bots_in: 25, ...wish, ...more }] };
}

let wires: FakeWire[];
let paired: Paired[];
let lobby: LobbyState;

function last(): FakeWire {
	return wires.at(-1) as FakeWire;
}

function come(...tables: LobbyTable[]): FakeWire {
	last().onopen?.();
	last().say({ type: "lobby", online: 3, tables, seeks: [seek("a", 2), seek("b", 1)] });
	return last();
}

beforeEach(() => {
	vi.useFakeTimers();
	wires = [];
	paired = [];
	lobby = new LobbyState(
		(each) => paired.push(each),
		() => {
			wires.push(new FakeWire());
			return last();
		},
	);
	lobby.open();
});

afterEach(() => {
	lobby.close();
	vi.useRealTimers();
});

describe("the list", () => {
	test("is kept up to date by news", () => {
		const wire = come(table("old", 1), table("new", 9), table("full", 5, false));
		expect(lobby.waiting.map((each) => each.table)).toEqual(["new", "old"]);
		expect(lobby.running.map((each) => each.table)).toEqual(["full"]);
		expect(lobby.seekers.map((each) => each.seek)).toEqual(["b", "a"]);
		wire.say({
			type: "lobbynews",
			online: 4,
			tables: [table("old", 1, false), table("newer", 10)],
			seeks: [seek("c", 0)],
			gone: ["new", "b"],
		});
		expect(lobby.waiting.map((each) => each.table)).toEqual(["newer"]);
		expect(lobby.running.map((each) => each.table)).toEqual(["full", "old"]);
		expect(lobby.seekers.map((each) => each.seek)).toEqual(["c", "a"]);
		expect(lobby.online).toBe(4);
	});

	test("does not show one's own search among those of others", () => {
		come().say(own("a"));
		expect(lobby.seekers.map((each) => each.seek)).toEqual(["b"]);
	});

	test("is taken over whole after a break", () => {
		come(table("old", 1)).onclose?.();
		expect(lobby.status).toBe("offline");
		vi.advanceTimersByTime(1000);
		come(table("new", 2));
		expect(lobby.status).toBe("online");
		expect(lobby.waiting.map((each) => each.table)).toEqual(["new"]);
	});
});

test("a search has its moments in the clock of this device", () => {
	vi.setSystemTime(100_000);
	come().say(own("x"));
	expect(lobby.searches.map(({ since, botsFrom }) => [since, botsFrom])).toEqual([[95_000, 125_000]]);
	expect(waitedWords(65_900)).toBe("1:05");
});

test("a table that was found is announced", () => {
	come().say({ type: "paired", table: "t", seek: "x", live: true });
	expect(paired.map((each) => each.table)).toEqual(["t"]);
});

describe("a command", () => {
	test("is sent again after a break until it is answered, and not any more", async () => {
		come();
		const asked = lobby.ask({ type: "cancel", seek: "x" });
		last().onclose?.();
		vi.advanceTimersByTime(1000);
		const wire = come();
		const command = wire.sent.find((each) => each.type === "cancel");
		expect(command).toBeDefined();
		wire.say({ type: "done", id: command?.type === "cancel" ? command.id : "", version: 0, token: null });
		await asked;
		wire.onclose?.();
		vi.advanceTimersByTime(1000);
		expect(come().sent.map((each) => each.type)).toEqual(["hello"]);
	});

	test("that is refused says why", async () => {
		const wire = come();
		const asked = lobby.ask({ type: "bots", seek: "x" });
		const command = wire.sent.at(-1);
		wire.say(refused(command?.type === "bots" ? command.id : "", "gone", "Not any more.") as AnyLobbyMessage);
		await expect(asked).rejects.toBeInstanceOf(RefusalError);
	});

	test("waits for the greeting", () => {
		void lobby.ask({ type: "cancel", seek: "x" }).catch(() => undefined);
		expect(last().sent).toEqual([]);
		expect(come().sent.map((each) => each.type)).toEqual(["hello", "cancel"]);
	});
});

test("a silent server is asked for a sign of life, and then given up", () => {
	const wire = come();
	vi.advanceTimersByTime(10_500);
	expect(wire.sent.at(-1)?.type).toBe("ping");
	wire.say({ type: "pong", id: "life" });
	vi.advanceTimersByTime(10_500);
	vi.advanceTimersByTime(8_500);
	expect(wire.closed).toBe(true);
	expect(lobby.status).not.toBe("online");
});

test("a page of another version is told to load again, and does not come back", () => {
	last().onopen?.();
	last().say(refused("", "protocol", "Load the page again.") as AnyLobbyMessage);
	vi.advanceTimersByTime(60_000);
	expect(lobby.status).toBe("refused");
	expect(wires).toHaveLength(1);
});
