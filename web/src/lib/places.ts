export interface PlaceInText {
	/** From 1. */
	line: number;
	/** From 1, in characters. */
	column: number;
	/** The line, or the part of it around the place. */
	excerpt: string;
	/** Where the place is in the excerpt. */
	at: number;
}

const REACH = 36;

/** Where the character with this number, counted from 0, is in a text. */
export function placeInText(text: string, offset: number): PlaceInText {
	const characters = Array.from(text);
	const before = characters.slice(0, offset);
	const start = before.lastIndexOf("\n") + 1;
	const end = characters.indexOf("\n", offset);
	const from = Math.max(start, offset - REACH);
	const to = Math.min(end < 0 ? characters.length : end, offset + REACH);
	return {
		line: before.filter((character) => character === "\n").length + 1,
		column: offset - start + 1,
		excerpt: (from > start ? "…" : "") + characters.slice(from, to).join(""),
		at: offset - from + (from > start ? 1 : 0),
	};
}
