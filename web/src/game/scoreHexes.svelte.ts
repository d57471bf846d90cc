import type { ScoreLine } from "../protocol";

/** What one card pays one seat. */
export interface Cell {
	seat: number;
	key: string;
}

/** The hexes that pay for the cell of the score table that somebody points at. */
export class ScoreHexes {
	pointed = $state.raw<Cell>();
	readonly lit: string[] | undefined = $derived.by(() => {
		const cell = this.pointed;
		const hexes = cell && this.#lines()?.find(({ seat, key }) => seat === cell.seat && key === cell.key)?.hexes;
		return hexes && hexes.length > 0 ? hexes : undefined;
	});

	readonly #lines: () => ScoreLine[] | undefined;

	/** `lines` are those of the position that is shown; `ask` gets them once somebody points. */
	constructor(lines: () => ScoreLine[] | undefined, ask: () => void) {
		this.#lines = lines;
		$effect(() => {
			if (this.pointed) ask();
		});
	}
}
