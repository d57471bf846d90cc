import type { HintView } from "../protocol";
import { followed, planOf } from "./hints";

/** Good turns from a position, if they were asked for, and which of them the board shows. */
export class HintState {
	turns = $state.raw<HintView[]>([]);
	/** The one that the board shows. */
	pointed = $state(0);
	/** Whether they are on their way. */
	asking = $state(false);

	readonly plan = $derived.by(() => {
		const shown = this.turns[this.pointed] ?? this.turns[0];
		return shown && planOf(shown);
	});

	take(turns: HintView[]): void {
		this.turns = turns;
		this.pointed = 0;
	}

	/** Keep what goes on from some moves that were played. */
	follow(moves: string[]): void {
		this.take(followed(this.turns, moves));
	}

	drop(): void {
		this.take([]);
	}
}
