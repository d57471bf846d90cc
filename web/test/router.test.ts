import { beforeEach, describe, expect, test } from "vitest";
import { followAddress, go, partsOf, placeOf, route } from "../src/router.svelte";

const placeAt = (hash: string) => placeOf(partsOf(hash));

describe("addresses", () => {
	test.each([
		["", { page: "start" }],
		["#/", { page: "start" }],
		["#/new", { page: "new", friends: false }],
		["#/new/friends", { page: "new", friends: true }],
		["#/invite/t1", { page: "invite", id: "t1" }],
		["#/table/t1", { page: "table", id: "t1" }],
		["#/lessons", { page: "lessons" }],
		["#/lessons/a%20b", { page: "lesson", lesson: "a b" }],
		["#/seat/t1.secret", { page: "seat", token: "t1.secret" }],
		["#/watch/t1.secret", { page: "watch", token: "t1.secret" }],
		["#/join/t1.secret", { page: "join", token: "t1.secret" }],
		["#/replay/table/t1/2/17", { page: "replay", id: "t1", game: 2, ply: 17 }],
		["#/replay/table/t1", { page: "replay", id: "t1", game: 0, ply: null }],
		["#/replay/record", { page: "replay-record", ply: null }],
		["#/replay/record/5", { page: "replay-record", ply: 5 }],
		["#/record", { page: "record" }],
		["#/learn", { page: "learn" }],
		["#/rules", { page: "rules", topic: "", entry: "" }],
		["#/rules/turn", { page: "rules", topic: "turn", entry: "" }],
		["#/rules/entry/turn", { page: "rules", topic: "", entry: "turn" }],
		["#/daily", { page: "daily" }],
		["#/puzzles", { page: "puzzles" }],
		["#/puzzles/00adf06f", { page: "puzzle", key: "00adf06f" }],
		["#/about", { page: "about" }],
	])("%s", (hash, place) => {
		expect(placeAt(hash)).toEqual(place);
	});

	test.each([
		"#/nowhere",
		"#/table",
		"#/seat/",
		"#/replay",
		"#/replay/table",
		"#/about/us",
		"#/puzzles/a/b",
		"#/daily/x",
		"#/position",
	])("%s leads nowhere", (hash) => {
		expect(placeAt(hash)).toEqual({ page: "unknown" });
	});

	test("a position comes back as it was, encoded or not", () => {
		const position = "GG/D1(farm) - - 2 C5 - 1A/D/3/- 40:::D 40:::T";
		expect(placeAt(`#/position/${encodeURIComponent(position)}`)).toEqual({ page: "position", position });
		expect(placeAt(`#/position/${position}`)).toEqual({ page: "position", position });
	});

	test("a broken encoding is taken as it is", () => {
		expect(placeAt("#/rules/100%")).toEqual({ page: "rules", topic: "100%", entry: "" });
	});

	test("a number that is none is left out", () => {
		expect(placeAt("#/replay/table/t1/x/-3")).toEqual({ page: "replay", id: "t1", game: 0, ply: null });
	});
});

describe("going", () => {
	beforeEach(() => go("/", { replace: true }));

	test("changes the address and the route", () => {
		go("/table/t1");
		expect(location.hash).toBe("#/table/t1");
		expect(route.place).toEqual({ page: "table", id: "t1" });
	});

	test("can replace the address so that a link with a key is not in the history", () => {
		go("/seat/secret");
		const { length } = history;
		go("/table/t1", { replace: true });
		expect(history.length).toBe(length);
		expect(location.hash).toBe("#/table/t1");
	});

	test("links are followed", async () => {
		const stop = followAddress();
		const followed = new Promise((resolve) => window.addEventListener("hashchange", resolve, { once: true }));
		location.hash = "#/about";
		await followed;
		expect(route.place).toEqual({ page: "about" });
		stop();
	});
});
