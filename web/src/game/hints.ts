/** Hints, that is suggested turns: how they are followed, drawn and compared with what was played. */

import { isHexName } from "../board/hexes";
import type { Plan } from "../board/plan";
import type { Frame, HintView, LogLine } from "../protocol";

/** The steps of a move such as `paddock:k7-m7`, with a piece's way as one; a `-` in a tile's name does not count. */
export function partsOf(move: string): string[][] {
	return move.split(/[:,]/).map((part) => part.split(/-(?=[a-t]\d)/));
}

/** The rest of the suggested turns after some actions: only turns that began with exactly these are left. */
export function followed(hints: readonly HintView[], played: readonly string[]): HintView[] {
	return hints.flatMap(({ move, turn: [, ...rest], gold, reasons }) => {
		const [next] = rest;
		return next && partsOf(move).flat().join() === played.join() ? [{ move: next, turn: rest, gold, reasons }] : [];
	});
}

export function planOf({ turn }: Pick<HintView, "turn">): Plan {
	const plan: Plan = { marks: [], ways: [] };
	for (const [index, move] of turn.entries()) {
		for (const hexes of partsOf(move).map((steps) => steps.filter(isHexName))) {
			for (const [i, hex] of hexes.slice(1).entries()) plan.ways.push([hexes[i] as string, hex]);
			const hex = hexes.at(-1);
			if (hex) plan.marks.push({ hex, number: plan.marks.length + 1, next: index === 0 });
		}
	}
	return plan;
}

export interface Rest {
	lines: LogLine[];
	/** The position before the turn was ended. */
	position: string;
}

/** How a turn went on from a moment to its end; nothing if a draw came in between, or if it did not end. */
export function restOfTurn(frames: readonly Frame[], from: number): Rest | undefined {
	const lines: LogLine[] = [];
	for (const [i, { line }] of frames.slice(from + 1).entries()) {
		if (!line || line.move.startsWith("=")) return undefined;
		lines.push(line);
		if (line.move === ".") return { lines, position: frames[from + i]?.position ?? "" };
	}
	return undefined;
}
