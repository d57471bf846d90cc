import { preferences } from "../preferences.svelte";
import { BASE, bestLanguage, ENGLISH, LANGUAGES, type Locale, loadLocale, type TextKey } from "./locales";
import { fill } from "./template";

export type { TextKey };
export type Holes = Record<string, string | number>;

class Speech {
	loaded = $state.raw<ReadonlyMap<string, Locale>>(new Map([[BASE, ENGLISH]]));
	readonly locale = $derived(this.loaded.get(wanted()) ?? ENGLISH);
}

const speech = new Speech();

/** The language to use: the chosen one, or else the browser's, if it exists here. */
function wanted(): string {
	return LANGUAGES.has(preferences.language) ? preferences.language : bestLanguage(navigator.languages);
}

/** Loads what the chosen language needs; until then everything is English. */
export async function loadLanguage(): Promise<void> {
	const code = wanted();
	if (speech.loaded.has(code)) return;
	const locale = await loadLocale(code);
	speech.loaded = new Map([...speech.loaded, [code, locale]]);
}

/** Loads a language when it is chosen and sets it on the document; returns a function that stops it. */
export function followLanguage(): () => void {
	return $effect.root(() => {
		$effect(() => {
			loadLanguage().catch(() => undefined);
			document.documentElement.lang = spoken();
		});
	});
}

/** The language that is spoken now, with its words. */
export function currentLocale(): Locale {
	return speech.locale;
}

/** The code of the language that is spoken now. */
export function spoken(): string {
	return speech.locale.code;
}

/** A text of the page with its holes filled; the number `n` decides the plural forms. */
export function t(key: TextKey, holes: Holes = {}): string {
	const own = speech.locale.texts[key];
	const { grammar } = own === undefined ? ENGLISH : speech.locale;
	return fill(own ?? ENGLISH.texts[key], grammar, (name) => holes[name]);
}

/** Words in a row, as in `a1, b2 and c3`. */
export function listed(words: readonly string[], joined: "and" | "or" = "and"): string {
	return speech.locale.grammar.list(words, joined);
}

/** A number with one decimal place, as the language writes it. */
export function decimal(n: number): string {
	return n.toLocaleString(speech.locale.tag, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}
