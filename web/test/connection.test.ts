import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Connection, type Socket, type Status } from "../src/net/connection";
import { RefusalError } from "../src/net/refusal";
import { type AnyCommand, type AnyMessage, PROTOCOL, type TableView, type View } from "../src/protocol";
import { refused } from "./messages";

class FakeSocket implements Socket {
	onopen: (() => void) | null = null;
	onmessage: ((event: { data: string }) => void) | null = null;
	onclose: ((event: { code: number }) => void) | null = null;
	closed = false;
	code: number | undefined;
	readonly sent: AnyCommand[] = [];

	send(data: string): void {
		if (this.closed) throw new Error("closed");
		this.sent.push(JSON.parse(data));
	}

	close(code?: number): void {
		this.closed = true;
		this.code = code;
	}

	say(message: AnyMessage): void {
		this.onmessage?.({ data: JSON.stringify(message) });
	}
}

const VIEW = { ply: 3 } as View;

function welcome(version: number, game = 1): AnyMessage {
	const table = { id: "t", game } as TableView;
	return {
		type: "welcome",
		protocol: PROTOCOL,
		version,
		table,
		setup: {} as never,
		view: VIEW,
		lines: [],
		chat: [],
		clock: null,
	};
}

/** Codes of refusals after which there is no use in coming back. */
const FINAL = ["unknown-key", "protocol", "void-key", "removed", "damaged", "newer", "outdated"];

let sockets: FakeSocket[];
let statuses: Status[];
let received: AnyMessage[];
let connection: Connection;

function last(): FakeSocket {
	return sockets.at(-1) as FakeSocket;
}

function online(version = 5): FakeSocket {
	last().onopen?.();
	last().say(welcome(version));
	return last();
}

beforeEach(() => {
	vi.useFakeTimers();
	sockets = [];
	statuses = [];
	received = [];
	let count = 0;
	connection = new Connection(
		"table",
		["key"],
		{ receive: (message) => received.push(message), status: (status) => statuses.push(status) },
		{
			open: () => {
				sockets.push(new FakeSocket());
				return last();
			},
			random: () => 1,
			newId: () => `id${++count}`,
			firstDelay: 100,
			longestDelay: 1000,
			silence: 5000,
			patience: 2000,
			arrival: 2000,
		},
	);
	connection.start();
});

afterEach(() => {
	connection.close();
	vi.useRealTimers();
});

describe("greeting", () => {
	test("sends the keys and is online after the welcome", () => {
		last().onopen?.();
		expect(last().sent).toEqual([
			{ type: "hello", tokens: ["key"], protocol: PROTOCOL, version: 0, game: 0, differences: true },
		]);
		expect(statuses).toEqual(["connecting"]);
		last().say(welcome(5));
		expect(statuses).toEqual(["connecting", "online"]);
		expect(received).toHaveLength(1);
	});

	test.each(FINAL)("stops for good when it is refused as %s", (code) => {
		last().onopen?.();
		last().say(refused("", code, "No."));
		last().onclose?.({ code: 1008 });
		connection.wake();
		vi.advanceTimersByTime(60_000);
		expect(statuses).toEqual(["connecting", "refused"]);
		expect(sockets).toHaveLength(1);
	});

	test.each(["too-fast", "full", "busy", "store"])("is tried again when it is refused as %s", (code) => {
		last().onopen?.();
		last().say(refused("", code, "Wait a little."));
		vi.advanceTimersByTime(100);
		expect(sockets).toHaveLength(2);
	});
});

describe("differences", () => {
	test("arrive as updates", () => {
		online(5).say({ type: "difference", version: 6, view: [0, 4] });
		expect(received[1]).toEqual({ type: "update", version: 6, since: 0, lines: [], view: { ply: 4 }, clock: null });
		last().say({ type: "difference", version: 8, spans: 2, view: [0, 5] });
		expect(received[2]).toMatchObject({ version: 8, view: { ply: 5 } });
	});

	test("go on from the whole view that came last", () => {
		const view = { ply: 7 } as View;
		online(5).say({ type: "update", version: 6, since: 0, lines: [], view, clock: null });
		last().say({ type: "difference", version: 7, view: [0, 8] });
		expect(received[2]).toMatchObject({ view: { ply: 8 } });
	});

	test("to something else lead to another connection, which asks for everything", () => {
		const first = online(5);
		first.say({ type: "difference", version: 8, view: [0, 4] });
		expect(received).toHaveLength(1);
		expect(first.closed).toBe(true);
		expect(sockets).toHaveLength(2);
		last().onopen?.();
		expect(last().sent).toMatchObject([{ type: "hello", version: 0, game: 0, differences: false }]);
		last().say(welcome(8));
		expect(statuses.at(-1)).toBe("online");
	});
});

