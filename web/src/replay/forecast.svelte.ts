import { attempt } from "../game/attempt";
import { positionsByTurn } from "../game/statistics";
import { forecasts } from "../net/api";
import { patiently } from "../net/patience";
import type { ReplayState } from "./replay.svelte";

/** The gold that each seat could expect at the end of the game: before the first turn, and after each turn. */
export class Forecast {
	gold = $state.raw<number[][]>();

	constructor(replay: ReplayState) {
		$effect(() => {
			const { game, frames, turns } = replay;
			this.gold = undefined;
			if (!game?.hints || turns.length < 2) return;
			const positions = positionsByTurn(frames, turns);
			void attempt(() => patiently(() => forecasts(positions))).then((gold) => {
				if (replay.game === game) this.gold = gold;
			});
		});
	}
}
