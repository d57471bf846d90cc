import { beforeEach, describe, expect, test } from "vitest";
import type { KnownTable } from "../src/net/keyring";
import { EVERYTHING, filtered } from "../src/pages/bests";
import { hide, hideAllResults, isHiddenTable, nextOf, pastGame, together, visible } from "../src/people/games.svelte";
import type { ListedGame } from "../src/protocol";
import { placeOf } from "../src/router.svelte";

function game(table: string, news: Partial<ListedGame> = {}): ListedGame {
	const seat = { level: "", person: "", gold: null, rank: null, left: false };
	return {
		table,
		game: 1,
		changed: 10,
		clock: "none",
		pool: "",
		rated: false,
		over: false,
		round: 3,
		seat: 0,
		deadline: null,
		yours: [0],
		seats: [
			{ ...seat, name: "Ann", colour: 0 },
			{ ...seat, name: "Bob", colour: 1 },
		],
		sets: [],
		...news,
	};
}

const known = (id: string): KnownTable => ({
	id,
	host: "key",
	seats: { 0: "token" },
	invites: {},
	title: "Old",
	updated: 1,
	finished: false,
});

beforeEach(() => localStorage.clear());

describe("games of the server", () => {
	test("come first, in its order, and leave the keys of this device alone", () => {
		const tables = together([known("x"), known("b")], [game("a"), game("b", { over: true })]);
		expect(tables.map(({ id }) => id)).toEqual(["a", "b", "x"]);
		expect(tables[1]).toMatchObject({ host: "key", seats: { 0: "token" }, finished: true, updated: 10_000 });
		expect(tables[1]?.moment).toEqual({ round: 3, player: 0, names: ["Ann", "Bob"], yours: [0] });
	});

	test("tell until when the seat in turn has time, while they run", () => {
		const tables = together([], [game("a", { deadline: 99 }), game("b", { deadline: 99, over: true }), game("c")]);
		expect(tables.map(({ deadline }) => deadline)).toEqual([99_000, undefined, undefined]);
	});

	test("without an answer the list is that of the device", () => {
		expect(together([known("x")], [])).toEqual([known("x")]);
	});

	test("of several games at a table the latest counts", () => {
		const tables = together([], [game("a", { over: true }), game("a", { game: 2 })]);
		expect(tables.map(({ id, finished }) => [id, finished])).toEqual([["a", false]]);
	});

	test("the next game is one of my turns, elsewhere, with people", () => {
		const bots = game("bots");
		bots.seats = bots.seats.map((seat, n) => ({ ...seat, level: n ? "easy" : "" }));
		const games = [game("here"), bots, game("over", { over: true }), game("theirs", { seat: 1 }), game("next")];
		expect(nextOf(games, "here")?.table).toBe("next");
		expect(nextOf(games.slice(0, 4), "here")).toBeUndefined();
	});

	test("a seat that was left has not won, and its gold is not its player's", () => {
		const [one] = game("a").seats;
		if (!one) throw new Error("no seat");
		const left = { ...one, level: "greedy", gold: 90, rank: 1, left: true };
		const other = { ...one, gold: 20, rank: 1 };
		const past = pastGame(game("a", { over: true, yours: [0], seats: [left, other] }));
		expect(past).toMatchObject({ winners: [1], seats: [{ gold: 90, left: true }, { left: false }] });
		expect(filtered([past], { ...EVERYTHING, result: "won" })).toEqual([]);
	});

	test("what was removed stays away", () => {
		const [seat] = game("a").seats;
		if (!seat) throw new Error("no seat");
		const listed = game("a", { over: true, seats: [{ ...seat, gold: 40, rank: 1 }] });
		const past = pastGame({ ...listed, sets: ["nomads"] });
		expect(filtered([past], { ...EVERYTHING, set: "nomads" })).toHaveLength(1);
		expect(filtered([past], { ...EVERYTHING, set: "crossroads" })).toEqual([]);
		expect(past).toMatchObject({ winners: [0], ended: 10_000, yours: [0] });
		expect(visible([past])).toEqual([past]);
		hide("a 1");
		hide("b");
		expect(visible([past])).toEqual([]);
		expect([isHiddenTable("a"), isHiddenTable("b")]).toEqual([false, true]);
		hideAllResults();
		expect(visible([{ ...past, table: "c" }])).toEqual([]);
		expect(visible([{ ...past, table: "c", ended: Date.now() + 1000 }])).toHaveLength(1);
	});
});

test("leaderboards and persons have addresses", () => {
	expect(placeOf(["leaderboard"])).toEqual({ page: "leaderboard", pool: "live-2" });
	expect(placeOf(["leaderboard", "days-many"])).toEqual({ page: "leaderboard", pool: "days-many" });
	expect(placeOf(["leaderboard", "chess"])).toEqual({ page: "unknown" });
	expect(placeOf(["person", "ab"])).toEqual({ page: "person", person: "ab" });
	expect(placeOf(["person"])).toEqual({ page: "unknown" });
});
