import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Socket } from "../src/net/connection";
import type { AnyCommand, AnyMessage, ChatLine, LogLine, SetupView, View } from "../src/protocol";
import { TableState } from "../src/table/table.svelte";
import { clockView, plain, refused, tableView } from "./messages";

class FakeSocket implements Socket {
	onopen: (() => void) | null = null;
	onmessage: ((event: { data: string }) => void) | null = null;
	onclose: ((event: { code: number }) => void) | null = null;
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
	const happenings = [
		{ kind: "built", seat: 0, message: plain(`builds on ${hex}`), hexes: [hex], key: "settlement", gold: 0 },
	];
	return { ply, turn: "1A", seat: 0, move: hex, happenings };
}

function spoken(version: number, text: string): ChatLine {
	return { version, role: "player", name: "Ann", text, person: "", phrase: "" };
}

/** Let promises that are settled go on. */
async function settle(): Promise<void> {
	for (let i = 0; i < 5; i++) await Promise.resolve();
}

beforeEach(() => {
	socket = new FakeSocket();
	let count = 0;
	table = new TableState("table", ["key"], told, { open: () => socket, newId: () => `id${++count}` });
	table.start();
	socket.onopen?.();
	const setup = { board: "b" } as SetupView;
	const message = {
		type: "welcome",
		protocol: 2,
		version: 4,
		table: tableView({ yours: [0] }),
		setup,
		view: view(2),
		clock: null,
	} as const;
	socket.say({ ...message, lines: [line(1, "a1"), line(2, "b1")], chat: [spoken(3, "Hello")] });
});

afterEach(() => {
	table.close();
	told.mockReset();
});

test("a welcome brings everything", () => {
	expect(table.status).toBe("online");
	expect(table.lines.map(({ move }) => move)).toEqual(["a1", "b1"]);
	expect(table.chat.map(({ text }) => text)).toEqual(["Hello"]);
	expect(table.myTurn).toBe(true);
	expect(told).toHaveBeenCalledExactlyOnceWith({ lines: [], jumped: true }, undefined);
});

test("an update adds lines and tells what happened", () => {
	socket.say({ type: "update", version: 5, since: 2, lines: [line(3, "c1")], view: view(3), clock: null });
	expect(table.lines.map(({ move }) => move)).toEqual(["a1", "b1", "c1"]);
	expect(table.happenings.map(({ hexes }) => hexes)).toEqual([["c1"]]);
	expect(table.version).toBe(5);
});

test("an undo takes lines away and is no happening", () => {
	socket.say({ type: "update", version: 5, since: 1, lines: [], view: view(1), clock: null });
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
	socket.say(refused("id2", "illegal", "No."));
	await expect(second).resolves.toBe(false);
	expect(table.refusal).toMatchObject({ code: "illegal", message: "No." });
	expect(table.pending).toBeUndefined();
});

test("a reason is asked for once in each position", async () => {
	const [one, two] = [table.why("a1"), table.why("a1")];
	socket.say({ type: "reason", id: "id1", version: 4, reason: plain("Taken.") });
	expect(await Promise.all([one, two])).toEqual([plain("Taken."), plain("Taken.")]);
	socket.say({ type: "update", version: 5, since: 2, lines: [line(3, "c1")], view: view(3), clock: null });
	void table.why("a1");
	expect(socket.sent.filter(({ type }) => type === "why")).toHaveLength(2);
});

test("what pays is asked for once in each position, and forgotten after it", async () => {
	table.askScores();
	table.askScores();
	expect(socket.sent.filter(({ type }) => type === "scores")).toHaveLength(1);
	socket.say({ type: "breakdown", id: "id1", version: 4, lines: [{ key: "lords", seat: 0, gold: 3, hexes: ["a1"] }] });
	await settle();
	expect(table.scores?.lines[0]?.hexes).toEqual(["a1"]);
	socket.say({ type: "update", version: 5, since: 2, lines: [line(3, "c1")], view: view(3), clock: null });
	expect(table.scores).toBeUndefined();
});

