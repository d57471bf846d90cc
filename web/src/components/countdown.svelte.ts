import { changesIn, leftAt, type SeatClock } from "./clock";

/** What a clock has left, made anew whenever what it shows changes. */
export class Countdown {
	readonly left = $derived.by(() => {
		const clock = this.#clock();
		return clock && leftAt(clock, this.#moment.now);
	});

	readonly #clock: () => SeatClock | undefined;
	/** An object, so that a tick counts even if the clock of the machine stands still. */
	#moment = $state.raw({ now: Date.now() });

	/** Nothing is counted while there is no clock. */
	constructor(clock: () => SeatClock | undefined) {
		this.#clock = clock;
		// What the server says may be newer than the last tick.
		$effect.pre(() => {
			const told = clock();
			void [told?.left, told?.running, told?.since, told?.offset];
			this.#tick();
		});
		$effect(() => {
			const counted = clock();
			const wait = counted ? changesIn(counted, this.#moment.now) : null;
			if (wait === null) return;
			const timer = setTimeout(() => this.#tick(), wait);
			return () => clearTimeout(timer);
		});
	}

	#tick(): void {
		this.#moment = { now: Date.now() };
	}
}
