import { MediaQuery } from "svelte/reactivity";
import { currentForm } from "../game/form";
import { stacksOf, type TileStack } from "../game/tiles";
import type { View } from "../protocol";

/** So many tiles can say what they do on any screen with a wide form, and their names on a small phone. */
const FEW = 2;
const isHigh = new MediaQuery("min-height: 62rem");
const isSmall = new MediaQuery("max-height: 46rem");

/** What tiles show: what they do, or only their names, or only their pictures. */
export type Shown = "texts" | "names" | "icons";

/** The tiles of a seat in its turn, and what they show. */
export class TileList {
	/** Whether somebody asked for the texts. */
	wantsTexts = $state(false);
	/** The tiles, in the order of their number keys. */
	readonly stacks: TileStack[] = $derived.by(() => stacksOf(this.#view(), this.#seat()));
	/** Whether there is no room for what each tile does, so that it is told on demand. */
	readonly isCrowded = $derived.by(() => currentForm() !== "wide" || (this.stacks.length > FEW && !isHigh.current));
	readonly shown: Shown = $derived.by(() => {
		if (!this.isCrowded || this.wantsTexts) return "texts";
		return currentForm() === "tall" && isSmall.current && this.stacks.length > FEW ? "icons" : "names";
	});
	/** Whether more is shown than what a turn needs: in the tall form it lies over the board. */
	readonly isUnfolded = $derived(this.isCrowded && this.wantsTexts && this.stacks.length > 0);

	readonly #view: () => View;
	readonly #seat: () => number | undefined;

	constructor(view: () => View, seat: () => number | undefined) {
		this.#view = view;
		this.#seat = seat;
	}
}