describe("hints", () => {
	const first = { move: "c1", turn: ["c1", "d1", "."], gold: 50, reasons: [] };
	const other = { move: "e1", turn: ["e1", "."], gold: 48, reasons: [] };

	function answer(): void {
		socket.say({ type: "hints", id: "id1", version: 4, hints: [first, other] });
	}

	function move(hex: string): void {
		socket.say({ type: "update", version: 5, since: 2, lines: [line(3, hex)], view: view(3), clock: null });
	}

	test("are asked for one at a time, and followed", async () => {
		void table.askHint();
		void table.askHint();
		expect(socket.sent.filter(({ type }) => type === "hint")).toHaveLength(1);
		expect(table.hints.asking).toBe(true);
		answer();
		await settle();
		expect(table.hints.asking).toBe(false);
		expect(table.hints.turns).toEqual([first, other]);
		move("c1");
		expect(table.hints.turns).toEqual([{ ...first, move: "d1", turn: ["d1", "."] }]);
		socket.say({ type: "update", version: 6, since: 2, lines: [], view: view(2), clock: null });
		expect(table.hints.turns).toEqual([]);
	});

	test("are gone when the game was taken back, whatever was played instead", async () => {
		void table.askHint();
		answer();
		await settle();
		socket.say({ type: "update", version: 5, since: 1, lines: [line(2, "c1")], view: view(2), clock: null });
		expect(table.hints.turns).toEqual([]);
	});

	test("that come too late are not shown", async () => {
		void table.askHint();
		move("c1");
		answer();
		await settle();
		expect(table.hints.turns).toEqual([]);
		expect(table.hints.asking).toBe(false);
	});

	test("that are refused leave a sentence, unless the game has gone on", async () => {
		void table.askHint();
		socket.say(refused("id1", "busy", "No."));
		await settle();
		expect(table.refusal).toMatchObject({ code: "busy", message: "No." });
		void table.askHint();
		expect(table.refusal).toBeUndefined();
		move("c1");
		socket.say(refused("id2", "busy", "No."));
		await settle();
		expect(table.refusal).toBeUndefined();
	});
});

test("a freed seat comes with its key", async () => {
	const token = table.reseat(1, "");
	socket.say({ type: "done", id: "id1", version: 5, token: "t.new" });
	await expect(token).resolves.toBe("t.new");
});

test("a new key for looking on is asked for and returned", async () => {
	const token = table.renew();
	expect(socket.sent.at(-1)).toEqual({ type: "renew", id: "id1" });
	socket.say({ type: "done", id: "id1", version: 5, token: "t.watch" });
	await expect(token).resolves.toBe("t.watch");
	const attempt = table.renew();
	socket.say(refused("id2", "forbidden", "Only the host."));
	await expect(attempt).resolves.toBeNull();
	expect(table.refusal).toMatchObject({ code: "forbidden", message: "Only the host." });
});

test("the host's commands name whom they are about", () => {
	void table.agree(1);
	void table.hush(true);
	void table.mute(3, true);
	void table.remove(4);
	expect(socket.sent.slice(1)).toEqual([
		{ type: "agree", seat: 1, id: "id1" },
		{ type: "hush", on: true, id: "id2" },
		{ type: "mute", watcher: 3, on: true, id: "id3" },
		{ type: "remove", watcher: 4, id: "id4" },
	]);
});

test("players say what they want", () => {
	void table.consent("pause");
	void table.consent("rematch", false);
	void table.replace(1);
	void table.claim();
	void table.leave();
	expect(socket.sent.slice(1)).toEqual([
		{ type: "consent", to: "pause", on: true, id: "id1" },
		{ type: "consent", to: "rematch", on: false, id: "id2" },
		{ type: "replace", seat: 1, id: "id3" },
		{ type: "claim", id: "id4" },
		{ type: "leave", id: "id5" },
	]);
});

