const HALF_WIDTH = 21;
const RADIUS = 24;
const ROW_STEP = 36;
const MARGIN = 12;

export interface Box {
	x: number;
	y: number;
	width: number;
	height: number;
}

/** The map of so many columns and rows with its margin, in the units of the artwork. */
export function mapBox(columns: number, rows: number): Box {
	return {
		x: -MARGIN,
		y: -MARGIN,
		width: HALF_WIDTH * (2 * columns + (rows > 1 ? 1 : 0)) + 2 * MARGIN,
		height: 2 * RADIUS + ROW_STEP * (rows - 1) + 2 * MARGIN,
	};
}