describe("commands", () => {
	test("are answered by done", async () => {
		online();
		const answer = connection.request({ type: "play", version: 5, move: "k7" });
		expect(last().sent.at(-1)).toEqual({ type: "play", version: 5, move: "k7", id: "id1" });
		last().say({ type: "done", id: "id1", version: 6, token: null });
		await expect(answer).resolves.toMatchObject({ version: 6 });
	});

	test("are answered by a refusal", async () => {
		online();
		const answer = connection.request({ type: "play", version: 5, move: "a1" });
		last().say(refused("id1", "illegal", "a1 is water."));
		await expect(answer).rejects.toThrow("a1 is water.");
		await expect(answer).rejects.toBeInstanceOf(RefusalError);
	});

	test("given before the welcome are sent after it", () => {
		last().onopen?.();
		connection.request({ type: "scores" }).catch(() => {});
		expect(last().sent).toHaveLength(1);
		last().say(welcome(5));
		expect(last().sent.at(-1)).toEqual({ type: "scores", id: "id1" });
	});

	test("without an answer are repeated under the same id after a break, once a connection", async () => {
		online();
		const answer = connection.request({ type: "play", version: 5, move: "k7" });
		last().onclose?.({ code: 1006 });
		vi.advanceTimersByTime(100);
		last().onopen?.();
		expect(last().sent).toHaveLength(1);
		last().say({ type: "update", version: 6, since: 3, lines: [], view: VIEW, clock: null });
		last().say({ type: "table", version: 6, table: {} as TableView, clock: null });
		expect(last().sent.filter(({ type }) => type === "play")).toEqual([
			{ type: "play", version: 5, move: "k7", id: "id1" },
		]);
		last().say({ type: "done", id: "id1", version: 6, token: null });
		await expect(answer).resolves.toMatchObject({ id: "id1" });
	});

	test.each([1012, 1013])("without an answer are repeated after the server closed with %i", async (code) => {
		online();
		const answer = connection.request({ type: "reseat", seat: 1, level: "" });
		last().onclose?.({ code });
		vi.advanceTimersByTime(2000);
		online(5);
		expect(last().sent.at(-1)).toEqual({ type: "reseat", seat: 1, level: "", id: "id1" });
		last().say({ type: "done", id: "id1", version: 6, token: "t.new" });
		await expect(answer).resolves.toMatchObject({ token: "t.new" });
	});

	test("that came too fast to be read are repeated after a while", async () => {
		online();
		const answer = connection.request({ type: "say", text: "hello", seat: null, name: "" });
		last().say(refused("", "too-fast", "Too many messages."));
		expect(last().sent.filter(({ type }) => type === "say")).toHaveLength(1);
		vi.advanceTimersByTime(1000);
		expect(last().sent.filter(({ type }) => type === "say")).toHaveLength(2);
		expect(last().sent.at(-1)).toMatchObject({ id: "id1" });
		last().say({ type: "done", id: "id1", version: 6, token: null });
		await expect(answer).resolves.toMatchObject({ version: 6 });
	});

	test("are given up when the page is left", async () => {
		online();
		const answer = connection.request({ type: "scores" });
		connection.close();
		await expect(answer).rejects.toBeInstanceOf(RefusalError);
		await expect(connection.request({ type: "scores" })).rejects.toBeInstanceOf(RefusalError);
	});
});

describe("a visit", () => {
	test.each(["void-key", "removed", "damaged"])("ends for good when the server says %s", async (code) => {
		const first = online();
		const answer = connection.request({ type: "scores" });
		first.say(refused("", code, "No longer."));
		await expect(answer).rejects.toThrow("No longer.");
		vi.advanceTimersByTime(60_000);
		expect(statuses.at(-1)).toBe("refused");
		expect(first.closed).toBe(true);
		expect(sockets).toHaveLength(1);
	});

	test.each(["malformed", "forbidden", "store"])("goes on when something is refused as %s", (code) => {
		online().say(refused("", code, "No."));
		expect(statuses.at(-1)).toBe("online");
	});

	test("that has to make room for others is not taken up again soon", () => {
		online().say(refused("", "full", "Too many pages."));
		expect(statuses.at(-1)).toBe("offline");
		vi.advanceTimersByTime(999);
		expect(sockets).toHaveLength(1);
		vi.advanceTimersByTime(1);
		online();
		last().onclose?.({ code: 1006 });
		vi.advanceTimersByTime(100);
		expect(sockets).toHaveLength(3);
	});

	test("hears what is said", () => {
		online();
		const line = { version: 6, role: "watcher", name: "Wim", text: "Hello", person: "", phrase: "" } as const;
		last().say({ type: "chat", version: 6, lines: [line] });
		expect(received.at(-1)).toMatchObject({ type: "chat", lines: [line] });
		last().onclose?.({ code: 1006 });
		vi.advanceTimersByTime(100);
		last().onopen?.();
		expect(last().sent[0]).toMatchObject({ version: 6 });
	});
});

