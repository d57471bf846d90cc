import { t } from "../i18n/index.svelte";
import { saySentence } from "../i18n/say";
import type { TableState } from "./table.svelte";

/** Breaks shorter than this, in milliseconds, are not mentioned. */
const PATIENCE = 500;

/** A time without connection; it is shown if it lasts. */
export class Outage {
	isLasting = $state(false);
	readonly words = $derived.by(() => {
		const { turnedAway, table } = this.#tableState;
		if (!turnedAway) return t("game.offline");
		const words = saySentence(turnedAway.message, table?.seats);
		return turnedAway.code === "store" ? `${t("game.trouble.store")} ${words}` : words;
	});

	readonly #tableState: TableState;

	constructor(tableState: TableState) {
		this.#tableState = tableState;
		$effect(() => {
			if (tableState.status === "online") {
				this.isLasting = false;
				return;
			}
			const timer = setTimeout(() => {
				this.isLasting = true;
			}, PATIENCE);
			return () => clearTimeout(timer);
		});
	}
}
