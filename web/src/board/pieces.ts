/** The pieces on the board: whose they are, and how they are drawn. */

import type { View } from "../protocol";
import { pieceArtwork, wholeArtwork } from "./artwork";
import { groupsOfSeven } from "./hexes";

export interface Occupant {
	kind: string;
	seat: number;
}

/** A drawing and the hex that it is drawn on. */
export interface Drawing {
	hex: string;
	artwork: string;
}

/** What stands on each hex. */
export function occupants({ pieces }: Pick<View, "pieces">): Map<string, Occupant> {
	const found = new Map<string, Occupant>();
	for (const [kind, bySeat] of Object.entries(pieces)) {
		for (const [seat, hexes] of bySeat.entries()) for (const hex of hexes) found.set(hex, { kind, seat });
	}
	return found;
}

/** All pieces to draw: large ones, which cover several hexes, lie below the others. */
export function drawingsOf(
	pieces: View["pieces"],
	colourOf: (seat: number) => number,
): Record<"large" | "small", Drawing[]> {
	const drawings: Record<"large" | "small", Drawing[]> = { large: [], small: [] };
	for (const [kind, bySeat] of Object.entries(pieces)) {
		for (const [seat, hexes] of bySeat.entries()) {
			const artwork = pieceArtwork(kind, colourOf(seat));
			const wholeOne = wholeArtwork(kind, colourOf(seat));
			if (!wholeOne) {
				drawings.small.push(...hexes.map((hex) => ({ hex, artwork })));
				continue;
			}
			const { whole, single } = groupsOfSeven(hexes);
			drawings.large.push(...whole.map((hex) => ({ hex, artwork: wholeOne })));
			drawings.large.push(...single.map((hex) => ({ hex, artwork })));
		}
	}
	return drawings;
}
