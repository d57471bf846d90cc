import type { TurnClock } from "../components/clock";
import type { ClockView } from "../protocol";

/** How many messages the estimate of the server's clock is made from: a machine whose clock is corrected gets over it. */
const MOST_ESTIMATES = 8;

/** The clocks of a game, as the newest message tells them. */
export class Clocks {
	told = $state.raw<ClockView | null>(null);
	/** How far the clock of this machine is ahead of the server's, in milliseconds. */
	offset = $state(0);
	readonly isPaused = $derived(this.told?.stops.includes("paused") ?? false);

	#estimates: number[] = [];

	/** Takes over what a message says. A message is never early: the one that was fastest tells the time best. */
	take(clock: ClockView | null | undefined, now = Date.now()): void {
		this.told = clock ?? null;
		if (!clock) return;
		this.#estimates = [...this.#estimates, now - clock.now].slice(-MOST_ESTIMATES);
		this.offset = Math.min(...this.#estimates);
	}

	/** The clock of a seat; nothing in games without clocks. */
	of(seat: number): TurnClock | undefined {
		const { told, offset } = this;
		const left = told?.left[seat];
		if (!told || left === undefined) return undefined;
		return { left, running: told.running === seat, since: told.since, offset, had: told.had[seat] ?? left };
	}

	/** The clock of the seat whose time runs, with its seat; nothing if nobody's does. */
	get running(): (TurnClock & { seat: number }) | undefined {
		const seat = this.told?.running ?? undefined;
		const clock = seat === undefined ? undefined : this.of(seat);
		return clock && seat !== undefined ? { ...clock, seat } : undefined;
	}
}
