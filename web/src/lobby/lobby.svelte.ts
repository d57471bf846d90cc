import type { LobbySeek, LobbyTable, OwnSeek, Paired, Refusal } from "../protocol";
import { Line, type LineStatus, type Report, type Wanted, type Wire } from "./line";

/** A game that one looks for, with the moments in the clock of this device. */
export interface Search extends OwnSeek {
	/** Since when, in milliseconds. */
	since: number;
	/** From when on bots are offered, in milliseconds. */
	botsFrom: number;
}

/** The lobby as the server shows it, kept up to date. */
export class LobbyState {
	status = $state<LineStatus>("connecting");
	refusal = $state.raw<Refusal>();
	online = $state(0);
	canRate = $state(false);
	searches = $state.raw<Search[]>([]);
	#tables = $state.raw<ReadonlyMap<string, LobbyTable>>(new Map());
	#seeks = $state.raw<ReadonlyMap<string, LobbySeek>>(new Map());
	readonly #line: Line;
	readonly #onPaired: (paired: Paired) => void;

	/** Tables with free seats, newest first. */
	readonly waiting: LobbyTable[] = $derived(newest(this.#tables).filter(hasRoom));
	/** Tables to look on at, newest first. */
	readonly running: LobbyTable[] = $derived(newest(this.#tables).filter((table) => !hasRoom(table)));
	/** Other people who look for a game, longest waiting first. */
	readonly seekers: LobbySeek[] = $derived(
		[...this.#seeks.values()]
			.filter(({ seek }) => !this.searches.some((own) => own.seek === seek))
			.sort((one, other) => one.since - other.since),
	);

	constructor(onPaired: (paired: Paired) => void, openWire?: () => Wire) {
		this.#onPaired = onPaired;
		const receive = (report: Report) => this.#take(report);
		const status = (now: LineStatus, refusal?: Refusal) => {
			this.status = now;
			this.refusal = refusal;
		};
		this.#line = new Line({ receive, status }, openWire);
	}

	open(): void {
		this.#line.start();
	}

	close(): void {
		this.#line.close();
	}

	wake(): void {
		this.#line.wake();
	}

	ask(wanted: Wanted): Promise<void> {
		return this.#line.ask(wanted);
	}

	#take(report: Report): void {
		switch (report.type) {
			case "lobby":
				this.online = report.online;
				this.#tables = new Map(report.tables.map((each) => [each.table, each]));
				this.#seeks = new Map(report.seeks.map((each) => [each.seek, each]));
				break;
			case "lobbynews":
				this.online = report.online;
				this.#tables = changed(this.#tables, report.tables, ({ table }) => table, report.gone);
				this.#seeks = changed(this.#seeks, report.seeks, ({ seek }) => seek, report.gone);
				break;
			case "own":
				this.canRate = report.can_rate;
				this.searches = report.seeks.map((each) => this.#search(each));
				break;
			case "paired":
				this.#onPaired(report);
				break;
		}
	}

	#search(each: OwnSeek): Search {
		const now = Date.now();
		return { ...each, since: now - 1000 * each.waited, botsFrom: now + 1000 * each.bots_in };
	}
}

function changed<T>(
	before: ReadonlyMap<string, T>,
	news: readonly T[],
	keyOf: (each: T) => string,
	gone: readonly string[],
): ReadonlyMap<string, T> {
	if (news.length === 0 && !gone.some((key) => before.has(key))) return before;
	const after = new Map([...before, ...news.map((each): [string, T] => [keyOf(each), each])]);
	for (const key of gone) after.delete(key);
	return after;
}

function hasRoom({ seats }: LobbyTable): boolean {
	return seats.some(({ free }) => free);
}

function newest(tables: ReadonlyMap<string, LobbyTable>): LobbyTable[] {
	return [...tables.values()].sort((one, other) => other.since - one.since || one.table.localeCompare(other.table));
}
