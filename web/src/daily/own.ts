import { device, isRecord } from "../storage";

/** The daily games of this device: the table last used for a date, and the most gold. */
export interface Own {
	date: string;
	table: string;
	best: number | null;
}

const SHELF = "kb-daily";
const MOST = 60;

/** The games of this device, the latest date first. */
export function ownGames(): Own[] {
	const kept = device.readJson(SHELF);
	return Array.isArray(kept) ? kept.filter(isOwn) : [];
}

function isOwn(value: unknown): value is Own {
	return isRecord(value) && typeof value.date === "string" && typeof value.table === "string";
}

export function ownGame(date: string): Own | undefined {
	return ownGames().find((game) => game.date === date);
}

/** Keeps the table where the game of a date is played, or how much gold it brought. */
export function keepOwn(date: string, table: string, gold?: number): void {
	const before = ownGame(date)?.best ?? null;
	const best = gold === undefined ? before : Math.max(gold, before ?? 0);
	const others = ownGames().filter((game) => game.date !== date);
	const games = [{ date, table, best }, ...others].sort((a, b) => (a.date < b.date ? 1 : -1));
	device.writeJson(SHELF, games.slice(0, MOST));
}
