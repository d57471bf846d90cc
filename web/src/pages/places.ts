export interface PlaceInText {
	/** From 1. */
	line: number;
	/** From 1, in characters. */
	column: number;
	/** The text before the place in its line, the character there, and the text after it, shortened. */
	before: string;
	character: string;
	after: string;
}

const REACH = 36;

/** Where the character with this number, counted from 0, is in a text. */
export function placeInText(text: string, offset: number): PlaceInText {
	const characters = Array.from(text);
	const earlier = characters.slice(0, offset);
	const start = earlier.lastIndexOf("\n") + 1;
	const newline = characters.indexOf("\n", offset);
	const end = newline < 0 ? characters.length : newline;
	const from = Math.max(start, offset - REACH);
	const to = Math.min(end, offset + REACH);
	return {
		line: earlier.filter((character) => character === "\n").length + 1,
		column: offset - start + 1,
		before: (from > start ? "…" : "") + characters.slice(from, offset).join(""),
		character: characters.slice(offset, Math.min(end, offset + 1)).join(""),
		after: characters.slice(offset + 1, to).join("") + (to < end ? "…" : ""),
	};
}