describe("breaks", () => {
	test("resume with the last version and game", () => {
		online(5);
		last().say({ type: "update", version: 8, since: 3, lines: [], view: VIEW, clock: null });
		last().onclose?.({ code: 1006 });
		expect(statuses.at(-1)).toBe("offline");
		vi.advanceTimersByTime(100);
		last().onopen?.();
		expect(last().sent[0]).toMatchObject({ type: "hello", version: 8, game: 1 });
	});

	test("are tried again after longer and longer pauses, up to a limit", () => {
		online();
		const pauses = [];
		for (let i = 0; i < 7; i++) {
			last().onclose?.({ code: 1006 });
			const before = sockets.length;
			let pause = 0;
			while (sockets.length === before) {
				vi.advanceTimersByTime(10);
				pause += 10;
			}
			pauses.push(pause);
		}
		expect(pauses).toEqual([100, 200, 400, 800, 1000, 1000, 1000]);
	});

	test("of all pages at once, when the server is started again, end at different times", () => {
		online();
		last().onclose?.({ code: 1012 });
		vi.advanceTimersByTime(1999);
		expect(sockets).toHaveLength(1);
		vi.advanceTimersByTime(1);
		expect(sockets).toHaveLength(2);
		last().onclose?.({ code: 1012 });
		vi.advanceTimersByTime(200);
		expect(sockets).toHaveLength(3);
	});

	test("begin with short pauses again after a good connection", () => {
		online();
		last().onclose?.({ code: 1006 });
		vi.advanceTimersByTime(100);
		last().onclose?.({ code: 1006 });
		vi.advanceTimersByTime(200);
		online();
		last().onclose?.({ code: 1006 });
		vi.advanceTimersByTime(100);
		expect(sockets).toHaveLength(4);
	});

	test("end at once when the network is back", () => {
		online();
		last().onclose?.({ code: 1006 });
		connection.wake();
		expect(sockets).toHaveLength(2);
	});

	test("are noticed at once when the network says so", () => {
		const first = online();
		connection.doubt();
		expect(first.closed).toBe(true);
		expect(statuses.at(-1)).toBe("offline");
		vi.advanceTimersByTime(100);
		expect(sockets).toHaveLength(2);
	});

	test("end when the page is left", () => {
		online();
		last().onclose?.({ code: 1006 });
		connection.close();
		vi.advanceTimersByTime(60_000);
		expect(sockets).toHaveLength(1);
		expect(statuses.at(-1)).toBe("closed");
	});
});

test("a page that is left says so, a broken line does not", () => {
	const first = online();
	connection.doubt();
	expect(first.code).toBeUndefined();
	vi.advanceTimersByTime(100);
	const second = online();
	connection.close();
	expect(second.code).toBe(1000);
});

test("a token that came later is shown from the next connection on", () => {
	online();
	connection.keep("seat");
	last().onclose?.({ code: 1006 });
	vi.advanceTimersByTime(100);
	last().onopen?.();
	expect(last().sent).toMatchObject([{ type: "hello", tokens: ["key", "seat"] }]);
});

test("by itself a page asks after 2.5 seconds of silence, and leaves a line that is dead for 9", () => {
	const lines: FakeSocket[] = [];
	const open = () => {
		lines.push(new FakeSocket());
		return lines.at(-1) as FakeSocket;
	};
	const usual = new Connection("table", [], { receive: () => undefined, status: () => undefined }, { open });
	usual.start();
	lines[0]?.onopen?.();
	lines[0]?.say(welcome(1));
	vi.advanceTimersByTime(2499);
	expect(lines[0]?.sent.map(({ type }) => type)).toEqual(["hello"]);
	vi.advanceTimersByTime(1);
	expect(lines[0]?.sent.map(({ type }) => type)).toEqual(["hello", "ping"]);
	vi.advanceTimersByTime(6499);
	expect(lines[0]?.closed).toBe(false);
	vi.advanceTimersByTime(1);
	expect(lines[0]?.closed).toBe(true);
	usual.close();
});

describe("dead lines", () => {
	test("a silent server is asked, and left if it stays silent", () => {
		const first = online();
		vi.advanceTimersByTime(5000);
		expect(first.sent.at(-1)).toMatchObject({ type: "ping" });
		vi.advanceTimersByTime(2000);
		expect(first.closed).toBe(true);
		expect(statuses.at(-1)).toBe("offline");
		vi.advanceTimersByTime(100);
		expect(sockets).toHaveLength(2);
	});

	test("a server that answers is kept", () => {
		const first = online();
		for (let i = 0; i < 5; i++) {
			vi.advanceTimersByTime(5000);
			first.say({ type: "pong", id: "" });
		}
		expect(first.closed).toBe(false);
		expect(first.sent.filter(({ type }) => type === "ping")).toHaveLength(5);
	});

	test("a connection that never opens is given up", () => {
		vi.advanceTimersByTime(2000);
		expect(sockets[0]?.closed).toBe(true);
		vi.advanceTimersByTime(100);
		expect(sockets).toHaveLength(2);
	});

	test("what an old connection says is not heard", () => {
		const first = online();
		first.onclose?.({ code: 1006 });
		vi.advanceTimersByTime(100);
		expect(first.onmessage).toBeNull();
		expect(first.onclose).toBeNull();
	});
});
