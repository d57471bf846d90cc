import type { ScoreLine } from "../protocol";

/** Milliseconds for everything, and the shortest and longest time for what one card pays one seat. */
const WHOLE = 10_000;
const SHORTEST = 250;
const LONGEST = 750;
/** Milliseconds before the first step and after the last one. */
const PAUSE = 700;
/** Milliseconds after which the result is shown without a count, if what pays has not come. */
const PATIENCE = 5_000;

/** The steps of a count: card by card, in the order of the setup, what it pays each seat; what pays nothing is left out. */
export function stepsOf(lines: readonly ScoreLine[], scoring: readonly string[]): ScoreLine[] {
	return scoring.flatMap((key) =>
		lines.filter((line) => line.key === key && line.gold > 0).sort((a, b) => a.seat - b.seat),
	);
}

/** The gold of each seat after some steps. */
export function goldAfter(steps: readonly ScoreLine[], done: number, seats: number): number[] {
	const gold = new Array<number>(seats).fill(0);
	for (const { seat, gold: paid } of steps.slice(0, done)) gold[seat] = (gold[seat] ?? 0) + paid;
	return gold;
}

/** The gold of a finished game, counted card by card over the veiled board. */
export class Counting {
	/** Whether it is going on; until the scores are here, nothing is counted yet. */
	on = $state(false);
	/** The number of steps that have been counted. */
	done = $state(0);
	readonly steps: ScoreLine[] = $derived.by(() => stepsOf(this.#lines() ?? [], this.#scoring()));
	/** What is being counted. */
	readonly step: ScoreLine | undefined = $derived(this.on ? this.steps[this.done - 1] : undefined);
	/** The hexes that pay for it; the whole board is veiled if none do. */
	readonly lit: string[] | undefined = $derived(this.on ? (this.step?.hexes ?? []) : undefined);

	readonly #lines: () => ScoreLine[] | undefined;
	readonly #scoring: () => string[];

	/** `lines` are what pays, once `ask` has asked for it; `scoring` the order of the cards. */
	constructor(lines: () => ScoreLine[] | undefined, scoring: () => string[], ask: () => void) {
		this.#lines = lines;
		this.#scoring = scoring;
		$effect(() => {
			if (this.on) ask();
		});
		$effect(() => {
			if (!this.on) return;
			const timer = this.#lines() ? this.#planNext() : setTimeout(() => this.stop(), PATIENCE);
			return () => clearTimeout(timer);
		});
	}

	start(): void {
		this.done = 0;
		this.on = true;
	}

	/** The timer of the next step, or of the end. */
	#planNext(): ReturnType<typeof setTimeout> {
		const { done, steps } = this;
		if (done >= steps.length) return setTimeout(() => this.stop(), PAUSE);
		const pace = Math.min(LONGEST, Math.max(SHORTEST, WHOLE / steps.length));
		return setTimeout(() => (this.done = done + 1), done === 0 ? PAUSE : pace);
	}

	/** Skip the rest. */
	stop(): void {
		this.on = false;
	}
}
