/**
 * The text of one map as something to draw on. Nothing here knows what the letters mean or what is allowed: the server
 * says what is wrong with a map.
 */

import type { Hex } from "../board/hexes";

export type MapKind = "section" | "board";

export interface Drawing {
	kind: MapKind;
	name: string;
	/** The box that a section belongs to. */
	set: string;
	/** The keys of the locations that the digits stand for, in order. */
	locations: string[];
	/** The letters, row by row; rows may differ in length while somebody types. */
	rows: string[];
}

export const EMPTY = ".";
export const OWN = "own";
export const SIDE = 10;
export const LARGEST = 20;
const DIGITS = "123456789";
const VERSION = "kingdom-builder-maps 1";

export function blank(kind: MapKind, name: string, set = OWN, width = SIDE, height = SIDE): Drawing {
	return { kind, name, set, locations: [], rows: Array.from({ length: height }, () => EMPTY.repeat(width)) };
}

export function isDigit(letter: string): boolean {
	return letter !== "" && DIGITS.includes(letter);
}

/** Reads the text of one map, as far as it goes. */
export function readDrawing(text: string): Drawing {
	const lines = contentOf(text);
	const header = lines.find((line) => line.startsWith("#")) ?? "";
	const rows = lines.filter((line) => !line.startsWith("#"));
	const fields = header.replace(/^#+/, "").split("|");
	const [first = "", second = ""] = fields.map((field) => field.trim());
	if (header.startsWith("##")) return { kind: "board", name: first, set: OWN, locations: listOf(second), rows };
	const colon = first.lastIndexOf(":");
	const locations = listOf(first.slice(colon + 1));
	const name = colon < 0 ? (locations[0] ?? "") : first.slice(0, colon).trim();
	return { kind: "section", name, set: second || OWN, locations, rows };
}

/** The lines of a text that say something. */
function contentOf(text: string): string[] {
	return text
		.split(/\r?\n/)
		.map((line) => line.trim())
		.filter((line) => line !== "" && !line.startsWith(";") && !line.startsWith("kingdom-builder-maps"));
}

function listOf(text: string): string[] {
	return text
		.split(",")
		.map((each) => each.trim())
		.filter((each) => each !== "");
}

export function textOf({ kind, name, set, locations, rows }: Drawing): string {
	const legend = locations.join(", ");
	const header = kind === "board" ? `## ${name}${legend && ` | ${legend}`}` : `# ${name}: ${legend} | ${set} | own`;
	return [header, ...rows].join("\n");
}

/** The texts of the single maps in the text of a file; nothing if it has none. */
export function mapsIn(text: string): string[] {
	const maps: string[][] = [];
	for (const line of contentOf(text)) {
		if (line.startsWith("#")) maps.push([line]);
		else maps.at(-1)?.push(line);
	}
	return maps.map((lines) => lines.join("\n"));
}

/** The text of a file with these maps. */
export function fileOf(texts: readonly string[]): string {
	return `${[VERSION, ...texts.map((text) => contentOf(text).join("\n"))].join("\n\n")}\n`;
}

export function widthOf({ rows }: Drawing): number {
	return Math.min(LARGEST, Math.max(1, ...rows.map((row) => row.length)));
}

export function heightOf({ rows }: Drawing): number {
	return Math.min(LARGEST, Math.max(1, rows.length));
}

export function letterAt({ rows }: Drawing, { row, col }: Hex): string {
	return rows[row]?.[col] ?? EMPTY;
}

/** The key of the location on a hex, if there is one. */
export function locationAt(drawing: Drawing, hex: Hex): string | undefined {
	const digit = DIGITS.indexOf(letterAt(drawing, hex));
	return digit < 0 ? undefined : drawing.locations[digit];
}

/** What a hex is painted with: a letter, or a location by its key. */
export type Brush = { letter: string } | { location: string };

/** The drawing with one hex painted. Locations whose last hex is painted over leave the list. */
export function painted(drawing: Drawing, hex: Hex, brush: Brush): Drawing {
	const { locations, letter } = withBrush(drawing.locations, brush);
	const rows = drawing.rows.map((row, y) => (y === hex.row ? withLetter(row, hex.col, letter) : row));
	return withoutLost(drawing.rows, { ...drawing, locations, rows });
}

function withBrush(locations: string[], brush: Brush): { locations: string[]; letter: string } {
	if ("letter" in brush) return { locations, letter: brush.letter };
	const at = locations.indexOf(brush.location);
	const all = at < 0 ? [...locations, brush.location] : locations;
	return { locations: all, letter: DIGITS[at < 0 ? locations.length : at] ?? EMPTY };
}

function withLetter(row: string, col: number, letter: string): string {
	return row.slice(0, col).padEnd(col, EMPTY) + letter + row.slice(col + 1);
}

/** Leaves out the locations that were on the map and are not any more, and numbers the others again. */
function withoutLost(before: readonly string[], drawing: Drawing): Drawing {
	const [was, is] = [before.join(""), drawing.rows.join("")];
	const all = drawing.locations.map((key, at) => ({ key, digit: DIGITS[at] ?? "" }));
	const kept = all.filter(({ digit }) => is.includes(digit) || !was.includes(digit));
	if (kept.length === all.length) return drawing;
	const digits = new Map(kept.map(({ digit }, at) => [digit, DIGITS[at] ?? ""]));
	return {
		...drawing,
		locations: kept.map(({ key }) => key),
		rows: drawing.rows.map((row) => [...row].map((letter) => digits.get(letter) ?? letter).join("")),
	};
}

/** The drawing with another size: cut off, or with empty hexes at the right and at the bottom. */
export function resized(drawing: Drawing, width: number, height: number): Drawing {
	const rows = Array.from({ length: height }, (_, y) => (drawing.rows[y] ?? "").slice(0, width).padEnd(width, EMPTY));
	return withoutLost(drawing.rows, { ...drawing, rows });
}

/** The drawing turned by 180 degrees, as `'` turns a section. */
export function turned(drawing: Drawing): Drawing {
	return { ...drawing, rows: drawing.rows.map(reversed).reverse() };
}

/** The drawing with left and right exchanged. */
export function mirrored(drawing: Drawing): Drawing {
	return { ...drawing, rows: drawing.rows.map(reversed) };
}

function reversed(row: string): string {
	return [...row].reverse().join("");
}

/** The longest text that a link carries. */
export const LONGEST_LINK = 2000;

export function linkPath(text: string): string {
	return `/workshop/${encodeURIComponent(contentOf(text).join("\n"))}`;
}
