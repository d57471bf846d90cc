import { seatName } from "../game/words";
import { t } from "../i18n/index.svelte";
import { saySentence } from "../i18n/say";
import type { SeatView, View } from "../protocol";

/** What comes next, in one sentence: what there is to do for whoever is in turn, and whom all others wait for. */
export function promptOf(view: View, seats: readonly SeatView[], myTurn: boolean): string {
	if (!view.over && !myTurn) {
		const name = seatName(seats, view.player);
		return t(seats[view.player]?.kind === "bot" ? "game.step.thinking" : "game.step.waiting", { name });
	}
	return view.prompt ? saySentence(view.prompt, seats) : "";
}
