import type { PuzzleInfo } from "../protocol";
import { device, isRecord } from "../storage";

/** What became of a puzzle on this device: it was solved, or its answer was looked at first. */
export type Mark = "solved" | "shown";

const SHELF = "kb-puzzles";

function stored(): Record<string, Mark> {
	const kept = device.readJson(SHELF);
	const entries = isRecord(kept) ? Object.entries(kept) : [];
	return Object.fromEntries(entries.filter((entry): entry is [string, Mark] => isMark(entry[1])));
}

function isMark(value: unknown): value is Mark {
	return value === "solved" || value === "shown";
}

/** What became of the puzzles on this device, by key. */
class Progress {
	marks = $state.raw(stored());

	/** Marks a puzzle; the first mark stays. */
	mark(key: string, mark: Mark): void {
		this.marks = { [key]: mark, ...stored() };
		device.writeJson(SHELF, this.marks);
	}
}

export const progress = new Progress();

/**
 * The puzzle to go on with: the next one of the same difficulty without a mark, from there to the end and on from the
 * beginning; or else the next one of any difficulty.
 */
export function nextPuzzle(
	puzzles: readonly PuzzleInfo[],
	marks: Readonly<Record<string, Mark>>,
	difficulty: PuzzleInfo["difficulty"],
	after?: string,
): PuzzleInfo | undefined {
	const begin = puzzles.findIndex(({ key }) => key === after) + 1;
	const open = [...puzzles.slice(begin), ...puzzles.slice(0, begin)].filter(({ key }) => !marks[key] && key !== after);
	return open.find((puzzle) => puzzle.difficulty === difficulty) ?? open[0];
}
