import { preview } from "../net/api";
import { explain } from "../net/explain";
import { patiently } from "../net/patience";
import type { Preview, SetupChoice } from "../protocol";
import type { Draft } from "./draft.svelte";

const DELAY_MS = 150;

/** Keeps a preview of a draft up to date. */
export class Previewing {
	/** The last one that could be made. */
	current = $state.raw<Preview>();
	problem = $state("");
	busy = $state(false);

	readonly #draft: Draft;
	#shown = "";
	#running: AbortController | undefined;

	constructor(draft: Draft) {
		this.#draft = draft;
		$effect(() => {
			const wanted = keyOf(draft.choice, draft.seats.length);
			if (wanted === this.#shown) {
				this.problem = "";
				return;
			}
			if (!draft.hasBoard) return;
			const timer = setTimeout(() => void this.#load(), this.#shown ? DELAY_MS : 0);
			return () => clearTimeout(timer);
		});
		$effect(() => () => this.#running?.abort());
	}

	/** Choose another random board and other cards. */
	roll(): void {
		if (this.#draft.seed) this.#draft.seed = "";
		else void this.#load();
	}

	async #load(): Promise<void> {
		this.#running?.abort();
		const running = new AbortController();
		this.#running = running;
		this.busy = true;
		try {
			const { choice, seats } = this.#draft;
			const players = seats.length;
			const made = await patiently(() => preview(choice, players, running.signal));
			this.current = made;
			this.problem = "";
			this.#shown = keyOf({ ...choice, seed: made.seed }, players);
			if (!this.#draft.seed) this.#draft.seed = made.seed;
			if (this.#draft.boardMode === "hand" && this.#draft.slots.length === 0) this.#draft.takeBoard(made);
		} catch (error) {
			if (!running.signal.aborted) this.problem = explain(error);
		} finally {
			if (this.#running === running) this.busy = false;
		}
	}
}

function keyOf(choice: SetupChoice, players: number): string {
	return JSON.stringify([players, choice]);
}
