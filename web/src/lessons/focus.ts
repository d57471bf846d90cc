/** What a step of a lesson points at. */
export interface Focus {
	/** The part of the page. */
	point: string;
	/** Hexes to look at. */
	hexes: string[];
	/** Hexes to choose from. */
	marked: string[];
	/** The tile to choose. */
	tile: string;
	/** The scoring card whose hexes are lit. */
	card: string;
}

/** The parts of the page that a step can point at. */
const PARTS: Record<string, string> = {
	card: ".turn .now",
	tiles: ".turn .tiles",
	undo: '[data-testid="undo"]',
	end: '[data-testid="end-turn"]',
	scores: ".scores tbody tr",
	supply: ".people .supply",
};

/** Whether it is in what a narrow screen shows in a sheet while the game goes on. */
export function isInSheet({ point }: Focus): boolean {
	return point === "scores" || point === "supply";
}

/** Brings the part of the page that a step is about into view. */
export function showOnPage({ point, tile }: Focus): void {
	const selector = tile ? `[data-testid="tile-${CSS.escape(tile)}"]` : PARTS[point];
	if (selector) document.querySelector(selector)?.scrollIntoView({ block: "end" });
	else document.querySelector(".lesson")?.scrollIntoView({ block: "nearest" });
}
