/** The pieces on the board: whose they are, and how they are drawn. */

import type { PieceInfo, View } from "../protocol";
import { groupsOfSeven } from "./hexes";

type Pieces = View["pieces"];

export interface Occupant {
	kind: string;
	seat: number;
}

/** A drawing and the hex that it is drawn on. */
export interface Drawing {
	hex: string;
	artwork: string;
}

/** What nobody owns has a single list of hexes instead of one for each seat. */
function isOwned(lists: string[][]): boolean {
	return lists.length > 1;
}

/** The pieces of the seats by hex. */
export function occupants({ pieces }: { pieces: Pieces }): Map<string, Occupant> {
	const found = new Map<string, Occupant>();
	for (const [kind, lists] of Object.entries(pieces)) {
		if (!isOwned(lists)) continue;
		for (const [seat, hexes] of lists.entries()) for (const hex of hexes) found.set(hex, { kind, seat });
	}
	return found;
}

/** The kinds of the pieces that nobody owns by hex. */
export function unowned({ pieces }: { pieces: Pieces }): Map<string, string> {
	const found = new Map<string, string>();
	for (const [kind, lists] of Object.entries(pieces)) {
		if (!isOwned(lists)) for (const hex of lists.flat()) found.set(hex, kind);
	}
	return found;
}

/** The artwork of a kind of piece, in a colour if it is owned. */
export function artworkOf(kinds: readonly PieceInfo[], kind: string, colour: number): string {
	const info = kinds.find(({ key }) => key === kind);
	return info && !info.owned ? `#${info.drawing}` : `#${info?.drawing ?? "kb-pieces"}-${colour + 1}`;
}

/** The artwork of a whole piece, for a kind whose pieces cover a hex and the six around it. */
export function wholeArtworkOf(kinds: readonly PieceInfo[], kind: string, colour: number): string | undefined {
	const whole = kinds.find(({ key }) => key === kind)?.whole;
	return whole ? `#${whole}-${colour + 1}` : undefined;
}

/**
 * Every piece to draw, from the lowest layer up: what nobody owns, what covers several hexes, all others. Seven hexes of
 * a piece that covers so many are one drawing.
 */
export function drawingsOf(
	pieces: Pieces,
	kinds: readonly PieceInfo[],
	colourOf: (seat: number) => number,
): Record<"unowned" | "large" | "small", Drawing[]> {
	const drawings: Record<"unowned" | "large" | "small", Drawing[]> = { unowned: [], large: [], small: [] };
	for (const [kind, lists] of Object.entries(pieces)) {
		const wholeOne = kinds.find(({ key }) => key === kind)?.whole;
		const layer = isOwned(lists) ? (wholeOne ? "large" : "small") : "unowned";
		for (const [seat, hexes] of lists.entries()) {
			const { whole, single } = wholeOne ? groupsOfSeven(hexes) : { whole: [], single: hexes };
			const colour = colourOf(seat);
			drawings[layer].push(...whole.map((hex) => ({ hex, artwork: `#${wholeOne}-${colour + 1}` })));
			drawings[layer].push(...single.map((hex) => ({ hex, artwork: artworkOf(kinds, kind, colour) })));
		}
	}
	return drawings;
}
