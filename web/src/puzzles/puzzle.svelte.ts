import { planOf } from "../game/hints";
import type { Message, PuzzleAnswer, PuzzleAttempt, PuzzleView, SeatView } from "../protocol";
import { answerTo, attemptAt, whyAt } from "./api";
import { progress } from "./progress.svelte";

/** How much of the answer has been told: nothing, what it is good for, its first move, or all of it. */
export type Help = 0 | 1 | 2 | 3;

/** A puzzle that somebody tries to solve. */
export class PuzzleState {
	readonly puzzle: PuzzleView;
	/** The positions of the attempt, from the beginning to now. */
	steps = $state.raw<PuzzleAttempt[]>([]);
	moves = $state.raw<string[]>([]);
	/** The move that was sent and is not answered yet. */
	pending = $state<string>();
	answer = $state.raw<PuzzleAnswer>();
	help = $state<Help>(0);

	constructor(puzzle: PuzzleView) {
		this.puzzle = puzzle;
		this.steps = [puzzle.attempt];
	}

	readonly now = $derived<PuzzleAttempt>(this.steps.at(-1) as PuzzleAttempt);
	readonly seat = $derived((this.steps[0] as PuzzleAttempt).view.player);
	readonly goldBefore = $derived((this.steps[0] as PuzzleAttempt).gold);
	readonly seats = $derived<SeatView[]>(
		this.now.view.supply.map((_, seat) => ({
			name: "",
			kind: "person",
			colour: seat,
			level: "",
			connected: true,
			veiled: false,
			stands_in: false,
			person: "",
			away: null,
			replaced_by: [],
		})),
	);
	/** Whether a card would have to be drawn before the turn can go on. */
	readonly isInterrupted = $derived(!this.now.ended && this.now.view.awaiting !== "");
	/** Whether the whole answer is shown. */
	readonly isGivenUp = $derived(this.help === 3);
	readonly plan = $derived.by(() => {
		if (!this.answer || this.help < 2) return undefined;
		const turn = this.help === 3 ? this.answer.turn : this.answer.turn.slice(0, 1);
		return this.moves.length > 0 ? undefined : planOf({ turn });
	});

	/** Make a move; true if the turn is over after it. Another move has to wait for the answer. */
	async play(move: string): Promise<boolean> {
		if (this.pending !== undefined || this.now.ended || this.isGivenUp) return false;
		const moves = [...this.moves, move];
		this.pending = move;
		try {
			const after = await attemptAt(this.puzzle.info.key, moves);
			this.moves = moves;
			this.steps = [...this.steps, after];
			if (after.solved) progress.mark(this.puzzle.info.key, "solved");
			return after.ended;
		} finally {
			this.pending = undefined;
		}
	}

	undo(): void {
		if (this.pending !== undefined || this.moves.length === 0) return;
		this.moves = this.moves.slice(0, -1);
		this.steps = this.steps.slice(0, -1);
	}

	/** Begin the turn again. */
	restart(): void {
		if (this.pending !== undefined) return;
		this.moves = [];
		this.steps = this.steps.slice(0, 1);
	}

	why(move: string): Promise<Message | null> {
		return whyAt(this.puzzle.info.key, this.moves, move);
	}

	/** Tell a bit more of the answer. */
	async hint(): Promise<void> {
		this.answer ??= await answerTo(this.puzzle.info.key);
		if (this.help < 2) this.help = this.help === 0 ? 1 : 2;
	}

	/** Show the whole answer, on the board as it was. */
	async giveUp(): Promise<void> {
		this.answer ??= await answerTo(this.puzzle.info.key);
		progress.mark(this.puzzle.info.key, "shown");
		this.restart();
		this.help = 3;
	}

	/** Load the answer to a puzzle that was solved. */
	async compare(): Promise<void> {
		this.answer ??= await answerTo(this.puzzle.info.key);
	}
}
