import { ScoreHexes } from "../game/scoreHexes.svelte";
import { scoresAt } from "../net/api";
import type { ScoreLine } from "../protocol";
import type { ReplayState } from "./replay.svelte";

/** The hexes that score at the moment that is shown. */
export function scoreHexesOf(replay: ReplayState): ScoreHexes {
	let known = $state.raw<{ position: string; lines: ScoreLine[] }>();
	return new ScoreHexes(
		() => (known?.position === replay.frame?.position ? known?.lines : undefined),
		() => {
			const position = replay.frame?.position;
			if (!position || known?.position === position) return;
			scoresAt(position).then(
				(lines) => {
					known = { position, lines };
				},
				() => undefined,
			);
		},
	);
}
