import { clockText } from "../components/clock";
import { seatName } from "../game/words";
import { currentLocale, t } from "../i18n/index.svelte";
import type { TableState } from "./table.svelte";

/** The title of the page: whose turn it is, and in a page that nobody sees the time `left` for it. */
export function titleOf({ view, table, myTurn }: TableState, left?: number): string {
	if (!view || !table) return t("game.title");
	if (view.over) return t("game.title.over");
	if (myTurn && left !== undefined) return t("game.title.timed", { time: clockText(left, currentLocale().tag) });
	return myTurn ? t("game.title.mine") : t("game.title.theirs", { name: seatName(table.seats, view.player) });
}

/** Why nothing can be said at a table from here; empty if something can. */
export function silenceOf({ status, table, watching }: TableState): string {
	if (status === "refused") return t("game.chat.closed");
	return table?.hushed && watching && !table.host ? t("game.chat.hushed") : "";
}
