import type { PastGame } from "../net/history";

export type Rivals = "all" | "bots" | "people";
export type Result = "all" | "won" | "lost";

export interface Filter {
	rivals: Rivals;
	result: Result;
	/** The number of players; 0 for any. */
	players: number;
	/** A box that was in the game; empty for any. */
	set: string;
}

export const EVERYTHING: Filter = { rivals: "all", result: "all", players: 0, set: "" };

/** The seat whose result counts: the only one that was played here. Where several people shared a device, nobody's. */
export function ownSeat({ yours }: PastGame): number | undefined {
	return yours.length === 1 ? yours[0] : undefined;
}

export function isWon(game: PastGame): boolean {
	const seat = ownSeat(game);
	return seat !== undefined && game.winners.includes(seat);
}

function isAmongBots({ seats, yours }: PastGame): boolean {
	return seats.every(({ level }, seat) => level !== "" || yours.includes(seat));
}

export function filtered(games: readonly PastGame[], { rivals, result, players, set }: Filter): PastGame[] {
	return games.filter((game) => {
		if (players !== 0 && game.seats.length !== players) return false;
		if (set !== "" && !game.sets.includes(set)) return false;
		if (rivals !== "all" && isAmongBots(game) !== (rivals === "bots")) return false;
		return result === "all" || (ownSeat(game) !== undefined && isWon(game) === (result === "won"));
	});
}

export interface Bests {
	games: number;
	won: number;
	/** The most gold, the widest lead over the best of the others, and the mean; nothing without a game. */
	gold: PastGame | undefined;
	lead: PastGame | undefined;
	mean: number;
	/** The most games in a row that were won. */
	streak: number;
}

export function goldOf(game: PastGame): number {
	return game.seats[ownSeat(game) ?? -1]?.gold ?? 0;
}

/** How far ahead of the best of the others one was; negative if behind. */
export function leadOf(game: PastGame): number {
	const own = ownSeat(game);
	return goldOf(game) - Math.max(...game.seats.filter((_, seat) => seat !== own).map(({ gold }) => gold));
}

/** The personal bests among some games, latest first. */
export function bestsOf(games: readonly PastGame[]): Bests {
	const own = games.filter((game) => ownSeat(game) !== undefined);
	const most = (value: (game: PastGame) => number): PastGame | undefined =>
		own.reduce<PastGame | undefined>((best, game) => (!best || value(game) >= value(best) ? game : best), undefined);
	let run = 0;
	let streak = 0;
	for (const game of own) {
		run = isWon(game) ? run + 1 : 0;
		streak = Math.max(streak, run);
	}
	return {
		games: own.length,
		won: own.filter(isWon).length,
		gold: most(goldOf),
		lead: own.some(isWon) ? most(leadOf) : undefined,
		mean: own.length > 0 ? own.reduce((sum, game) => sum + goldOf(game), 0) / own.length : 0,
		streak,
	};
}
