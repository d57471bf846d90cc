import { language } from "../preferences.svelte";
import { en as enGame } from "./en.game";
import { en as enPages } from "./en.pages";

const en = { ...enPages, ...enGame };

export type TextKey = keyof typeof en;
type PluralKey = TextKey extends infer Key ? (Key extends `${infer Stem}One` ? Stem : never) : never;
export type Holes = Record<string, string | number>;

interface Tongue {
	texts: Record<TextKey, string>;
	translate: (english: string) => string;
}

const ENGLISH: Tongue = { texts: en, translate: (english) => english };

class Speech {
	german = $state.raw<Tongue>();
	readonly tongue = $derived((language() === "de" && this.german) || ENGLISH);
}

const speech = new Speech();

/** Loads what the chosen language needs; until then everything is English. */
export async function loadLanguage(): Promise<void> {
	if (language() !== "de" || speech.german) return;
	const [pages, game, { makeTranslator }, phrases] = await Promise.all([
		import("./de.pages"),
		import("./de.game"),
		import("./phrases"),
		import("./phrases.de.json"),
	]);
	speech.german = { texts: { ...pages.de, ...game.de }, translate: makeTranslator(phrases.default) };
}

/** Loads a language when it is chosen and tells the browser; returns a function that stops it. */
export function followLanguage(): () => void {
	return $effect.root(() => {
		$effect(() => {
			loadLanguage().catch(() => undefined);
			document.documentElement.lang = spoken();
		});
	});
}

/** The language that is spoken now. */
export function spoken(): "en" | "de" {
	return speech.tongue === ENGLISH ? "en" : "de";
}

/** A text of the catalogue, its `{name}` holes filled. */
export function t(key: TextKey, holes: Holes = {}): string {
	return speech.tongue.texts[key].replace(/\{(\w+)\}/g, (hole, name: string) => String(holes[name] ?? hole));
}

/** The text for one or for many: `KEYOne` or `KEYMany`, with the number as `{n}`. */
export function plural(key: PluralKey, n: number, holes: Holes = {}): string {
	return t(`${key}${n === 1 ? "One" : "Many"}` as TextKey, { n, ...holes });
}

/** A number with one decimal place, as the language writes it. */
export function decimal(n: number): string {
	return n.toLocaleString(spoken(), { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

/** A text that the server sent, in the language of the page. */
export function tr(english: string): string {
	return speech.tongue.translate(english);
}
