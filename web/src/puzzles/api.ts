import { get, post } from "../net/api";
import { patiently } from "../net/patience";
import type { Message, PuzzleAnswer, PuzzleAttempt, PuzzleInfo, PuzzleView, Reasoned } from "../protocol";

let known: Promise<PuzzleInfo[]> | undefined;

/** All puzzles, easiest first. */
export function allPuzzles(): Promise<PuzzleInfo[]> {
	known ??= patiently(() => get<PuzzleInfo[]>("puzzles")).catch((error) => {
		known = undefined;
		throw error;
	});
	return known;
}

const pathOf = (key: string) => `puzzles/${encodeURIComponent(key)}`;

export const getPuzzle = (key: string): Promise<PuzzleView> => patiently(() => get<PuzzleView>(pathOf(key)));

/** The position after some moves. */
export const attemptAt = (key: string, moves: string[]): Promise<PuzzleAttempt> => post(pathOf(key), { moves });

/** Why a move is not legal after some moves. */
export async function whyAt(key: string, moves: string[], move: string): Promise<Message | null> {
	return (await post<Reasoned>(`${pathOf(key)}/why`, { moves, move })).reason;
}

export const answerTo = (key: string): Promise<PuzzleAnswer> =>
	patiently(() => get<PuzzleAnswer>(`${pathOf(key)}/answer`));
