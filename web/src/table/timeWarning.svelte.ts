import { untrack } from "svelte";
import { HURRY, leftAt } from "../components/clock";
import { play } from "../game/sound";
import { t } from "../i18n/index.svelte";
import type { TableState } from "./table.svelte";

/** Warns once in each turn of a live game that is played here, by a sound and in words, that its time is nearly up. */
export class TimeWarning {
	/** Empty while there is time. */
	readonly words = $derived.by(() => (this.#warned && this.#warned === this.#turn ? t("game.timeShort") : ""));

	/** The turn whose time runs, if it is played here. */
	readonly #turn = $derived.by(() => {
		const { view, clocks, myTurn, table } = this.#tableState;
		if (!view || !myTurn || clocks.told?.kind !== "live" || clocks.told.running !== view.player) return "";
		return `${table?.game} ${view.round} ${view.player}`;
	});

	#warned = $state("");
	readonly #tableState: TableState;

	constructor(tableState: TableState) {
		this.#tableState = tableState;
		$effect(() => {
			const turn = this.#turn;
			const clock = tableState.clocks.running;
			if (!turn || !clock || untrack(() => this.#warned) === turn) return;
			const timer = setTimeout(() => this.#warn(turn), Math.max(0, leftAt(clock, Date.now()) - HURRY));
			return () => clearTimeout(timer);
		});
	}

	#warn(turn: string): void {
		this.#warned = turn;
		play("hurry");
	}
}
