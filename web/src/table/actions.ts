import { play as sound } from "../game/sound";
import { stacksOf } from "../game/tiles";
import { t } from "../i18n/index.svelte";
import { saySentence } from "../i18n/say";
import { preferences } from "../preferences.svelte";
import type { Past } from "./past.svelte";
import type { PhraseKey } from "./phrases";
import type { Refusals } from "./refusals.svelte";
import type { TableState } from "./table.svelte";

/** What somebody at a table does, by mouse or by keys. */
export class Actions {
	readonly #tableState: TableState;
	readonly #past: Past;
	readonly #refusals: Refusals;

	constructor(tableState: TableState, past: Past, refusals: Refusals) {
		this.#tableState = tableState;
		this.#past = past;
		this.#refusals = refusals;
	}

	play(move: string): Promise<boolean> {
		this.#goOn();
		return this.#tableState.play(move);
	}

	/** Move another piece than the one that was chosen. */
	choose(piece: string): Promise<boolean> {
		this.#goOn();
		return this.#tableState.choose(piece);
	}

	/** Play a typed move; returns why it was not possible, or an empty text. */
	async playTyped(move: string): Promise<string> {
		return (await this.play(move)) ? "" : this.#refusals.take();
	}

	/** Play a move, or say why that is not possible. */
	async try(move: string): Promise<void> {
		const { view, table } = this.#tableState;
		if (view?.legal.includes(move)) {
			await this.play(move);
			return;
		}
		const reason = await this.#tableState.why(move);
		if (!reason) return;
		this.#refusals.reason = saySentence(reason, table?.seats);
		sound("no");
	}

	/** Use the tiles of one kind by their place in the panel, from 1. */
	useTile(number: number): void {
		const { view, me } = this.#tableState;
		const stack = view && stacksOf(view, me)[number - 1];
		if (stack) void this.try(stack.key);
	}

	undo(): void {
		if (this.#tableState.view?.undo) void this.#tableState.undo();
	}

	/** Get good turns, if there are none yet; false if none may be asked for. */
	async askHint(): Promise<boolean> {
		const { myTurn, table, hints } = this.#tableState;
		if (!myTurn || !table?.hints) return false;
		this.#goOn();
		if (hints.turns.length === 0) await this.#tableState.askHint();
		return true;
	}

	/** Say something; returns why it was not possible, or an empty text. */
	async say(text: string, phrase?: PhraseKey): Promise<string> {
		if (await this.#tableState.say(text, this.#tableState.me ?? null, preferences.name, phrase)) return "";
		return this.#refusals.take() || t("game.trouble.other");
	}

	/** Leave an earlier moment, or take back a half-made choice; false if there is neither. */
	stepBack(): boolean {
		const { view, hints } = this.#tableState;
		if (this.#past.shown) this.#past.leave();
		else if (hints.turns.length > 0) hints.drop();
		else if (view?.acting && view.undo) this.undo();
		else return false;
		return true;
	}

	/** Go on with the game: leave an earlier moment, and clear what was said about the last attempt. */
	#goOn(): void {
		this.#refusals.reason = "";
		this.#past.leave();
	}
}
