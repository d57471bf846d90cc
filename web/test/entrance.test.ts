import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { knownTable, remember, tokensAt } from "../src/net/keyring";
import { myself } from "../src/people/me.svelte";
import type { AnyCommand, AnyMessage } from "../src/protocol";
import { refusal, refused } from "./messages";

vi.stubGlobal("matchMedia", () => Object.assign(new EventTarget(), { matches: false }));
const { default: Entrance } = await import("../src/table/Entrance.svelte");

class FakeSocket {
	onopen: (() => void) | null = null;
	onmessage: ((event: { data: string }) => void) | null = null;
	onclose: ((event: { code: number }) => void) | null = null;

	constructor() {
		socket = this;
	}

	send(data: string): void {
		sent.push(JSON.parse(data));
	}
	close(): void {}

	say(message: AnyMessage): void {
		this.onmessage?.({ data: JSON.stringify(message) });
	}
}

let socket: FakeSocket;
let sent: AnyCommand[];
let app: Record<string, unknown>;

function refuse(token: string, code: string, text: string): void {
	app = mount(Entrance, { target: document.body, props: { place: { page: "seat", token } } });
	flushSync();
	socket.onopen?.();
	socket.say(refused("", code, text));
	flushSync();
}

function shown(): string {
	return document.body.textContent?.replace(/\s+/g, " ") ?? "";
}

function find(testid: string): HTMLElement | null {
	return document.querySelector(`[data-testid=${testid}]`);
}

beforeEach(() => {
	localStorage.clear();
	sessionStorage.clear();
	vi.stubGlobal("WebSocket", FakeSocket);
	sent = [];
});

afterEach(() => unmount(app));

test("a void key is told in the server's words and forgotten, other keys of the table are kept", () => {
	remember("t1", { watch: "t1.w", seats: { 0: "t1.a" } });
	refuse("t1.a", "void-key", "This seat was given to somebody else.");
	expect(shown()).toContain("This seat was given to somebody else.");
	expect(document.querySelector("[data-testid=trouble] a")?.getAttribute("href")).toBe("#/");
	expect(knownTable("t1")).toMatchObject({ watch: "t1.w", seats: {} });
});

test("who was sent away is told so", () => {
	refuse("t1.w", "removed", "");
	expect(shown()).toContain("You were sent away");
});

describe("a log that cannot be read to its end", () => {
	test.each([
		["damaged", "The log of this table is damaged"],
		["newer", "needs a newer version"],
		["outdated", "cannot go on under the rules of today"],
	])("is told as what it is: %s", (code, title) => {
		refuse("t1.a", code, "Entry 7 cannot be read.");
		expect(shown()).toContain(title);
		expect(shown()).toContain("Entry 7 cannot be read.");
		expect(shown()).not.toContain("The game is safe");
	});

	test("can be looked at, also by who came by a link", () => {
		refuse("t1.a", "damaged", "");
		expect(find("read-rest")?.getAttribute("href")).toBe("#/replay/table/t1/0");
		expect(tokensAt("t1")).toEqual(["t1.a"]);
	});

	test("says if nothing of it can be downloaded", async () => {
		const answer = JSON.stringify(refusal("damaged", ""));
		const asked = vi.fn(() => Promise.resolve(new Response(answer, { status: 409 })));
		vi.stubGlobal("fetch", asked);
		refuse("t1.a", "damaged", "");
		find("save-rest")?.click();
		await vi.waitFor(() => {
			flushSync();
			expect(document.querySelector("[role=alert]")?.textContent).toContain("cannot be downloaded");
		});
		expect(asked).toHaveBeenCalledExactlyOnceWith("/api/table/record?game=0&table=t1", {
			headers: { Authorization: "Bearer t1.a" },
		});
	});
});

test("a server that cannot reach its games is told so while the page goes on trying", async () => {
	refuse("t1.a", "store", "The disk is full.");
	await vi.waitFor(() => {
		flushSync();
		expect(shown()).toContain("The server cannot read or write its games at the moment");
		expect(shown()).toContain("The disk is full.");
	});
	expect(find("trouble")).toBeNull();
});

describe("where a seat may be free", () => {
	const known = vi.spyOn(myself, "ask");

	beforeEach(() => known.mockReset());

	async function enter(page: "join" | "table", what: string): Promise<void> {
		const place = page === "join" ? { page, token: what } : { page, id: what };
		app = mount(Entrance, { target: document.body, props: { place } });
		flushSync();
		await Promise.resolve();
		flushSync();
	}

	test.each([["join", "t1.i"] as const, ["table", "t1"] as const])(
		"the server knows who comes before they can take a seat: %s",
		async (page, what) => {
			let tell: () => void = () => undefined;
			known.mockReturnValue(new Promise((resolve) => (tell = () => resolve(undefined))));
			const before = socket;
			await enter(page, what);
			expect(socket).toBe(before);
			tell();
			await vi.waitFor(() => {
				flushSync();
				expect(socket).not.toBe(before);
			});
			socket.onopen?.();
			expect(sent).toMatchObject([{ type: "hello", tokens: page === "join" ? [what] : [] }]);
		},
	);
});
