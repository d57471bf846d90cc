import { planOf } from "../game/hints";
import { turnAnalysis } from "../net/api";
import { explain } from "../net/explain";
import { patiently } from "../net/patience";
import type { Frame, LogLine, TurnAnalysis } from "../protocol";
import type { ReplayState } from "./replay.svelte";

/** How many of the worst turns are listed. */
const MOST_LISTED = 5;

/** A turn of a game: the place of its first moment, and what was done. */
export interface PlayedTurn {
	from: number;
	label: string;
	seat: number;
	lines: LogLine[];
}

export interface AnalysedTurn extends PlayedTurn {
	found: TurnAnalysis;
}

/** What the analysis says of a seat. */
export interface SeatAnalysis {
	accuracy: number | undefined;
	lost: number;
}

/** The turns of a game in which somebody decided something. */
export function playedTurns(frames: readonly Frame[]): PlayedTurn[] {
	const turns: PlayedTurn[] = [];
	for (const [i, { line }] of frames.entries()) {
		if (!line) continue;
		const last = turns.at(-1);
		if (last?.label === line.turn) last.lines.push(line);
		else turns.push({ from: i - 1, label: line.turn, seat: line.seat, lines: [line] });
	}
	return turns.filter(({ lines }) => lines.some(({ move }) => !move.startsWith("=")));
}

/** The search for mistakes in a game, turn by turn, while the page does other things. */
export class Analysis {
	running = $state(false);
	/** Why it stopped before the end. */
	problem = $state("");
	/** The turn whose better line is on the board, by the place of its first moment. */
	shown = $state<number>();
	#found = $state.raw<ReadonlyMap<number, TurnAnalysis>>(new Map());

	readonly turns = $derived.by(() => playedTurns(this.#replay.frames));
	readonly done = $derived.by(() => this.#found.size);
	readonly isWhole = $derived.by(() => this.turns.length > 0 && this.done === this.turns.length);
	readonly analysed = $derived.by<AnalysedTurn[]>(() =>
		this.turns.flatMap((turn) => {
			const found = this.#found.get(turn.from);
			return found ? [{ ...turn, found }] : [];
		}),
	);
	/** The turns that lost most, the worst first. */
	readonly worst = $derived.by(() =>
		this.analysed
			.filter(({ found }) => found.lost > 0)
			.sort((a, b) => b.found.lost - a.found.lost)
			.slice(0, MOST_LISTED),
	);
	readonly seats = $derived.by<SeatAnalysis[]>(() =>
		this.#replay.seats.map((_, seat) => {
			const own = this.analysed.filter((turn) => turn.seat === seat).map(({ found }) => found);
			const sum = own.reduce((total, { accuracy }) => total + accuracy, 0);
			const lost = own.reduce((total, turn) => total + turn.lost, 0);
			return { accuracy: own.length > 0 ? sum / own.length : undefined, lost };
		}),
	);
	/** The better line of the turn that is shown, while its moment is on the board. */
	readonly plan = $derived.by(() => {
		const turn = this.analysed.find(({ from }) => from === this.shown);
		const isThere = turn && this.#replay.index === momentOf(turn);
		return isThere ? planOf({ turn: turn.found.moves }) : undefined;
	});

	readonly #replay: ReplayState;
	#leaving = new AbortController();

	constructor(replay: ReplayState) {
		this.#replay = replay;
		$effect(() => {
			void replay.game;
			return () => this.#forget();
		});
	}

	/** Analyse the turns that are left, one after the other. */
	async run(): Promise<void> {
		if (this.running) return;
		this.running = true;
		this.problem = "";
		const { signal } = this.#leaving;
		try {
			for (const { from, lines } of this.turns) {
				if (!this.running || signal.aborted) break;
				if (this.#found.has(from)) continue;
				const position = this.#replay.frames[from]?.position ?? "";
				const moves = lines.map(({ move }) => move);
				const found = await patiently(() => turnAnalysis(position, moves, signal));
				if (!signal.aborted) this.#found = new Map([...this.#found, [from, found]]);
			}
		} catch (error) {
			if (!signal.aborted) this.problem = explain(error);
		}
		if (!signal.aborted) this.running = false;
	}

	stop(): void {
		this.running = false;
	}

	/** Go to a turn and show what would have been better. */
	show(turn: AnalysedTurn): void {
		this.shown = turn.from;
		this.#replay.running = false;
		this.#replay.move(momentOf(turn));
	}

	#forget(): void {
		this.#leaving.abort();
		this.#leaving = new AbortController();
		this.running = false;
		this.shown = undefined;
		this.#found = new Map();
	}
}

/** The place of the moment at which the better line begins. */
function momentOf({ from, found }: AnalysedTurn): number {
	return from + found.ply;
}
