import { preferences } from "../preferences.svelte";
import type { View } from "../protocol";
import type { TableState } from "./table.svelte";

/** Hides the turn of the next person at a shared device until that person has it in hand. */
export class HandOver {
	/** The seat of the person who has the device; nothing until the first turn of somebody here. */
	#holder = $state<number>();

	readonly #table: TableState;
	/** The seat to hand the device to; nothing if the right person has it. */
	readonly to: number | undefined = $derived.by(() => {
		const { view, yours, myTurn } = this.#table;
		if (!preferences.handOver || !view || !myTurn || yours.length < 2) return undefined;
		return this.#holder === undefined || this.#holder === view.player ? undefined : view.player;
	});

	constructor(table: TableState) {
		this.#table = table;
		$effect(() => {
			const { view, myTurn } = table;
			if (view && myTurn && (this.#holder === undefined || !preferences.handOver)) this.#holder = view.player;
		});
	}

	/** The next person has the device. */
	take(): void {
		this.#holder = this.to;
	}
}

/** A view without what the person in turn may see and do. */
export function covered(view: View): View {
	return { ...view, hands: view.hands.map((hand) => "?".repeat(hand.length)), legal: [], choices: [], cards: [] };
}
