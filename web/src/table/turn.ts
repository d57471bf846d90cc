import { seatName } from "../game/words";
import { t } from "../i18n/index.svelte";
import { saySentence } from "../i18n/say";
import type { SeatView, View } from "../protocol";

/** Whose turn it is; `yours` are the seats that are played here. */
export function turnWords(view: View, seats: readonly SeatView[], yours: readonly number[], myTurn: boolean): string {
	const name = seatName(seats, view.player);
	if (!myTurn) return t("game.turnOf", { name });
	return yours.length > 1 ? t("game.yourTurnAs", { name }) : t("game.yourTurn");
}

/** What comes next, in one sentence: what there is to do for whoever is in turn, and whom all others wait for. */
export function promptOf(view: View, seats: readonly SeatView[], myTurn: boolean): string {
	if (!view.over && !myTurn) {
		const name = seatName(seats, view.player);
		return t(seats[view.player]?.kind === "bot" ? "game.step.thinking" : "game.step.waiting", { name });
	}
	return view.prompt ? saySentence(view.prompt, seats) : "";
}
