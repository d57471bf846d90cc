import { type Hex, hexName, isInside } from "../board/hexes";
import { checkMap } from "../net/api";
import { explain } from "../net/explain";
import { patiently } from "../net/patience";
import type { MapCheck } from "../protocol";
import { device } from "../storage";
import { type Brush, blank, type Drawing, heightOf, painted, readDrawing, textOf, widthOf } from "./drawing";

const SHELF = "kb-workshop";
const DELAY_MS = 250;
const MOST_UNDO = 200;
/** The longest text that the server checks. */
export const LONGEST = 5000;

/** The map on the bench: its text, which the drawing follows, what was there before, and what the server says to it. */
export class Workshop {
	text = $state("");
	brush = $state.raw<Brush>({ letter: "" });
	cursor = $state.raw<Hex>({ row: 0, col: 0 });
	check = $state.raw<MapCheck>();
	/** The text that `check` is about. */
	checked = $state("");
	/** Why the map could not be checked. */
	trouble = $state("");

	readonly drawing: Drawing = $derived(readDrawing(this.text));
	readonly size = $derived({ width: widthOf(this.drawing), height: heightOf(this.drawing) });
	readonly cursorName = $derived(hexName(this.cursor));
	/** Whether `check` is about the present text. */
	readonly isChecked = $derived(this.checked === this.text);
	readonly stops = $derived(this.check?.problems.some(({ stops }) => stops) ?? true);
	readonly isPlayable = $derived(this.isChecked && !this.stops && this.check?.text !== "");

	#past = $state.raw<string[]>([]);
	#future = $state.raw<string[]>([]);
	readonly canUndo = $derived(this.#past.length > 0);
	readonly canRedo = $derived(this.#future.length > 0);

	/** Whether the next change continues the last one, so that one undo takes both back. */
	#stroke = "";
	#running: AbortController | undefined;

	constructor(shared: string | undefined, nameOfNew: string) {
		const left = device.read(SHELF);
		this.text = shared ?? left ?? textOf(blank("section", nameOfNew));
		// Undo leads back from a shared map to the one that was on the bench.
		if (shared !== undefined && left !== null) this.#past = [left];
		$effect(() => {
			const { text } = this;
			if (text !== shared) device.write(SHELF, text);
			const timer = setTimeout(() => void this.#ask(text), this.checked ? DELAY_MS : 0);
			return () => clearTimeout(timer);
		});
		$effect(() => {
			if (!isInside(this.cursor, this.size)) this.cursor = { row: 0, col: 0 };
		});
		$effect(() => () => this.#running?.abort());
	}

	/** Changes the text; changes with the same name of a stroke are undone together. */
	change(text: string, stroke = ""): void {
		if (text === this.text) return;
		if (stroke === "" || stroke !== this.#stroke) this.#past = [...this.#past.slice(-MOST_UNDO), this.text];
		this.#stroke = stroke;
		this.#future = [];
		this.text = text;
	}

	redraw(change: (drawing: Drawing) => Drawing, stroke = ""): void {
		this.change(textOf(change(this.drawing)), stroke);
	}

	paint(hex: Hex, stroke = ""): void {
		if (isInside(hex, this.size)) this.redraw((drawing) => painted(drawing, hex, this.brush), stroke);
	}

	/** The next change begins a new stroke. */
	lift(): void {
		this.#stroke = "";
	}

	undo(): void {
		const before = this.#past.at(-1);
		if (before === undefined) return;
		this.#past = this.#past.slice(0, -1);
		this.#future = [...this.#future, this.text];
		this.#stroke = "";
		this.text = before;
	}

	redo(): void {
		const after = this.#future.at(-1);
		if (after === undefined) return;
		this.#future = this.#future.slice(0, -1);
		this.#past = [...this.#past, this.text];
		this.#stroke = "";
		this.text = after;
	}

	async #ask(text: string): Promise<void> {
		this.#running?.abort();
		const running = new AbortController();
		this.#running = running;
		try {
			const check = await patiently(() => checkMap(text.slice(0, LONGEST + 1), running.signal));
			this.check = check;
			this.checked = text;
			this.trouble = "";
		} catch (error) {
			if (!running.signal.aborted) this.trouble = explain(error);
		}
	}
}
