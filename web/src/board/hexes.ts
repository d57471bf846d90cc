/** Hexes by row and column from 0, and where they lie on the map. A hex is 42 wide and 48 high, with a point on top. */

export interface Hex {
	row: number;
	col: number;
}

export interface Point {
	x: number;
	y: number;
}

export interface Size {
	width: number;
	height: number;
}

export interface Box extends Point, Size {}

export const HALF_WIDTH = 21;
export const RADIUS = 24;
export const ROW_STEP = 36;
export const MARGIN = 12;

/** The outline of a whole hex around (0, 0), and of a ring inside it. */
export const HEX_PATH = "M0-24 21-12V12L0 24-21 12V-12z";
export const RING_PATH = "M0-19 16.6-9.5V9.5L0 19-16.6 9.5V-9.5z";

export function hexName({ row, col }: Hex): string {
	return String.fromCharCode(97 + col) + (row + 1);
}

export function parseHex(text: string): Hex | undefined {
	const match = /^([a-t])([1-9]\d?)$/.exec(text);
	if (!match) return undefined;
	return { row: Number(match[2]) - 1, col: (match[1] as string).charCodeAt(0) - 97 };
}

export function isHexName(text: string): boolean {
	return parseHex(text) !== undefined;
}

export function isInside({ row, col }: Hex, { width, height }: Size): boolean {
	return row >= 0 && row < height && col >= 0 && col < width;
}

export function centre({ row, col }: Hex): Point {
	return { x: HALF_WIDTH * (2 * col + 1 + (row % 2)), y: RADIUS + ROW_STEP * row };
}

/** The centre of a hex given by its name; the origin for what is not a hex. */
export function centreOf(name: string): Point {
	const hex = parseHex(name);
	return hex ? centre(hex) : { x: 0, y: 0 };
}

/** The value of a `transform` attribute that puts a drawing on a hex. */
export function placeOf(name: string): string {
	const { x, y } = centreOf(name);
	return `translate(${x} ${y})`;
}

/** Path data of the outline of a whole hex, at its place on the map. */
export function outlineAt(name: string): string {
	const { x, y } = centreOf(name);
	return `M${x} ${y - 24}l21 12v24l-21 12-21-12v-24z`;
}

/** Path data of a ring inside a hex, at its place on the map. */
export function ringAt(name: string): string {
	const { x, y } = centreOf(name);
	return `M${x} ${y - 19}l16.6 9.5v19l-16.6 9.5-16.6-9.5v-19z`;
}

/** Width and height of the map without its margin. */
export function extent({ width, height }: Size): Size {
	return { width: HALF_WIDTH * (2 * width + (height > 1 ? 1 : 0)), height: 2 * RADIUS + ROW_STEP * (height - 1) };
}

export function mapBox(board: Size, margin = MARGIN): Box {
	const { width, height } = extent(board);
	return { x: -margin, y: -margin, width: width + 2 * margin, height: height + 2 * margin };
}

/** The hex of the board that a point of the map lies on. */
export function hexAt({ x, y }: Point, board: Size): Hex | undefined {
	let found: Hex | undefined;
	const nearest = Math.floor((y - RADIUS) / ROW_STEP + 0.5);
	for (const row of [nearest - 1, nearest, nearest + 1]) {
		const col = Math.floor((x / HALF_WIDTH - (Math.abs(row) % 2)) / 2);
		const hex = { row, col };
		if (isInside(hex, board) && isWithin(hex, { x, y })) found = hex;
	}
	return found;
}

function isWithin(hex: Hex, { x, y }: Point): boolean {
	const middle = centre(hex);
	const dx = Math.abs(x - middle.x);
	const dy = Math.abs(y - middle.y);
	return dx <= HALF_WIDTH && dy <= RADIUS - (dx * RADIUS) / (2 * HALF_WIDTH);
}

export function neighbours({ row, col }: Hex): Hex[] {
	const right = col + (row % 2);
	return [
		{ row: row - 1, col: right - 1 },
		{ row: row - 1, col: right },
		{ row, col: col - 1 },
		{ row, col: col + 1 },
		{ row: row + 1, col: right - 1 },
		{ row: row + 1, col: right },
	];
}

/**
 * The hex that an arrow key leads to. Up and down keep the column, so that they go to the upper right and upper left in
 * turn.
 */
export function stepTo(hex: Hex, key: string, board: Size): Hex | undefined {
	const { row, col } = hex;
	switch (key) {
		case "ArrowLeft":
			return { row, col: Math.max(0, col - 1) };
		case "ArrowRight":
			return { row, col: Math.min(board.width - 1, col + 1) };
		case "ArrowUp":
			return { row: Math.max(0, row - 1), col };
		case "ArrowDown":
			return { row: Math.min(board.height - 1, row + 1), col };
		case "Home":
			return { row, col: 0 };
		case "End":
			return { row, col: board.width - 1 };
		default:
			return undefined;
	}
}

function inReadingOrder(a: Hex, b: Hex): number {
	return a.row - b.row || a.col - b.col;
}

/** The next or the previous of some hexes in reading order; wraps around at the ends. */
export function nextOf(names: readonly string[], from: Hex, direction: 1 | -1): Hex | undefined {
	const hexes = names.flatMap((name) => parseHex(name) ?? []).sort(inReadingOrder);
	const ahead = hexes.filter((hex) => inReadingOrder(hex, from) * direction > 0);
	return direction === 1 ? (ahead[0] ?? hexes[0]) : (ahead.at(-1) ?? hexes.at(-1));
}

/** A hex and the six around it. */
export function groupOfSeven(name: string): string[] {
	const middle = parseHex(name);
	return middle ? [middle, ...neighbours(middle)].map(hexName) : [];
}

/** For pieces that cover a hex and its six neighbours: the middles of complete ones, and the hexes left over. */
export function groupsOfSeven(names: readonly string[]): { whole: string[]; single: string[] } {
	const left = new Set(names);
	const whole: string[] = [];
	const middles = names.flatMap((name) => parseHex(name) ?? []).sort(inReadingOrder);
	for (const middle of middles) {
		const seven = [middle, ...neighbours(middle)].map(hexName);
		if (!seven.every((name) => left.has(name))) continue;
		whole.push(hexName(middle));
		for (const name of seven) left.delete(name);
	}
	return { whole, single: [...left] };
}

/** Path data of a thin arc between two hexes. */
export function arc(from: string, to: string): string {
	const start = centreOf(from);
	const end = centreOf(to);
	const dx = end.x - start.x;
	const dy = end.y - start.y;
	const lift = Math.min(60, Math.hypot(dx, dy) * 0.3) + 8;
	return `M${start.x} ${start.y}Q${start.x + dx / 2} ${start.y + dy / 2 - lift} ${end.x} ${end.y}`;
}

/** Path data that covers a box except for some hexes. */
export function veil(box: Box, names: readonly string[]): string {
	const holes = names.map(outlineAt);
	return `M${box.x} ${box.y}h${box.width}v${box.height}h${-box.width}z${holes.join("")}`;
}
