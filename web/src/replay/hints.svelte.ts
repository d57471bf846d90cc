import { attempt } from "../game/attempt";
import { HintState } from "../game/hintState.svelte";
import { restOfTurn } from "../game/hints";
import { forecasts, hintsAt } from "../net/api";
import type { ReplayState } from "./replay.svelte";

/** Hints at a moment of a replay, to be compared with the turn that was played there. */
export class MomentHints {
	readonly state = new HintState();
	/** The position that they are for. */
	#position = $state.raw<string>();
	/** The gold that the current seat could expect after the turn that was played. */
	#played = $state.raw<number>();

	/** Whether the moment that is shown has hints. */
	readonly areShown = $derived.by(
		() => this.#position !== undefined && this.#position === this.#replay.frame?.position,
	);
	readonly plan = $derived.by(() => (this.areShown ? this.state.plan : undefined));
	/** How the turn went on, if that can be compared with whole turns. */
	readonly played = $derived.by(() => {
		const isWhole = this.areShown && this.state.turns[0]?.turn.at(-1) === ".";
		const rest = isWhole ? restOfTurn(this.#replay.frames, this.#replay.index) : undefined;
		return rest && this.#played !== undefined ? { lines: rest.lines, forecast: this.#played } : undefined;
	});

	readonly #replay: ReplayState;

	constructor(replay: ReplayState) {
		this.#replay = replay;
	}

	/** Get the hints for the moment that is shown; false if that was not possible. */
	async ask(): Promise<boolean> {
		const { frame, frames, index } = this.#replay;
		if (!frame) return false;
		if (this.areShown) return true;
		const end = restOfTurn(frames, index)?.position;
		const answers = await attempt(() => Promise.all([hintsAt(frame.position), end ? forecasts([end]) : [[]]]));
		if (!answers) return false;
		const [turns, [forecast]] = answers;
		this.state.take(turns);
		this.#position = frame.position;
		this.#played = forecast?.[frame.view.player];
		return true;
	}
}
