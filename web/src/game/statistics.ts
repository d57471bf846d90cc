import type { Frame } from "../protocol";
import { total } from "./words";

/** The gold of all seats after a turn. */
export interface TurnGold {
	label: string;
	seat: number;
	ply: number;
	gold: number[];
}

export interface Lead {
	seat: number;
	turns: number;
}

export interface BestTurn {
	label: string;
	seat: number;
	gain: number;
	ply: number;
}

export interface TurningPoint {
	label: string;
	/** The winner. */
	seat: number;
	ply: number;
}

/** The gold after each turn. */
export function goldByTurn(frames: readonly Frame[]): TurnGold[] {
	const turns: TurnGold[] = [];
	for (const { view, line } of frames) {
		if (!line || line.turn.startsWith("0")) continue;
		const entry = { label: line.turn, seat: line.seat, ply: view.ply, gold: view.gold.map(total) };
		if (turns.at(-1)?.label === line.turn) turns[turns.length - 1] = entry;
		else turns.push(entry);
	}
	return turns;
}

/** The gold of the seats before the first turn: a game may begin from any position. */
export function goldAtStart(frames: readonly Frame[]): number[] {
	return frames[0]?.view.gold.map(total) ?? [];
}

/** The positions before the first turn and after each turn, for a forecast. */
export function positionsByTurn(frames: readonly Frame[], turns: readonly TurnGold[]): string[] {
	const byPly = new Map(frames.map(({ view, position }) => [view.ply, position]));
	return [frames[0]?.position ?? "", ...turns.map(({ ply }) => byPly.get(ply) ?? "")];
}

/** The longest time that one seat alone had the most gold, in turns of all seats. */
export function longestLead(turns: readonly TurnGold[]): Lead | undefined {
	let best: Lead | undefined;
	let running: Lead | undefined;
	for (const { gold } of turns) {
		const leaders = gold.flatMap((each, seat) => (each === Math.max(...gold) ? [seat] : []));
		const leader = leaders.length === 1 ? leaders[0] : undefined;
		if (leader === undefined) running = undefined;
		else running = { seat: leader, turns: running?.seat === leader ? running.turns + 1 : 1 };
		if (running && running.turns > (best?.turns ?? 0)) best = running;
	}
	return best;
}

/** The turn after which the winner alone had the most gold for good, and had not had it before. */
export function turningPoint(
	turns: readonly TurnGold[],
	start: readonly number[],
	winners: readonly number[],
): TurningPoint | undefined {
	const [winner, ...others] = winners;
	if (winner === undefined || others.length > 0) return undefined;
	const isAhead = ({ gold }: TurnGold) => gold.every((each, seat) => seat === winner || each < (gold[winner] ?? 0));
	const since = turns.findLastIndex((turn) => !isAhead(turn)) + 1;
	const turn = turns[since];
	const wasBehind = since > 0 || Math.max(...start) > (start[winner] ?? 0);
	return turn && wasBehind ? { label: turn.label, seat: winner, ply: turn.ply } : undefined;
}

/** A seat's place in the ranking; equal gold is the same place. */
export interface Rank {
	place: number;
	seat: number;
	gold: number;
}

/** The seats, those with the most gold first. */
export function ranking(gold: readonly number[]): Rank[] {
	const seats = gold.map((each, seat) => ({
		place: 1 + gold.filter((other) => other > each).length,
		seat,
		gold: each,
	}));
	return seats.sort((a, b) => a.place - b.place || a.seat - b.seat);
}

/** The seats of a game of two that ended early: the winner comes first, whatever the gold says. */
export function rankingOfEarlyEnd(gold: readonly number[], winners: readonly number[]): Rank[] {
	return ranking(gold)
		.map((rank) => ({ ...rank, place: winners.includes(rank.seat) ? 1 : 2 }))
		.sort((a, b) => a.place - b.place);
}

/** The turn that gained its player the most gold. */
export function bestTurn(turns: readonly TurnGold[], start: readonly number[]): BestTurn | undefined {
	let best: BestTurn | undefined;
	for (const [i, { label, seat, ply, gold }] of turns.entries()) {
		const gain = (gold[seat] ?? 0) - ((turns[i - 1]?.gold ?? start)[seat] ?? 0);
		if (gain > (best?.gain ?? 0)) best = { label, seat, gain, ply };
	}
	return best;
}
