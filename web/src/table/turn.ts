/**
 * What the seat in turn is to do, may do, and why it cannot end its turn.
 *
 * The rules belong to the server: whatever the page still works out of a position for this is here and nowhere else.
 */

import { choiceWords, otherChoices, stepWords } from "../game/words";
import { t } from "../i18n/index.svelte";
import { terrainName } from "../net/catalogue.svelte";
import type { SeatView, View } from "../protocol";

/** Settlements of the mandatory action. */
const BUILDS = 3;

export interface Choice {
	move: string;
	label: string;
}

/** What comes next, in one sentence. */
export function promptOf(view: View, seats: readonly SeatView[], myTurn: boolean): string {
	return stepWords(view, seats, myTurn, seats[view.player]?.kind === "bot");
}

/** The terrain cards that the seat in turn may choose from, as letters. */
export function cardsOf(view: View): string[] {
	return view.legal.filter((move) => move.startsWith("!")).map((move) => move.slice(1));
}

/** Moves that neither a hex, a card, a held tile nor the end of the turn stand for, with words for their buttons. */
export function choicesOf(view: View): Choice[] {
	return otherChoices(view).map((move) => ({ move, label: choiceWords(move, view.acting) }));
}

/** How many settlements of the mandatory action are built in this turn, of how many. */
export function buildsOf(view: View): { built: number; all: number } {
	return { built: BUILDS - view.todo, all: BUILDS };
}

/** Why the turn cannot be ended; empty if it can. */
export function whyNotEnd(view: View): string {
	if (view.legal.includes(".")) return "";
	if (view.acting) return t("game.endWhy.acting");
	if (view.todo && !view.card) return t("game.endWhy.card");
	if (view.todo) return t("game.endWhy.build", { n: view.todo, terrain: terrainName(view.card) });
	return "";
}
