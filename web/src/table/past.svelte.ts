import { attempt } from "../game/attempt";
import { tableReplay } from "../net/api";
import { patiently } from "../net/patience";
import type { Frame } from "../protocol";
import type { TableState } from "./table.svelte";

/** The moments of the game so far, fetched when somebody wants them, and an earlier one that the board shows. */
export class Past {
	/** What the board shows instead of the present. */
	shown = $state.raw<Frame>();

	readonly #table: string;
	readonly #tokens: string[];
	readonly #tableState: TableState;
	#fetched: { key: string; frames: Promise<Frame[]> } | undefined;

	constructor(table: string, tokens: string[], tableState: TableState) {
		this.#table = table;
		this.#tokens = tokens;
		this.#tableState = tableState;
	}

	/** All moments up to the present. */
	frames(): Promise<Frame[]> {
		const key = `${this.#tableState.table?.game}:${this.#tableState.version}`;
		if (this.#fetched?.key !== key) {
			const answer = patiently(() => tableReplay(this.#table, this.#tokens));
			this.#fetched = { key, frames: answer.then(({ frames }) => frames) };
		}
		return this.#fetched.frames;
	}

	/** Show a moment; false if it could not be loaded. */
	async show(ply: number): Promise<boolean> {
		const frames = await this.#attempt();
		if (!frames) return false;
		const found = frames.find((frame) => frame.view.ply === ply);
		this.shown = found && found.view.ply !== this.#tableState.view?.ply ? found : undefined;
		return true;
	}

	/** Back to the present. */
	leave(): void {
		this.shown = undefined;
	}

	/** The position that the board shows, as text. */
	async position(): Promise<string | undefined> {
		return this.shown?.position ?? (await this.#attempt())?.at(-1)?.position;
	}

	async #attempt(): Promise<Frame[] | undefined> {
		const frames = await attempt(() => this.frames());
		if (!frames) this.#fetched = undefined;
		return frames;
	}
}
