import type { Box } from "../board/hexes";
import type { ExplanationView } from "../protocol";

/** What somebody wants to know about: what is on a hex, or a component wherever it is. */
export type About = { hex: string; key?: never } | { key: string; hex?: never };

/** `pointed`: by a resting mouse; `pressed`: by a press, so that it stays; `keyed`: by a key, so that it gets the focus. */
export type Way = "pointed" | "pressed" | "keyed";

/** An explanation, or only a reason why something cannot be done, beside what it is about. */
export interface Shown {
	about: About;
	anchor: () => Box | undefined;
	way: Way;
	things: ExplanationView[];
	/** Why what was tried cannot be done. */
	reason: string;
}

/** Milliseconds that the mouse rests before something is explained, and that it may be away before that ends. */
const REST = 550;
const LEAVE = 300;
/** Milliseconds that a bare reason is shown. */
const READING = 8000;

/** What is explained now, at a table or in a replay: one thing at a time. */
export class Explaining {
	shown = $state.raw<Shown>();

	readonly #ask: (about: About) => Promise<ExplanationView[]>;
	#timer: ReturnType<typeof setTimeout> | undefined;
	#asked = 0;

	constructor(ask: (about: About) => Promise<ExplanationView[]>) {
		this.#ask = ask;
	}

	/** The mouse is over something that can be explained. */
	point(about: About, anchor: () => Box | undefined): void {
		if (this.shown && this.shown.way !== "pointed") return;
		clearTimeout(this.#timer);
		if (this.shown && isSame(this.shown.about, about)) return;
		this.#timer = setTimeout(() => void this.show(about, anchor, "pointed"), REST);
	}

	/** The mouse has left it, and perhaps goes to the card. */
	leave(): void {
		if (this.shown && this.shown.way !== "pointed") return;
		clearTimeout(this.#timer);
		if (this.shown) this.#timer = setTimeout(() => this.close(), LEAVE);
		else this.#asked += 1;
	}

	/** The mouse is over the card. */
	stay(): void {
		if (this.shown?.way === "pointed") clearTimeout(this.#timer);
	}

	/** Explain something, with the reason why it could not be chosen, if that was tried. */
	async show(about: About, anchor: () => Box | undefined, way: Way, reason = ""): Promise<void> {
		clearTimeout(this.#timer);
		this.#asked += 1;
		const asked = this.#asked;
		// What a component is, is known here; what it means now comes from the server.
		if (about.key) this.shown = { about, anchor, way, reason, things: [bare(about.key)] };
		const things = await this.#ask(about).catch(() => []);
		if (asked !== this.#asked || (things.length === 0 && !reason)) return;
		this.shown = { about, anchor, way, reason, things: things.length > 0 || !about.key ? things : [bare(about.key)] };
	}

	/** Say at a hex why it cannot be chosen. */
	refuse(hex: string, anchor: () => Box | undefined, reason: string): void {
		clearTimeout(this.#timer);
		this.#asked += 1;
		this.shown = { about: { hex }, anchor, way: "pressed", things: [], reason };
		this.#timer = setTimeout(() => this.close(), READING);
	}

	/** The position has changed: reasons are out of date, and explanations may be. */
	async refresh(): Promise<void> {
		const { shown } = this;
		if (!shown) this.#asked += 1;
		if (!shown || shown.things.length === 0) {
			this.close();
			return;
		}
		this.#asked += 1;
		const asked = this.#asked;
		const things = await this.#ask(shown.about).catch(() => []);
		if (asked === this.#asked && things.length > 0) this.shown = { ...shown, things, reason: "" };
	}

	/** Returns whether something was shown. */
	close(): boolean {
		clearTimeout(this.#timer);
		this.#asked += 1;
		const wasShown = this.shown !== undefined;
		this.shown = undefined;
		return wasShown;
	}
}

function isSame(one: About, other: About): boolean {
	return one.hex === other.hex && one.key === other.key;
}

function bare(key: string): ExplanationView {
	return { kind: "component", key, lines: [], rule: key };
}
