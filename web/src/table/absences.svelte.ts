import { untrack } from "svelte";
import type { SeatView, TableView } from "../protocol";
import type { TableState } from "./table.svelte";

/** Milliseconds for which somebody may be gone before it is mentioned: connections break and come back. */
export const UNNOTICED = 5000;

/** Milliseconds after which the others may go on at the latest, where nothing tells the server's time. */
export const LONGEST = 120_000;

/** A seat that a bot may take, now or soon: its player is away or out of time, or nobody has taken it. */
export interface Absence {
	seat: number;
	/** Whether its player is at the table, and only their time is up. */
	isHere: boolean;
	/** Milliseconds until the others may let a bot play; 0 if they may. */
	wait: number;
	/** The seats of those who want a bot to play. */
	wanting: number[];
	/** How many have to want it. */
	needed: number;
}

/** Whether a seat has a player who is not there. */
function isGone({ kind, connected }: SeatView): boolean {
	return kind === "person" && !connected;
}

/** Whether nobody has taken a seat. */
function isFree({ kind }: SeatView): boolean {
	return kind === "open";
}

/** How many have to want a bot to play: most of the others who are here. */
function majority({ seats }: TableView, absent: number): number {
	const present = seats.filter(({ kind, connected }, seat) => kind === "person" && connected && seat !== absent);
	return Math.floor(present.length / 2) + 1;
}

/** Who is away from a table, once that has lasted. */
export class Absences {
	/** The players who are away or out of time, in the order of their seats. */
	readonly list = $derived.by((): Absence[] =>
		this.#seats.flatMap(([seat, seen]) => {
			const isUnnoticed = isGone(seen) && !this.isNoticed(seat);
			return isFree(seen) || isUnnoticed ? [] : this.#absence(seat, seen);
		}),
	);
	/** The free seats that a bot may take. */
	readonly free = $derived.by((): Absence[] =>
		this.#seats.flatMap(([seat, seen]) => (isFree(seen) ? this.#absence(seat, seen) : [])),
	);
	readonly #seats = $derived.by((): [number, SeatView][] => {
		const { table, view } = this.#tableState;
		return !table || view?.over ? [] : [...table.seats.entries()];
	});

	readonly #tableState: TableState;
	/** When the player of each seat was first seen to be away, or to be missing; long ago for those who were so when this page came. */
	#since = $state.raw<Record<number, number>>({});
	#aways: (number | null)[] = [];
	#now = $state(0);

	constructor(tableState: TableState) {
		this.#tableState = tableState;
		let isFirst = true;
		$effect.pre(() => {
			const { table } = tableState;
			if (!table) return;
			const now = Date.now();
			this.#now = now;
			untrack(() => this.#note(table, isFirst ? now - UNNOTICED : now));
			isFirst = false;
		});
		const isChanging = $derived(
			Object.keys(this.#since).some((seat) => !this.isNoticed(Number(seat))) ||
				[...this.list, ...this.free].some(({ wait }) => wait > 0),
		);
		$effect(() => {
			if (!isChanging) return;
			const timer = setInterval(() => {
				this.#now = Date.now();
			}, 1000);
			return () => clearInterval(timer);
		});
	}

	/** Whether it has been noticed that somebody is not there. */
	isNoticed(seat: number): boolean {
		const since = this.#since[seat];
		return since !== undefined && this.#now >= since + UNNOTICED;
	}

	#absence(seat: number, seen: SeatView): Absence[] {
		const { table, clocks } = this.#tableState;
		if (!table || seen.away === null) return [];
		const latest = (this.#since[seat] ?? this.#now) + LONGEST;
		const from = clocks.told ? seen.away + clocks.offset : Math.min(seen.away, latest);
		const wait = Math.max(0, from - this.#now);
		return [
			{
				seat,
				isHere: seen.kind === "person" && seen.connected,
				wait,
				wanting: seen.replaced_by,
				needed: majority(table, seat),
			},
		];
	}

	#note({ seats }: TableView, now: number): void {
		const before = this.#since;
		const aways = this.#aways;
		this.#since = Object.fromEntries(
			[...seats.entries()]
				.filter(([, seen]) => isGone(seen) || isFree(seen))
				// Whoever sits down begins the wait for a free seat anew.
				.map(([seat, seen]) => [seat, isFree(seen) && aways[seat] !== seen.away ? now : (before[seat] ?? now)]),
		);
		this.#aways = seats.map(({ away }) => away);
	}
}
