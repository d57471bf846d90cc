import { beforeEach, describe, expect, test, vi } from "vitest";
import { all, forget, keys, remember, tokensOf } from "../src/lib/keyring";

beforeEach(() => localStorage.clear());

describe("the keyring", () => {
	test("knows nothing at first", () => {
		expect(all()).toEqual([]);
		expect(keys("t1")).toBeUndefined();
	});

	test("adds what becomes known to what was known", () => {
		remember("t1", { host: "h", seats: { 0: "a" }, title: "Ann, Bot" });
		remember("t1", { seats: { 2: "c" }, finished: true });
		expect(keys("t1")).toMatchObject({
			id: "t1",
			host: "h",
			seats: { 0: "a", 2: "c" },
			title: "Ann, Bot",
			finished: true,
		});
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
		expect(keys("t69")).toBeDefined();
		expect(keys("t0")).toBeUndefined();
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
		expect(keys("t1")?.title).toBe("kept");
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
