import { goldByTurn } from "../game/statistics";
import type { Replay, SeatView } from "../protocol";

/** Milliseconds for which a moment is shown while the game runs by itself. */
const PAUSE = 700;

/** A game in a replay, and the moment that it shows. */
export class ReplayState {
	game = $state.raw<Replay>();
	index = $state(0);
	/** Whether the game runs by itself. */
	running = $state(false);
	/** Only steps forward are animated. */
	forward = $state(false);

	readonly frames = $derived(this.game?.frames ?? []);
	readonly frame = $derived(this.frames[this.index]);
	readonly last = $derived(this.frames.length - 1);
	readonly isSingle = $derived(this.frames.length === 1);
	readonly lines = $derived(this.frames.flatMap(({ line }) => line ?? []));
	readonly turns = $derived(goldByTurn(this.frames));
	readonly seats = $derived<SeatView[]>(
		(this.game?.names ?? []).map((name, seat) => ({
			name,
			kind: "person",
			colour: this.game?.colours[seat] ?? seat,
			level: "",
			connected: true,
			veiled: false,
			stands_in: false,
			person: "",
			away: null,
			replaced_by: [],
		})),
	);

	readonly #onmove: (ply: number) => void;

	/** `onmove` is called when another moment was chosen. */
	constructor(onmove: (ply: number) => void) {
		this.#onmove = onmove;
		$effect(() => {
			if (!this.running) return;
			const timer = setInterval(() => {
				if (this.index >= this.last) this.running = false;
				else this.step(1);
			}, PAUSE);
			return () => clearInterval(timer);
		});
	}

	open(game: Replay | undefined): void {
		this.index = 0;
		this.game = game;
	}

	/** Show a moment by its ply. */
	show(ply: number): void {
		const found = this.frames.findIndex(({ view }) => view.ply >= ply);
		this.move(found < 0 ? this.last : found);
	}

	/** Show a moment by its place in the game. */
	move(to: number): void {
		this.forward = to === this.index + 1;
		this.index = Math.min(this.last, Math.max(0, to));
		this.#onmove(this.frame?.view.ply ?? 0);
	}

	step(by: number): void {
		this.move(this.index + by);
	}

	/** The first moment of the next turn, or of this one or the one before. */
	jump(direction: 1 | -1): void {
		const { frames, index, last } = this;
		const turnAt = (i: number) => `${frames[i]?.view.round}/${frames[i]?.view.player}`;
		let to = index + direction;
		while (to > 0 && to < last && (turnAt(to) === turnAt(index) || turnAt(to) === turnAt(to - 1))) to += direction;
		this.move(to);
	}
}
