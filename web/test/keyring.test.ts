import { beforeEach, describe, expect, test, vi } from "vitest";
import {
	all,
	dropTokens,
	forget,
	keepForTab,
	knownTable,
	remember,
	tableOf,
	tokensAt,
	tokensOf,
} from "../src/net/keyring";

beforeEach(() => {
	localStorage.clear();
	sessionStorage.clear();
});

describe("the keyring", () => {
	test("knows nothing at first", () => {
		expect(all()).toEqual([]);
		expect(knownTable("t1")).toBeUndefined();
	});

	test("adds what becomes known to what was known", () => {
		remember("t1", { host: "h", seats: { 0: "a" }, title: "Ann, Bot" });
		remember("t1", { seats: { 2: "c" }, finished: true });
		expect(knownTable("t1")).toMatchObject({
			id: "t1",
			host: "h",
			seats: { 0: "a", 2: "c" },
			title: "Ann, Bot",
			finished: true,
		});
	});

	test("shows the table's link until a seat was taken by it", () => {
		const invite = "t1.i";
		expect(tokensOf(remember("t1", { invite, watch: "t1.w" }))).toEqual([invite]);
		expect(tokensOf(remember("t1", { host: "t1.h" }))).toEqual(["t1.h", invite]);
		expect(tokensOf(remember("t1", { seats: { 1: "t1.b" } }))).toEqual(["t1.b", "t1.h"]);
		dropTokens("t1", [invite]);
		expect(knownTable("t1")?.invite).toBeUndefined();
	});

	test("knows which tables are lessons, also when somebody comes back to them", () => {
		remember("t1", { lesson: "first" });
		remember("t1", { title: "Ann, Bot", finished: true });
		remember("t2", {});
		expect([knownTable("t1")?.lesson, knownTable("t2")?.lesson]).toEqual(["first", undefined]);
	});

	test("lists the latest table first and forgets", () => {
		remember("old", { updated: 1 });
		remember("new", { updated: 3 });
		remember("middle", { updated: 2 });
		expect(all().map(({ id }) => id)).toEqual(["new", "middle", "old"]);
		forget("new");
		expect(all().map(({ id }) => id)).toEqual(["middle", "old"]);
	});

	test("keeps a limited number of tables, the latest ones", () => {
		for (let n = 0; n < 70; n++) remember(`t${n}`, { updated: n });
		expect(all()).toHaveLength(60);
		expect(knownTable("t69")).toBeDefined();
		expect(knownTable("t0")).toBeUndefined();
	});

	test.each(["not json", "[]", "null", "7", '{"t1":null}'])("bears a shelf with %s", (text) => {
		localStorage.setItem("kb-tables", text);
		expect(all()).toEqual([]);
		expect(remember("t2", { title: "x" }).title).toBe("x");
	});

	test("works without storage", () => {
		const full = vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
			throw new DOMException("full", "QuotaExceededError");
		});
		remember("t1", { title: "kept" });
		expect(knownTable("t1")?.title).toBe("kept");
		full.mockRestore();
		forget("t1");
	});
});

describe("the keys shown to the server", () => {
	test("are those of the own seats in order and the host's", () => {
		const table = remember("t1", { host: "h", watch: "w", seats: { 2: "c", 0: "a" }, invites: { 1: "b" } });
		expect(tokensOf(table)).toEqual(["a", "c", "h"]);
	});

	test("are the one for looking on if there is no other", () => {
		expect(tokensOf(remember("t1", { watch: "w" }))).toEqual(["w"]);
		expect(tokensOf(remember("t2", {}))).toEqual([]);
	});
});

describe("a void key", () => {
	test("is forgotten, and the others are kept", () => {
		remember("t1", { host: "h", watch: "w", seats: { 0: "a", 2: "c" }, invites: { 1: "b" }, updated: 7 });
		dropTokens("t1", ["a", "b"]);
		expect(knownTable("t1")).toMatchObject({ host: "h", watch: "w", seats: { 2: "c" }, invites: {}, updated: 7 });
		dropTokens("t1", ["w", "h"]);
		expect(knownTable("t1")?.watch).toBeUndefined();
		expect(tokensAt("t1")).toEqual(["c", "h"]);
	});

	test("takes the table with it if there is no other", () => {
		remember("t1", { seats: { 0: "a" } });
		remember("t2", { seats: { 0: "x" } });
		dropTokens("t1", ["a"]);
		expect(all().map(({ id }) => id)).toEqual(["t2"]);
	});

	test("of a tab gives way to what the device has", () => {
		remember("t1", { host: "h" });
		keepForTab("t1", "a");
		keepForTab("t2", "x");
		expect(tokensAt("t1")).toEqual(["a"]);
		dropTokens("t1", ["a"]);
		expect(tokensAt("t1")).toEqual(["h"]);
		expect(tokensAt("t2")).toEqual(["x"]);
	});

	test("of a table that is not known changes nothing", () => {
		dropTokens("t1", ["a"]);
		expect(all()).toEqual([]);
	});
});

test("a renewed key for looking on takes the place of the old one", () => {
	remember("t1", { host: "h", watch: "old", seats: { 0: "a" } });
	remember("t1", { watch: "new" });
	expect(knownTable("t1")).toMatchObject({ host: "h", watch: "new", seats: { 0: "a" } });
});

test("a key says which table it belongs to", () => {
	expect(tableOf("0123ab.secret")).toBe("0123ab");
	expect(tableOf("")).toBe("");
});
