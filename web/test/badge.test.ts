import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ListedGame } from "../src/protocol";

const { showTurnSign } = await import("../src/table/turnSign");
const { askMyGames } = await import("../src/people/games.svelte");

const seat = { name: "", level: "", person: "", colour: 0, gold: null, rank: null, left: false };
const bot = { ...seat, level: "easy" };

function game(table: string, seats: (typeof seat)[], turn = 0, over = false): ListedGame {
	const rest = { game: 1, changed: 1, clock: "days", pool: "", rated: false, round: 1, deadline: null, sets: [] };
	return { ...rest, table, over, seat: over ? -1 : turn, yours: [0], seats };
}

let games: ListedGame[] = [];
let badges: (number | string)[] = [];

beforeEach(() => {
	badges = [];
	vi.stubGlobal("navigator", {
		setAppBadge: async (count: number) => void badges.push(count),
		clearAppBadge: async () => void badges.push("none"),
	});
	vi.stubGlobal("fetch", async (path: string) =>
		Response.json(path.endsWith("games") ? { games, waiting: games.length } : { id: "1" }),
	);
});

afterEach(() => vi.unstubAllGlobals());

test("the icon shows how many games with other people wait", async () => {
	games = [
		game("a", [seat, seat]),
		game("b", [seat, seat], 1),
		game("c", [seat, bot]),
		game("d", [seat, seat], 0, true),
	];
	await askMyGames();
	expect(badges).toEqual([1]);
	games = [game("a", [seat, seat]), game("b", [seat, seat, bot])];
	await askMyGames();
	expect(badges).toEqual([1, 2]);
	games = [];
	await askMyGames();
	expect(badges.at(-1)).toBe("none");
});

test("a turn that has just begun counts although the list does not know it yet", async () => {
	games = [];
	showTurnSign(true);
	await vi.waitFor(() => expect(badges).toEqual([1, "none", 1]));
	showTurnSign(true);
	expect(badges.length).toBe(3);
	games = [game("b", [seat, seat])];
	showTurnSign(false);
	await vi.waitFor(() => expect(badges.slice(3)).toEqual(["none", 1]));
});
