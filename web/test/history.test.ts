import { beforeEach, describe, expect, test } from "vitest";
import { forgetAllGames, forgetGame, keepGame, type PastGame, pastGames } from "../src/net/history";
import { all, remember } from "../src/net/keyring";
import { bestsOf, EVERYTHING, figuresOf, filtered, goldOf, isWon, leadOf } from "../src/pages/bests";

function game(number: number, news: Partial<PastGame> = {}): PastGame {
	return {
		table: "t",
		game: number,
		ended: number,
		seats: [
			{ name: "Ann", level: "", gold: 40 + number },
			{ name: "Marina", level: "marina", gold: 45 },
		],
		yours: [0],
		winners: [number > 5 ? 0 : 1],
		cards: ["lords"],
		sets: ["base"],
		start: "",
		...news,
	};
}

beforeEach(() => localStorage.clear());

describe("finished games", () => {
	test("are kept once, latest first, at most three hundred", () => {
		for (let number = 1; number <= 310; number++) keepGame(game(number));
		keepGame(game(310, { ended: 999 }));
		const kept = pastGames();
		expect(kept).toHaveLength(300);
		expect(kept[0]).toEqual(game(310));
		expect(kept.at(-1)?.game).toBe(11);
	});

	test("are forgotten one by one or all at once", () => {
		for (const number of [1, 2, 3]) keepGame(game(number));
		forgetGame(game(2));
		expect(pastGames().map((each) => each.game)).toEqual([3, 1]);
		forgetAllGames();
		expect(pastGames()).toEqual([]);
	});

	test.each([
		"",
		"null",
		"[]",
		"{",
		'{"games": 3}',
		'{"games": [null, 3, {}, {"table": "t"}, {"table": "t", "seats": [1, {}]}]}',
	])("that cannot be read are left out: %s", (text) => {
		localStorage.setItem("kb-history", text);
		expect(pastGames()).toEqual([]);
		keepGame(game(1));
		expect(pastGames()).toHaveLength(1);
	});

	test("of another version are read as far as they are known", () => {
		const seats = [{ name: "Ann", gold: 3, hat: "red" }, { level: "hard" }];
		const stored = { table: "t", seats, yours: [0, 7, "x"], winners: "both", shape: 1 };
		localStorage.setItem("kb-history", JSON.stringify({ version: 9, games: [stored] }));
		expect(pastGames()).toEqual([
			{
				table: "t",
				game: 1,
				ended: 0,
				seats: [
					{ name: "Ann", level: "", gold: 3 },
					{ name: "", level: "hard", gold: 0 },
				],
				yours: [0],
				winners: [],
				cards: [],
				sets: [],
				start: "",
			},
		]);
	});
});

describe("personal bests", () => {
	const games = [9, 8, 3, 7, 1].map((number) => game(number));

	test("are those of the games that are shown", () => {
		const bests = bestsOf(games);
		expect(bests).toMatchObject({ games: 5, won: 3, streak: 2 });
		expect(bests.mean).toBeCloseTo(45.6);
		expect(bests.gold && goldOf(bests.gold)).toBe(49);
		expect(bests.lead && leadOf(bests.lead)).toBe(4);
	});

	test("leave out games of several people at one device", () => {
		const shared = game(99, { yours: [0, 1], winners: [0] });
		expect(isWon(shared)).toBe(false);
		expect(bestsOf([shared])).toMatchObject({ games: 0, won: 0, gold: undefined, lead: undefined });
		expect(filtered([shared], { ...EVERYTHING, result: "lost" })).toEqual([]);
	});

	test("leave out the gold of games that were left, which a bot played to the end", () => {
		const left = game(99);
		left.winners = [];
		left.seats = left.seats.map((seat, number) => ({ ...seat, gold: 99, left: number === left.yours[0] }));
		const bests = bestsOf([...games, left]);
		expect(bests).toMatchObject({ games: 6, won: 3 });
		expect(bests.mean).toBeCloseTo(45.6);
		expect(bests.gold && goldOf(bests.gold)).toBe(49);
		expect(bests.lead && leadOf(bests.lead)).toBe(4);
		expect(bestsOf([left])).toMatchObject({ games: 1, won: 0, mean: 0, gold: undefined, lead: undefined });
	});

	test("are those of all games that the server has counted, while some are not listed", () => {
		const counted = { games: 75, won: 40, gold: 48, mean: 41, left: 1 };
		const all = { games: 75, won: 40, gold: 49, mean: 41, lead: undefined, streak: undefined, partial: false };
		expect(figuresOf(bestsOf(games), counted, true)).toEqual(all);
		expect(figuresOf(bestsOf(games), { ...counted, gold: 90 }, true)).toEqual({ ...all, gold: 90 });
	});

	test("are those of the list where it has everything, and say so where it has not", () => {
		const counted = { games: 4, won: 1, gold: 20, mean: 20, left: 0 };
		const listed = { games: 5, won: 3, gold: 49, lead: 4, streak: 2 };
		expect(figuresOf(bestsOf(games), { ...counted, games: 75 }, false)).toMatchObject({ ...listed, partial: false });
		expect(figuresOf(bestsOf(games), counted, true)).toMatchObject({ ...listed, partial: true });
		expect(figuresOf(bestsOf(games), null, true)).toMatchObject({ ...listed, partial: true });
		expect(figuresOf(bestsOf([]), null, false)).toMatchObject({ games: 0, gold: 0, lead: undefined, partial: false });
	});

	test("of nothing are nothing", () => {
		expect(bestsOf([])).toMatchObject({ games: 0, won: 0, mean: 0, streak: 0 });
	});

	test.each([
		[{ result: "won" as const }, [9, 8, 7]],
		[{ result: "lost" as const }, [3, 1]],
		[{ rivals: "people" as const }, []],
		[{ rivals: "bots" as const, players: 2 }, [9, 8, 3, 7, 1]],
		[{ players: 3 }, []],
		[{ set: "nomads" }, []],
	])("are of the games that fit %o", (filter, numbers) => {
		expect(filtered(games, { ...EVERYTHING, ...filter }).map((each) => each.game)).toEqual(numbers);
	});
});

describe("a table in the list to continue", () => {
	const moment = { round: 3, player: 1, names: ["Ann", ""], yours: [0] };

	test("keeps the moment at which it was left", () => {
		remember("t1", { moment });
		remember("t1", { title: "x" });
		expect(all()[0]).toMatchObject({ title: "x", moment });
	});

	test.each([undefined, 3, {}, { round: 1 }, { ...moment, names: "Ann" }])("opens without one: %o", (strange) => {
		localStorage.setItem("kb-tables", JSON.stringify({ t1: { host: "t1.h", moment: strange } }));
		expect(all()[0]?.moment).toBeUndefined();
	});
});