describe("taking a free seat", () => {
	const tokensShown = () => {
		socket.sent.length = 0;
		socket.onclose?.({ code: 1006 });
		table.wake();
		socket.onopen?.();
		return socket.sent.find((each) => each.type === "hello")?.tokens;
	};

	test("brings a token to those whom the server does not know, which is shown from then on", async () => {
		const token = table.sit(1, "Ben", 2);
		expect(socket.sent.at(-1)).toEqual({ type: "sit", seat: 1, name: "Ben", colour: 2, id: "id1" });
		socket.say({ type: "done", id: "id1", version: 5, token: "t.seat" });
		await expect(token).resolves.toBe("t.seat");
		expect(tokensShown()).toEqual(["key", "t.seat"]);
	});

	test("brings none to others", async () => {
		const token = table.sit(1, "Ben", 2);
		socket.say({ type: "done", id: "id1", version: 5, token: null });
		await expect(token).resolves.toBe("");
		expect(tokensShown()).toEqual(["key"]);
	});

	test("may fail, since others are faster", async () => {
		const token = table.sit(1, "Ben", 2);
		socket.say(refused("id1", "taken", "Somebody sits there already."));
		await expect(token).resolves.toBeNull();
		expect(table.refusal?.code).toBe("taken");
	});
});

test("the clocks come with every message about the game or the people", () => {
	expect(table.clocks.told).toBeNull();
	const clock = (left: number) => clockView({ left: [left, left] });
	socket.say({ type: "table", version: 5, table: tableView({ yours: [0] }), clock: clock(50) });
	expect(table.clocks.of(0)?.left).toBe(50);
	socket.say({ type: "update", version: 6, since: 2, lines: [], view: view(2), clock: clock(40) });
	expect(table.clocks.of(0)?.left).toBe(40);
	socket.say({ type: "chat", version: 7, lines: [] });
	expect(table.clocks.of(0)?.left).toBe(40);
	socket.say({ type: "update", version: 8, since: 2, lines: [], view: view(2), clock: null });
	expect(table.clocks.told).toBeNull();
});

describe("the chat", () => {
	const texts = () => table.chat.map(({ text }) => text);

	test("takes each line once, whatever is told again", () => {
		socket.say({ type: "chat", version: 5, lines: [spoken(3, "Hello"), spoken(5, "Hi")] });
		socket.say({ type: "chat", version: 6, lines: [spoken(5, "Hi"), spoken(6, "Good luck")] });
		expect(texts()).toEqual(["Hello", "Hi", "Good luck"]);
		expect(table.version).toBe(6);
	});

	test("stays when people come and go, or somebody moves", () => {
		socket.say({ type: "table", version: 5, table: tableView({ yours: [0] }), clock: null });
		socket.say({ type: "update", version: 6, since: 2, lines: [line(3, "c1")], view: view(3), clock: null });
		expect(texts()).toEqual(["Hello"]);
	});

	test("does not grow for ever", () => {
		for (let version = 5; version < 1005; version++)
			socket.say({ type: "chat", version, lines: [spoken(version, `${version}`)] });
		expect(texts()).toHaveLength(300);
		expect(texts().at(-1)).toBe("1004");
	});
});

describe("who is turned away in the middle of a game", () => {
	beforeEach(() => {
		socket.say({
			type: "update",
			version: 5,
			since: 2,
			lines: [],
			view: view(2, { legal: ["c1"], undo: true }),
			clock: null,
		});
		socket.say(refused("", "void-key", "This seat was given to somebody else."));
	});

	test("keeps the board and the log, for looking at", () => {
		expect(table.status).toBe("refused");
		expect(table.turnedAway?.code).toBe("void-key");
		expect(table.view).toMatchObject({ ply: 2, legal: [], undo: false });
		expect(table.lines).toHaveLength(2);
		expect(table.myTurn).toBe(false);
		expect(table.watching).toBe(true);
	});

	test("cannot do anything, and is not troubled by trying", async () => {
		await expect(table.play("c1")).resolves.toBe(false);
		expect(table.refusal).toBeUndefined();
		expect(table.pending).toBeUndefined();
	});
});

test("a reason for a closed door is forgotten when the server is not there at all", () => {
	socket.onclose?.({ code: 1006 });
	table.wake();
	socket.onopen?.();
	socket.say(refused("", "store", "The disk is full."));
	expect(table.turnedAway?.code).toBe("store");
	table.wake();
	socket.onclose?.({ code: 1006 });
	expect(table.status).toBe("offline");
	expect(table.turnedAway).toBeUndefined();
});

test("who has no seat looks on", () => {
	socket.say({ type: "table", version: 5, table: tableView(), clock: null });
	expect(table.watching).toBe(true);
	expect(table.myTurn).toBe(false);
	expect(table.me).toBeUndefined();
});
