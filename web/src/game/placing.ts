import type { Box, Point, Size } from "../board/hexes";

/** Pixels between a card and what it belongs to, and between a card and the edge of the window. */
const GAP = 10;
const EDGE = 8;

export interface Place extends Point {
	/** The most that fits; a taller card scrolls. */
	maxHeight: number;
}

/** Where a card stands beside something: inside the window, and never over what it belongs to if there is room. */
export function placeBeside(anchor: Box, card: Size, window: Size): Place {
	const right = anchor.x + anchor.width + GAP;
	const left = anchor.x - GAP - card.width;
	const below = anchor.y + anchor.height + GAP;
	const roomBelow = window.height - EDGE - below;
	const roomAbove = anchor.y - GAP - EDGE;
	const whole = window.height - 2 * EDGE;
	const height = Math.min(card.height, whole);
	const beside = within(anchor.y + anchor.height / 2 - height / 2, height, window.height);
	if (right + card.width + EDGE <= window.width && anchor.x + anchor.width >= 0)
		return { x: right, y: beside, maxHeight: whole };
	if (left >= EDGE && anchor.x <= window.width) return { x: left, y: beside, maxHeight: whole };
	const x = within(anchor.x + anchor.width / 2 - card.width / 2, card.width, window.width);
	const isBelow = card.height <= roomBelow || roomBelow >= roomAbove;
	const maxHeight = Math.max(0, isBelow ? roomBelow : roomAbove);
	const shown = Math.min(card.height, maxHeight);
	return { x, y: isBelow ? below : anchor.y - GAP - shown, maxHeight };
}

/** The begin of a card that is kept inside the window. */
function within(begin: number, size: number, window: number): number {
	return Math.max(EDGE, Math.min(begin, window - EDGE - size));
}
