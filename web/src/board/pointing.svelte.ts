import { type Hex, hexName } from "./hexes";

/** The hex that somebody points at: by mouse or finger, or by the cursor of the keyboard. */
export class Pointing {
	/** The hex under the mouse, or the one that was tapped last. */
	hovered = $state<string>();
	cursor = $state.raw<Hex>({ row: 9, col: 9 });
	/** Whether the keyboard was used last. */
	byKeys = $state(false);
	/** Whether a finger was used last: it does not point at a hex before it chooses one. */
	byTouch = $state(false);

	readonly cursorName = $derived(hexName(this.cursor));
	readonly hex = $derived(this.byKeys ? this.cursorName : this.hovered);
}
