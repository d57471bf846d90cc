import { get } from "../net/api";
import type { PastGame } from "../net/history";
import type { KnownTable } from "../net/keyring";
import type { History, Leaderboard, ListedGame, MyGames, Profile } from "../protocol";
import { device, isRecord } from "../storage";
import { myself } from "./me.svelte";

const SHELF = "kb-hidden";
const MOST_HIDDEN = 300;

/** The games of the person at this device that run or have just ended; nothing where the server cannot be asked. */
export async function askMyGames(): Promise<ListedGame[]> {
	try {
		if (!(await myself.ask())) return [];
		return (await get<MyGames>("me/games")).games;
	} catch {
		return [];
	}
}

/** Some finished games of the person at this device, and where the next ones begin; nothing without the server. */
export async function askHistory(search = "", before = ""): Promise<{ games: PastGame[]; before: string }> {
	try {
		if (!(await myself.ask())) return { games: [], before: "" };
		const answer = await get<History>(`me/history?${new URLSearchParams({ search, before })}`);
		return { games: answer.games.map(pastGame), before: answer.before };
	} catch {
		return { games: [], before: "" };
	}
}

export const getProfile = (person: string): Promise<Profile> => get(`persons/${encodeURIComponent(person)}`);

export const getLeaderboard = (pool: string): Promise<Leaderboard> => get(`leaderboards/${encodeURIComponent(pool)}`);

/** A finished game on the server as this device keeps its own; boards and cards are not in the list. */
export function pastGame({ table, game, changed, seats, yours }: ListedGame): PastGame {
	return {
		table,
		game,
		ended: changed * 1000,
		seats: seats.map(({ name, level, gold }) => ({ name, level, gold: gold ?? 0 })),
		yours,
		winners: [...seats.keys()].filter((seat) => seats[seat]?.rank === 1),
		cards: [],
		sets: [],
		start: "",
	};
}

/** The tables to continue at: those of the server in its order, with what this device knows, then the device's others. */
export function together(own: KnownTable[], games: ListedGame[]): KnownTable[] {
	const known = new Map(own.map((table) => [table.id, table]));
	const latest = games.filter(({ table, game }) => games.every((each) => each.table !== table || each.game <= game));
	const listed = latest.map<KnownTable>(({ table, changed, over, round, seat, yours, seats }) => ({
		id: table,
		seats: {},
		invites: {},
		title: "",
		...known.get(table),
		updated: changed * 1000,
		finished: over,
		moment: { round, player: seat, names: seats.map(({ name }) => name), yours },
	}));
	return [...listed, ...own.filter(({ id }) => !latest.some(({ table }) => table === id))];
}

/** The game that waits for this person most, at another table and with other people; nothing if none does. */
export function nextOf(games: ListedGame[], table: string): ListedGame | undefined {
	return games.find(
		({ table: other, over, seat, yours, seats }) =>
			other !== table &&
			!over &&
			yours.includes(seat) &&
			seats.some(({ level }, number) => level === "" && !yours.includes(number)),
	);
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

export function isHiddenTable(id: string): boolean {
	return hidden().ids.includes(id);
}

/** The results that are not hidden on this device. */
export function visible(games: PastGame[]): PastGame[] {
	const { before, ids } = hidden();
	return games.filter(({ table, game, ended }) => ended > before && !ids.includes(`${table} ${game}`));
}
