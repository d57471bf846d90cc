import { get } from "../net/api";
import type { PastGame } from "../net/history";
import type { KnownTable } from "../net/keyring";
import type { Bests, History, Leaderboard, ListedGame, MyGames, Profile } from "../protocol";
import { device, isRecord } from "../storage";
import { showBadge } from "./badge";
import { myself } from "./me.svelte";

const SHELF = "kb-hidden";
const MOST_HIDDEN = 300;

/** The games of the person at this device that run or have just ended; nothing where the server cannot be asked. */
export async function askMyGames(): Promise<ListedGame[]> {
	try {
		if (!(await myself.ask())) return [];
		const { games } = await get<MyGames>("me/games");
		showBadge(games.filter(isWaiting).length);
		return games;
	} catch {
		return [];
	}
}

/** Finished games as the server lists them. */
interface Finished {
	games: PastGame[];
	/** Where the next ones begin; empty at the end. */
	before: string;
	/** The results of all of them in short; only with the first ones, and not of a search. */
	bests: Bests | null;
}

/** Some finished games of the person at this device; nothing without the server. */
export async function askHistory(search = "", before = ""): Promise<Finished> {
	try {
		if (await myself.ask()) {
			const answer = await get<History>(`me/history?${new URLSearchParams({ search, before })}`);
			return { ...answer, games: answer.games.map(pastGame) };
		}
	} catch {
		// What this device knows has to do.
	}
	return { games: [], before: "", bests: null };
}

/** The table where the person at this device last met another one; empty if they did not, or long ago. */
export async function metAt(person: string): Promise<string> {
	const games = [...(await askMyGames()), ...(await get<History>("me/history")).games];
	return games.find(({ seats }) => seats.some((seat) => seat.person === person))?.table ?? "";
}

export const getProfile = (person: string): Promise<Profile> => get(`persons/${encodeURIComponent(person)}`);

export const getLeaderboard = (pool: string): Promise<Leaderboard> => get(`leaderboards/${encodeURIComponent(pool)}`);

/** A finished game on the server as this device keeps its own; boards and cards are not in the list. */
export function pastGame({ table, game, changed, seats, yours, sets }: ListedGame): PastGame {
	return {
		table,
		game,
		ended: changed * 1000,
		seats: seats.map(({ name, level, gold, left }) => ({ name, level, gold: gold ?? 0, left })),
		yours,
		// What a bot won for somebody who had left is nobody's victory.
		winners: [...seats.keys()].filter((seat) => seats[seat]?.rank === 1 && !seats[seat].left),
		cards: [],
		sets,
		start: "",
	};
}

/** A table to continue at. */
export interface RunningGame extends KnownTable {
	/** When the time of the seat in turn runs out, in milliseconds. */
	deadline?: number | undefined;
}

/** The tables to continue at: those of the server in its order, with what this device knows, then the device's others. */
export function together(own: KnownTable[], games: ListedGame[]): RunningGame[] {
	const known = new Map(own.map((table) => [table.id, table]));
	const latest = games.filter(({ table, game }) => games.every((each) => each.table !== table || each.game <= game));
	const listed = latest.map<RunningGame>(({ table, changed, over, round, seat, yours, seats, deadline }) => ({
		id: table,
		seats: {},
		invites: {},
		title: "",
		...known.get(table),
		updated: changed * 1000,
		finished: over,
		deadline: over || deadline === null ? undefined : deadline * 1000,
		moment: { round, player: seat, names: seats.map(({ name }) => name), yours },
	}));
	return [...listed, ...own.filter(({ id }) => !latest.some(({ table }) => table === id))];
}

/** The game that waits for this person most, at another table and with other people; nothing if none does. */
export function nextOf(games: ListedGame[], table: string): ListedGame | undefined {
	return games.find((game) => game.table !== table && isWaiting(game));
}

/** Whether other people wait for this person. */
export function isWaiting({ over, seat, yours, seats }: ListedGame): boolean {
	return !over && yours.includes(seat) && seats.some(({ level }, number) => level === "" && !yours.includes(number));
}

interface Hidden {
	/** Everything that ended before this moment, in milliseconds. */
	before: number;
	/** What else: a table, or a table and the number of a game. */
	ids: string[];
}

function hidden(): Hidden {
	const kept = device.readJson(SHELF);
	if (!isRecord(kept)) return { before: 0, ids: [] };
	return {
		before: typeof kept.before === "number" ? kept.before : 0,
		ids: Array.isArray(kept.ids) ? kept.ids.filter((id) => typeof id === "string") : [],
	};
}

/** Keeps something that the server lists out of the lists on this device. */
export function hide(id: string): void {
	const { before, ids } = hidden();
	device.writeJson(SHELF, { before, ids: [id, ...ids].slice(0, MOST_HIDDEN) });
}

/** Keeps all results so far out of the list on this device. */
export function hideAllResults(): void {
	device.writeJson(SHELF, { ...hidden(), before: Date.now() });
}

/** Whether some results are kept out of the list on this device. */
export function hidesResults(): boolean {
	const { before, ids } = hidden();
	return before > 0 || ids.length > 0;
}

export function isHiddenTable(id: string): boolean {
	return hidden().ids.includes(id);
}

/** The results that are not hidden on this device. */
export function visible(games: PastGame[]): PastGame[] {
	const { before, ids } = hidden();
	return games.filter(({ table, game, ended }) => ended > before && !ids.includes(`${table} ${game}`));
}
