/** A turn for drawing on the board. */
export interface Plan {
	/** Where something comes to stand, in order; `next` are those of the next move. */
	marks: { hex: string; number: number; next: boolean }[];
	/** From where to where pieces move. */
	ways: [string, string][];
}
