import type { SetupView, TableView, View } from "../protocol";
import { device, isRecord } from "../storage";

/** Who sat at a seat of a finished game. */
export interface PastSeat {
	name: string;
	/** The level of a bot; empty for a person. */
	level: string;
	gold: number;
	/** Whether its player had left, so that the gold is not theirs; only games that the server lists say it. */
	left?: boolean;
}

/** A game that was played to its end on this device. */
export interface PastGame {
	/** The table and the number of the game at it. */
	table: string;
	game: number;
	/** When it ended, in milliseconds. */
	ended: number;
	seats: PastSeat[];
	/** The seats that were played here. */
	yours: number[];
	winners: number[];
	cards: string[];
	/** The boxes that its sections and cards are from. */
	sets: string[];
	/** The position that it began from; empty if it is too long to keep. */
	start: string;
}

const SHELF = "kb-history";
const VERSION = 1;
const MOST = 300;
/** Drawn maps can be long; the printed sections need about a hundred characters. */
const LONGEST_START = 1500;

/** All finished games that this device remembers, latest first. Whatever cannot be read is left out. */
export function pastGames(): PastGame[] {
	const kept = device.readJson(SHELF);
	const games = isRecord(kept) && Array.isArray(kept.games) ? kept.games : [];
	return games.map(pastGame).filter((game) => game !== undefined);
}

/** Keeps a finished game; the same game again replaces what was known of it, but for when it ended. */
export function keepGame(game: PastGame): void {
	const games = pastGames();
	const known = games.find((each) => isSame(each, game));
	const others = games.filter((each) => !isSame(each, game));
	const kept = [known ? { ...game, ended: known.ended } : game, ...others].sort((a, b) => b.ended - a.ended);
	write(kept);
}

export function forgetGame(game: PastGame): void {
	write(pastGames().filter((each) => !isSame(each, game)));
}

export function forgetAllGames(): void {
	write([]);
}

function write(games: PastGame[]): void {
	device.writeJson(SHELF, { version: VERSION, games: games.slice(0, MOST) });
}

function isSame(one: PastGame, other: PastGame): boolean {
	return one.table === other.table && one.game === other.game;
}

/** What is kept of a game that has just ended. */
export function gameOf(table: TableView, setup: SetupView, view: View, sets: string[], now = Date.now()): PastGame {
	return {
		table: table.id,
		game: table.game,
		ended: now,
		seats: table.seats.map(({ name, level }, seat) => ({
			name,
			level,
			gold: (view.gold[seat] ?? []).reduce((sum, each) => sum + each, 0),
		})),
		yours: [...table.yours],
		winners: [...view.winners],
		cards: [...setup.cards],
		sets,
		start: setup.start.length <= LONGEST_START ? setup.start : "",
	};
}

function pastGame(value: unknown): PastGame | undefined {
	if (!isRecord(value) || typeof value.table !== "string" || !Array.isArray(value.seats)) return undefined;
	const seats = value.seats.filter(isRecord).map(({ name, level, gold }) => ({
		name: text(name),
		level: text(level),
		gold: typeof gold === "number" ? gold : 0,
	}));
	if (seats.length < 2) return undefined;
	return {
		table: value.table,
		game: typeof value.game === "number" ? value.game : 1,
		ended: typeof value.ended === "number" ? value.ended : 0,
		seats,
		yours: seatNumbers(value.yours, seats.length),
		winners: seatNumbers(value.winners, seats.length),
		cards: texts(value.cards),
		sets: texts(value.sets),
		start: text(value.start),
	};
}

function text(value: unknown): string {
	return typeof value === "string" ? value : "";
}

function texts(value: unknown): string[] {
	return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

function seatNumbers(value: unknown, seats: number): number[] {
	return Array.isArray(value) ? value.filter((each) => Number.isInteger(each) && each >= 0 && each < seats) : [];
}
