import type { Catalogue, PrintedThing } from "../protocol";
import { tr } from "../texts/index.svelte";
import { getCatalogue } from "./api";
import { patiently } from "./patience";

class Holder {
	/** Nothing until it is loaded; pages are shown after that. */
	value = $state.raw<Catalogue>();
	readonly byKey = $derived(new Map(this.value?.printed.map((thing) => [thing.key, thing])));
}

export const catalogue = new Holder();

export async function loadCatalogue(): Promise<void> {
	catalogue.value = await patiently(getCatalogue);
}

/** The catalogue on a page, where it is there. */
export function loaded(): Catalogue {
	if (!catalogue.value) throw new Error("The catalogue is not loaded yet.");
	return catalogue.value;
}

export function printed(key: string): PrintedThing | undefined {
	return catalogue.byKey.get(key);
}

export function nameOf(key: string): string {
	const thing = printed(key);
	return thing ? tr(thing.name) : key;
}

export function textOf(key: string): string {
	return tr(printed(key)?.text ?? "");
}

/** The name of a letter of the map, such as `grass`. */
export function terrainName(letter: string): string {
	return tr(catalogue.value?.terrain[letter] ?? letter);
}

/** The main colour of the n-th set of pieces. */
export function colourOf(n: number): string {
	return catalogue.value?.colours[n] ?? "#808080";
}
