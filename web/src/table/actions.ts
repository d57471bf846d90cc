import { play as sound } from "../game/sound";
import { stacksOf } from "../game/tiles";
import { localised } from "../game/words";
import { preferences } from "../preferences.svelte";
import { t } from "../texts/index.svelte";
import type { Past } from "./past.svelte";
import type { Refusals } from "./refusals.svelte";
import type { TableState } from "./table.svelte";

/** What somebody at a table does, by mouse or by keys. */
export class Actions {
	readonly #room: TableState;
	readonly #past: Past;
	readonly #refusals: Refusals;

	constructor(room: TableState, past: Past, refusals: Refusals) {
		this.#room = room;
		this.#past = past;
		this.#refusals = refusals;
	}

	play(move: string): Promise<boolean> {
		this.#goOn();
		return this.#room.play(move);
	}

	/** Play a move that was typed; the answer is why that was not possible, or empty. */
	async playTyped(move: string): Promise<string> {
		return (await this.play(move)) ? "" : this.#refusals.take();
	}

	/** Play a move, or say why that is not possible. */
	async try(move: string): Promise<void> {
		const { view, table } = this.#room;
		if (view?.legal.includes(move)) {
			await this.play(move);
			return;
		}
		const reason = await this.#room.why(move);
		if (!reason) return;
		this.#refusals.reason = localised(reason, table?.seats ?? []);
		sound("no");
	}

	/** Use the tiles of one kind by their place in the panel, from 1. */
	useTile(number: number): void {
		const { view, me } = this.#room;
		const stack = view && stacksOf(view, me)[number - 1];
		if (stack) void this.try(stack.key);
	}

	undo(): void {
		if (this.#room.view?.undo) void this.#room.undo();
	}

	/** Get good turns, if there are none yet; false if none may be asked for. */
	async askHint(): Promise<boolean> {
		const { myTurn, table, hints } = this.#room;
		if (!myTurn || !table?.advice) return false;
		this.#goOn();
		if (hints.turns.length === 0) await this.#room.askHint();
		return true;
	}

	/** Say something; the answer is why that was not possible, or empty. */
	async say(text: string): Promise<string> {
		if (await this.#room.say(text, this.#room.me ?? null, preferences.name)) return "";
		return this.#refusals.take() || t("game.trouble.other");
	}

	/** Leave what is looked at, or take back what is half done; false if there is nothing of that kind. */
	stepBack(): boolean {
		const { view, hints } = this.#room;
		if (this.#past.shown) this.#past.leave();
		else if (hints.turns.length > 0) hints.drop();
		else if (view?.acting) this.undo();
		else return false;
		return true;
	}

	/** Go on with the game: what was said of the last attempt, and an earlier moment, are left. */
	#goOn(): void {
		this.#refusals.reason = "";
		this.#past.leave();
	}
}
