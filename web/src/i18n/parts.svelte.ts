/**
 * Parts of the page that are loaded on demand have their texts in `<language>/parts/<part>.json`. The English ones come
 * with the part's code, those of another language when the part is shown for the first time.
 */

import { currentLocale, type Holes } from "./index.svelte";
import { ENGLISH } from "./locales";
import { fill } from "./template";

type Texts = Readonly<Record<string, string>>;

const FILES = import.meta.glob<Texts>(["./*/parts/*.json", "!./en/parts/*.json"], { import: "default" });

class Parts {
	/** The texts that have been loaded, by the path of their file. */
	loaded = $state.raw<ReadonlyMap<string, Texts>>(new Map());
}

const parts = new Parts();
const wanted = new Map<string, Promise<void>>();

function pathOf(part: string): string {
	return `./${currentLocale().code}/parts/${part}.json`;
}

/** Loads the texts of a part in the current language; without them it is English. */
export function loadPart(part: string): Promise<void> {
	const path = pathOf(part);
	const load = FILES[path];
	if (!load) return Promise.resolve();
	let loading = wanted.get(path);
	if (!loading) {
		loading = load().then(
			(texts) => {
				parts.loaded = new Map([...parts.loaded, [path, texts]]);
			},
			() => {
				wanted.delete(path);
			},
		);
		wanted.set(path, loading);
	}
	return loading;
}

/** What `t` is for the whole page, for one part of it: its texts by their keys, in the current language. */
export function partTexts<Key extends string>(
	part: string,
	english: Readonly<Record<Key, string>>,
): (key: Key, holes?: Holes) => string {
	return (key, holes = {}) => {
		void loadPart(part);
		const own = parts.loaded.get(pathOf(part))?.[key];
		const { grammar } = own === undefined ? ENGLISH : currentLocale();
		return fill(own ?? english[key], grammar, (name) => holes[name]);
	};
}
