import { type Absence, Absences } from "./absences.svelte";
import type { TableState } from "./table.svelte";

/** The others at a table, as somebody there has to deal with them: who is missing or away, and what all have to want. */
export class Company {
	/** Whether seats are free and the game has not ended without those who are missing. */
	readonly isWaiting = $derived.by(() => {
		const { table, view } = this.#tableState;
		return !view?.over && (table?.seats.some(({ kind }) => kind === "open") ?? false);
	});
	/** Whether whoever looks on may take a seat. */
	readonly canChoose = $derived.by(() => {
		const { table, watching } = this.#tableState;
		return watching && (table?.free.length ?? 0) > 0;
	});
	/** Whether somebody here plays with people elsewhere. */
	readonly isPlaying = $derived.by(() => {
		const { table, view, watching } = this.#tableState;
		if (!table || !view || view.over || view.lesson || watching) return false;
		return table.seats.some((seat, n) => !table.yours.includes(n) && (seat.kind !== "bot" || seat.stands_in));
	});
	/** Who is away or out of time, for those who play with them. */
	readonly absent: Absence[] = $derived.by(() => (this.isPlaying ? this.absences.list : []));
	/** Those among them who keep the clocks waiting. Without a clock there is no hurry: the menu is enough. */
	readonly hurried: Absence[] = $derived.by(() => (this.#tableState.clocks.told ? this.absent : []));
	/** The free seats that those who play here may give to a bot, now or soon. */
	readonly free: Absence[] = $derived.by(() => (this.#tableState.watching ? [] : this.absences.free));
	/** Whether there is a pause, or somebody wants one. */
	readonly isPausing = $derived.by(() => {
		const { table, clocks } = this.#tableState;
		return clocks.isPaused || (table?.consents.pause ?? []).length > 0;
	});
	readonly canPause = $derived.by(
		() => this.isPlaying && this.#tableState.clocks.told !== null && !this.isWaiting && !this.isPausing,
	);
	/** Whether there is something to say about the others above the board. */
	readonly hasNews = $derived.by(() => this.isWaiting || this.hurried.length > 0 || this.isPausing);

	readonly absences: Absences;
	readonly #tableState: TableState;

	constructor(tableState: TableState) {
		this.#tableState = tableState;
		this.absences = new Absences(tableState);
	}
}
