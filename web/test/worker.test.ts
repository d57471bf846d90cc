import { afterEach, expect, test, vi } from "vitest";
import { pictureOf } from "../src/net/api";
import { isSamePlace, noticeOf } from "../src/worker/notice";
import { answerKept, answerPage, forgetOldShells, KEPT_HEADER, keepShell, wayOf } from "../src/worker/offline";
import type { Shell } from "../src/worker/shell";

const ORIGIN = "https://kb.test";
const SHELL: Shell = {
	version: "new",
	files: ["/assets/a-1.js"],
	entry: "assets/a-1.js",
	positions: ["hero", "figure"],
};

/** The part of the browser's caches that is used. */
class Caches {
	readonly all = new Map<string, Map<string, Response>>();
	open = async (name: string) => {
		const kept = this.all.get(name) ?? new Map<string, Response>();
		this.all.set(name, kept);
		const key = (request: Request | string) => (typeof request === "string" ? request : request.url);
		return {
			put: async (request: Request | string, response: Response) => void kept.set(key(request), response),
			match: async (request: Request | string) => kept.get(key(request))?.clone(),
		};
	};
	keys = async () => [...this.all.keys()];
	delete = async (name: string) => this.all.delete(name);
}

function offline(answers: Record<string, Response | undefined> = {}): Caches {
	const caches = new Caches();
	vi.stubGlobal("caches", caches);
	vi.stubGlobal("fetch", async (asked: Request | string) => {
		const answer = answers[typeof asked === "string" ? asked : new URL(asked.url).pathname];
		if (!answer) throw new TypeError("no network");
		return answer.clone();
	});
	return caches;
}

afterEach(() => {
	vi.unstubAllGlobals();
	vi.useRealTimers();
});

const way = (path: string, more: { method?: string; mode?: RequestMode } = {}) =>
	wayOf({ method: "GET", mode: "cors", url: new URL(path, ORIGIN).href, ...more }, SHELL, ORIGIN);

test("only the page, its files, the catalogue, the lessons and pictures of the rules are ever kept", () => {
	expect(way("/", { mode: "navigate" })).toBe("page");
	expect(way("/assets/a-1.js")).toBe("file");
	for (const path of ["/api/catalogue", "/api/lessons", pictureOf("hero"), pictureOf("figure", "legal")])
		expect(way(path), path).toBe("kept");
	const players = { names: ["Ann"], colours: [1] };
	for (const path of [
		"/api/me",
		"/api/table/replay?game=0",
		"/api/catalogue?x",
		"/api/catalogue/me",
		"/worker.js",
		"https://example.org/assets/a-1.js",
		pictureOf("hero", "", players),
		pictureOf("a game of somebody"),
	])
		expect(way(path), path).toBe("network");
	expect(way("/api/catalogue", { method: "POST" })).toBe("network");
	expect(way("/api/openapi.json", { mode: "navigate" })).toBe("network");
});

test("the page is the network's if that answers in time, otherwise the kept one", async () => {
	const request = new Request(`${ORIGIN}/`);
	const keep = async (caches: Caches) => (await caches.open("kb-shell-new")).put("/", new Response("kept"));
	await keep(offline({ "/": new Response("new") }));
	expect(await (await answerPage(SHELL, request)).text()).toBe("new");
	expect(await (await answerPage(SHELL, request, Promise.resolve(new Response("early")))).text()).toBe("early");
	await keep(offline({ "/": new Response("bad gateway", { status: 502 }) }));
	expect(await (await answerPage(SHELL, request)).text()).toBe("kept");
	await keep(offline());
	expect(await (await answerPage(SHELL, request)).text()).toBe("kept");
	vi.useFakeTimers();
	await keep(offline());
	vi.stubGlobal("fetch", () => new Promise(() => undefined));
	const late = answerPage(SHELL, request);
	await vi.advanceTimersByTimeAsync(5000);
	expect(await (await late).text()).toBe("kept");
});

test("an answer that is kept says so, and without one the request fails as it would have", async () => {
	const request = new Request(`${ORIGIN}/api/lessons`);
	offline({ "/api/lessons": new Response("[]") });
	expect((await answerKept(SHELL, request)).headers.has(KEPT_HEADER)).toBe(false);
	vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no network")));
	const kept = await answerKept(SHELL, request);
	expect([await kept.text(), kept.headers.has(KEPT_HEADER)]).toEqual(["[]", true]);
	offline();
	await expect(answerKept(SHELL, request)).rejects.toThrow("no network");
});

test("a build is kept whole or not at all", async () => {
	const picture = `/api/picture?${new URLSearchParams({ position: "hero" })}`;
	const answers = Object.fromEntries(
		["/assets/a-1.js", "/api/catalogue", "/api/lessons", picture].map((path) => [path, new Response(path)]),
	);
	const page = new Response('<script src="/assets/a-1.js">');
	const whole = offline({ ...answers, "/": page });
	await keepShell(SHELL);
	expect([...(whole.all.get("kb-shell-new")?.keys() ?? [])].sort()).toEqual([...Object.keys(answers), "/"].sort());
	offline({ ...answers, "/": new Response('<script src="/assets/a-2.js">') });
	await expect(keepShell(SHELL)).rejects.toThrow("another build");
	offline({ ...answers, "/": page, "/assets/a-1.js": new Response("", { status: 404 }) });
	await expect(keepShell(SHELL)).rejects.toThrow("404");
});

test("of the older builds only the last is kept, for its open pages", async () => {
	const caches = offline();
	for (const name of ["kb-shell-1", "kb-shell-2", "of somebody else", "kb-shell-new"]) await caches.open(name);
	await forgetOldShells(SHELL);
	expect(await caches.keys()).toEqual(["kb-shell-2", "of somebody else", "kb-shell-new"]);
});

test("a push leads to no other server, whatever it says, and is bounded", () => {
	for (const url of ["https://example.org/", "//example.org", "javascript:alert(1)", "data:text/html,x", "http://[", 7])
		expect(noticeOf(JSON.stringify({ title: "Hi", url }), ORIGIN).url, String(url)).toBe(`${ORIGIN}/`);
	expect(noticeOf('{"url": "/#/table/abc"}', ORIGIN).url).toBe(`${ORIGIN}/#/table/abc`);
	for (const text of ["", "[]", "null", "7", "{", '{"title": {}}'])
		expect(noticeOf(text, ORIGIN)).toEqual({ title: "Kingdom Builder", body: "", url: `${ORIGIN}/`, tag: "" });
	const long = noticeOf(JSON.stringify({ title: "x".repeat(9999), body: "x".repeat(9999) }), ORIGIN);
	expect([long.title.length, long.body.length]).toEqual([80, 240]);
});

test("pages of the same table are the same place", () => {
	const same = (one: string, other: string) => isSamePlace(`${ORIGIN}/${one}`, `${ORIGIN}/${other}`);
	expect(same("#/table/abc", "#/table/abc/x")).toBe(true);
	expect(same("", "#/")).toBe(true);
	expect(same("#/table/abc", "#/table/abcd")).toBe(false);
	expect(same("#/table/abc", "")).toBe(false);
});
