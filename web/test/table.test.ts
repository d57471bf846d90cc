import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Socket } from "../src/game/connection";
import { TableState } from "../src/game/table.svelte";
import type { AnyCommand, AnyMessage, LogLine, SetupView, TableView, View } from "../src/protocol";

class FakeSocket implements Socket {
	onopen: (() => void) | null = null;
	onmessage: ((event: { data: string }) => void) | null = null;
	onclose: (() => void) | null = null;
	readonly sent: AnyCommand[] = [];

	send(data: string): void {
		this.sent.push(JSON.parse(data));
	}

	close(): void {}

	say(message: AnyMessage): void {
		this.onmessage?.({ data: JSON.stringify(message) });
	}
}

let socket: FakeSocket;
let table: TableState;
const told = vi.fn();

function view(ply: number, more: Partial<View> = {}): View {
	return { ply, player: 0, over: false, legal: [], ...more } as View;
}

function line(ply: number, hex: string): LogLine {
	const happenings = [{ kind: "built", seat: 0, words: `builds on ${hex}`, hexes: [hex], key: "settlement" }];
	return { ply, turn: "1A", seat: 0, move: hex, happenings };
}

function seatView(yours: number[]): TableView {
	return { id: "t", game: 1, seats: [], yours, host: false, advice: false, watchers: 0, chat: [], seed: "" };
}

/** Let promises that are settled go on. */
async function settle(): Promise<void> {
	for (let i = 0; i < 5; i++) await Promise.resolve();
}

beforeEach(() => {
	socket = new FakeSocket();
	let count = 0;
	table = new TableState(["key"], told, { open: () => socket, newId: () => `id${++count}` });
	table.start();
	socket.onopen?.();
	const setup = { board: "b" } as SetupView;
	const message = { type: "welcome", protocol: 1, version: 4, table: seatView([0]), setup, view: view(2) } as const;
	socket.say({ ...message, lines: [line(1, "a1"), line(2, "b1")] });
});

afterEach(() => {
	table.close();
	told.mockReset();
});

test("a welcome brings everything", () => {
	expect(table.status).toBe("online");
	expect(table.lines.map(({ move }) => move)).toEqual(["a1", "b1"]);
	expect(table.myTurn).toBe(true);
	expect(told).toHaveBeenCalledExactlyOnceWith({ lines: [], jumped: true }, undefined);
});

test("an update adds lines and tells what happened", () => {
	socket.say({ type: "update", version: 5, since: 2, lines: [line(3, "c1")], view: view(3) });
	expect(table.lines.map(({ move }) => move)).toEqual(["a1", "b1", "c1"]);
	expect(table.happenings.map(({ hexes }) => hexes)).toEqual([["c1"]]);
	expect(table.version).toBe(5);
});

test("an undo takes lines away and is no happening", () => {
	socket.say({ type: "update", version: 5, since: 1, lines: [], view: view(1) });
	expect(table.lines.map(({ move }) => move)).toEqual(["a1"]);
	expect(table.happenings).toEqual([]);
	expect(told.mock.lastCall?.[0]).toEqual({ lines: [], jumped: true });
});

test("moves in quick succession wait for each other", async () => {
	const first = table.play("c1");
	const second = table.play("d1");
	await settle();
	expect(socket.sent.slice(1)).toEqual([{ type: "play", version: 4, move: "c1", id: "id1" }]);
	expect(table.pending).toBe("c1");
	socket.say({ type: "done", id: "id1", version: 5, token: null });
	await expect(first).resolves.toBe(true);
	await settle();
	expect(socket.sent.at(-1)).toEqual({ type: "play", version: 5, move: "d1", id: "id2" });
	socket.say({ type: "refused", id: "id2", code: "illegal", text: "No." });
	await expect(second).resolves.toBe(false);
	expect(table.complaint).toEqual({ code: "illegal", text: "No." });
	expect(table.pending).toBeUndefined();
});

test("a reason is asked for once in each position", async () => {
	const [one, two] = [table.why("a1"), table.why("a1")];
	socket.say({ type: "reason", id: "id1", version: 4, reason: "Taken." });
	expect(await Promise.all([one, two])).toEqual(["Taken.", "Taken."]);
	socket.say({ type: "update", version: 5, since: 2, lines: [line(3, "c1")], view: view(3) });
	void table.why("a1");
	expect(socket.sent.filter(({ type }) => type === "why")).toHaveLength(2);
});

test("what pays is asked for once in each position, and forgotten after it", async () => {
	table.askPayment();
	table.askPayment();
	expect(socket.sent.filter(({ type }) => type === "pay")).toHaveLength(1);
	socket.say({ type: "payment", id: "id1", version: 4, lines: [{ key: "lords", seat: 0, gold: 3, hexes: ["a1"] }] });
	await settle();
	expect(table.payment?.lines[0]?.hexes).toEqual(["a1"]);
	socket.say({ type: "update", version: 5, since: 2, lines: [line(3, "c1")], view: view(3) });
	expect(table.payment).toBeUndefined();
});

describe("hints", () => {
	const first = { move: "c1", turn: ["c1", "d1", "."], gold: 50, reason: "" };
	const other = { move: "e1", turn: ["e1", "."], gold: 48, reason: "" };

	function answer(): void {
		socket.say({ type: "advice", id: "id1", version: 4, suggestions: [first, other] });
	}

	function move(hex: string): void {
		socket.say({ type: "update", version: 5, since: 2, lines: [line(3, hex)], view: view(3) });
	}

	test("are asked for one at a time, and followed", async () => {
		void table.askHint();
		void table.askHint();
		expect(socket.sent.filter(({ type }) => type === "hint")).toHaveLength(1);
		expect(table.advising).toBe(true);
		answer();
		await settle();
		expect(table.advising).toBe(false);
		expect(table.suggestions).toEqual([first, other]);
		move("c1");
		expect(table.suggestions).toEqual([{ ...first, move: "d1", turn: ["d1", "."] }]);
		socket.say({ type: "update", version: 6, since: 2, lines: [], view: view(2) });
		expect(table.suggestions).toEqual([]);
	});

	test("are gone when the game was taken back, whatever was played instead", async () => {
		void table.askHint();
		answer();
		await settle();
		socket.say({ type: "update", version: 5, since: 1, lines: [line(2, "c1")], view: view(2) });
		expect(table.suggestions).toEqual([]);
	});

	test("that come too late are not shown", async () => {
		void table.askHint();
		move("c1");
		answer();
		await settle();
		expect(table.suggestions).toEqual([]);
		expect(table.advising).toBe(false);
	});

	test("that are refused leave a sentence, unless the game has gone on", async () => {
		void table.askHint();
		socket.say({ type: "refused", id: "id1", code: "busy", text: "No." });
		await settle();
		expect(table.complaint).toEqual({ code: "busy", text: "No." });
		void table.askHint();
		expect(table.complaint).toBeUndefined();
		move("c1");
		socket.say({ type: "refused", id: "id2", code: "busy", text: "No." });
		await settle();
		expect(table.complaint).toBeUndefined();
	});
});

test("a freed seat comes with its key", async () => {
	const token = table.reseat(1, "");
	socket.say({ type: "done", id: "id1", version: 5, token: "t.new" });
	await expect(token).resolves.toBe("t.new");
});

test("who has no seat looks on", () => {
	socket.say({ type: "table", version: 5, table: seatView([]) });
	expect(table.watching).toBe(true);
	expect(table.myTurn).toBe(false);
	expect(table.me).toBeUndefined();
});
