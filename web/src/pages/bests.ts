import type { PastGame } from "../net/history";
import type { Bests as Counted } from "../protocol";

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
	/** The most gold, the widest lead over the best of the others, and the mean, without games that were left; nothing without a game. */
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
	const stayed = own.filter((game) => !game.seats[ownSeat(game) ?? -1]?.left);
	const most = (value: (game: PastGame) => number): PastGame | undefined =>
		stayed.reduce<PastGame | undefined>((best, game) => (!best || value(game) >= value(best) ? game : best), undefined);
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
		mean: stayed.length > 0 ? stayed.reduce((sum, game) => sum + goldOf(game), 0) / stayed.length : 0,
		streak,
	};
}

/** Personal bests in numbers. */
export interface Figures {
	games: number;
	won: number;
	gold: number;
	mean: number;
	/** Nothing without a victory, and where they are not known. */
	lead: number | undefined;
	streak: number | undefined;
	/** Whether there are more games than these are from. */
	partial: boolean;
}

/** The bests of the games that are listed, or of all if the server has counted more; `more` says whether it has. */
export function figuresOf(bests: Bests, counted: Counted | null, more: boolean): Figures {
	const gold = bests.gold ? goldOf(bests.gold) : 0;
	if (more && counted && counted.games > bests.games) {
		const { games, won, mean } = counted;
		return { games, won, gold: Math.max(gold, counted.gold), mean, lead: undefined, streak: undefined, partial: false };
	}
	const { games, won, mean, lead, streak } = bests;
	const best = lead && leadOf(lead);
	return { games, won, gold, mean, lead: best, streak: lead && streak, partial: more };
}
