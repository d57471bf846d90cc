import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { myself } from "../src/people/me.svelte";
import { quiet } from "../src/people/quiet.svelte";

vi.stubGlobal("matchMedia", () => Object.assign(new EventTarget(), { matches: false }));
const { default: PersonMenu } = await import("../src/people/PersonMenu.svelte");
const { default: AdminPage } = await import("../src/people/AdminPage.svelte");
const { default: Privacy } = await import("../src/pages/Privacy.svelte");

let app: Record<string, unknown>;
const asked: { path: string; method: string; body: unknown }[] = [];
let answers: Record<string, unknown>;

beforeEach(() => {
	asked.length = 0;
	answers = {};
	myself.take({ id: "me", name: "", member: false, role: "admin" });
	HTMLDialogElement.prototype.showModal = function (this: HTMLDialogElement) {
		this.setAttribute("open", "");
	};
	HTMLDialogElement.prototype.close = function (this: HTMLDialogElement) {
		this.removeAttribute("open");
	};
	vi.stubGlobal("fetch", async (path: string, init: RequestInit = {}) => {
		const method = init.method ?? "GET";
		asked.push({ path, method, body: typeof init.body === "string" ? JSON.parse(init.body) : undefined });
		return new Response(JSON.stringify(answers[`${method} ${path}`] ?? []), { status: 200 });
	});
});

afterEach(() => unmount(app));

function find<T extends HTMLElement = HTMLElement>(testid: string): T | null {
	return document.querySelector<T>(`[data-testid=${testid}]`);
}

async function settle(): Promise<void> {
	for (let turn = 0; turn < 10; turn++) await Promise.resolve();
	await new Promise((done) => setTimeout(done));
	flushSync();
}

async function press(testid: string): Promise<void> {
	find(testid)?.click();
	flushSync();
	await settle();
}

function menu(props: { person: string; name: string; table?: string; seat?: number }): void {
	app = mount(PersonMenu, { target: document.body, props });
	flushSync();
}

test("there is no menu about oneself, nor about somebody nothing is known of", () => {
	menu({ person: "me", name: "Me", table: "t", seat: 0 });
	expect(find("person-menu")).toBeNull();
	unmount(app);
	menu({ person: "", name: "Ann" });
	expect(find("person-menu")).toBeNull();
});

test("somebody is muted here and blocked at the server, and both are taken back", async () => {
	menu({ person: "ann", name: "Ann" });
	await press("person-menu");
	expect(find("report")).toBeNull();
	await press("quiet");
	expect(quiet.has("ann")).toBe(true);
	expect(find("quiet")?.getAttribute("aria-pressed")).toBe("true");
	await press("quiet");
	expect(quiet.has("ann")).toBe(false);
	answers["POST /api/me/blocks"] = [{ person: "ann", name: "Ann" }];
	await press("block");
	expect(asked.at(-1)).toEqual({ path: "/api/me/blocks", method: "POST", body: { person: "ann" } });
	expect(find("block")?.getAttribute("aria-pressed")).toBe("true");
	await press("block");
	expect(asked.at(-1)).toMatchObject({ path: "/api/me/blocks/ann", method: "DELETE" });
	expect(find("block")?.getAttribute("aria-pressed")).toBe("false");
});

test.each([
	["ann", { person: "ann" }],
	["", { seat: 1 }],
])("a report names the person, or the seat of somebody with a link alone", async (person, whom) => {
	menu({ person, name: "Ann", table: "t", seat: 1 });
	await press("person-menu");
	await press("report");
	const text = find<HTMLTextAreaElement>("report-text");
	if (text) text.value = "Look";
	text?.dispatchEvent(new Event("input", { bubbles: true }));
	await press("send-report");
	expect(asked.at(-1)).toEqual({
		path: "/api/reports",
		method: "POST",
		body: { table: "t", reason: "insult", text: "Look", ...whom },
	});
	expect(document.querySelector("dialog[open]")).toBeNull();
});

const REPORT = {
	id: "r1", at: 1, by: "bob", by_name: "Bob", person: "ann", name: "Ann", table: "t", seat: 1, reason: "insult",
	text: "Look", closed: 0,
}; // biome-ignore format: one row of a table

test("an operator reads a report, takes a measure and closes it", async () => {
	const view = { reports: [REPORT], bans: [], measures: [] };
	const chat = [{ version: 1, role: "player", name: "Ann", text: "Boo", person: "ann", phrase: "" }];
	const snapshot = { game: 1, over: false, names: ["Bob", "Ann"], record: "", position: "p", chat };
	answers = {
		"GET /api/admin?closed=false": view,
		"GET /api/admin/reports/r1": { report: REPORT, snapshot, others: 2, bans: [] },
		"POST /api/admin/measures": { ...view, reports: [] },
	};
	app = mount(AdminPage, { target: document.body });
	await settle();
	document.querySelector<HTMLElement>("[data-testid=report-line] button")?.click();
	flushSync();
	await settle();
	expect(find("report-view")?.textContent).toContain("Boo");
	await press("choose");
	expect(find<HTMLInputElement>("target")?.value).toBe("ann");
	await press("close-report");
	expect(asked.at(-1)?.body).toEqual({ what: "close", person: "r1" });
	expect(find("report-line")).toBeNull();
	await press("do-it");
	expect(asked.at(-1)?.body).toEqual({ what: "mute", person: "ann", days: 7, why: "" });
});

test("the page on privacy lists what is kept, also what it has no words for", async () => {
	answers["GET /api/privacy"] = {
		relations: [
			{ name: "blocks", about: "Who does not want to meet whom.", kept: "x", columns: [{ name: "other", about: "y" }] },
			{ name: "new", about: "Something new.", kept: "a week", columns: [{ name: "thing", about: "a thing" }] },
		],
		keep_days: 33,
		keep_reports_days: 44,
		keep_guests_days: 55,
		hosts: ["mail.example.org"],
		push: true,
		webhooks: false,
	};
	app = mount(Privacy, { target: document.body });
	await settle();
	const words = find("privacy")?.textContent ?? "";
	for (const part of ["whom they do not want to meet", "a thing", "a week", "33 days", "44 days", "mail.example.org"])
		expect(words).toContain(part);
});
