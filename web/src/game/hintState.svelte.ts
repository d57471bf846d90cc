import type { HintView } from "../protocol";
import { followed, planOf } from "./hints";

/** Hints for a position, if somebody asked for them, and the one that the board shows. */
export class HintState {
	turns = $state.raw<HintView[]>([]);
	/** The one that the board shows. */
	pointed = $state(0);
	/** Whether they are being loaded. */
	asking = $state(false);

	readonly plan = $derived.by(() => {
		const shown = this.turns[this.pointed] ?? this.turns[0];
		return shown && planOf(shown);
	});

	take(turns: HintView[]): void {
		this.turns = turns;
		this.pointed = 0;
	}

	/** Keep the hints that began with the moves that were played. */
	follow(moves: string[]): void {
		this.take(followed(this.turns, moves));
	}

	drop(): void {
		this.take([]);
	}
}
