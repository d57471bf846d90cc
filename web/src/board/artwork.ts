/** The ids of the drawings in the server's catalogue, and the colours that go with them. */

export const INK = "#3b2a14";
export const PAPER = "#f6ecd4";
export const GROUND = "#fdf3d6";

export const LAST_BUILT = "#kb-last";

/** A piece of the n-th set of colours, from 0. */
function pieceArtwork(kind: string, colour: number): string {
	return `#kb-${kind}-${colour + 1}`;
}

export function flagArtwork(colour: number): string {
	return pieceArtwork("flags", colour);
}

/** The house that stands for a seat. */
export function houseArtwork(colour: number): string {
	return pieceArtwork("settlement", colour);
}

/** A hex of a terrain by its letter on the map. */
export function terrainArtwork(letter: string): string {
	return `#kb-${letter}0`;
}

/**
 * Whether a letter of the map is written on its hexes, for those who do not tell terrains by their colours. Locations,
 * castles and nomad spaces have a drawing of their own.
 */
export function isLettered(letter: string): boolean {
	return /[A-JL-MO-Z]/.test(letter);
}
