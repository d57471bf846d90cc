import { currentLocale, t } from "../i18n/index.svelte";
import type { Name, Names } from "../i18n/locales";
import type { BoxInfo, Catalogue, ComponentInfo, LevelInfo, OptionInfo } from "../protocol";
import { getCatalogue } from "./api";
import { patiently } from "./patience";

class Holder {
	/** Nothing until it is loaded; pages are shown after that. */
	value = $state.raw<Catalogue>();
	readonly byKey = $derived(new Map(this.value?.components.map((component) => [component.key, component])));
}

export const catalogue = new Holder();

export async function loadCatalogue(): Promise<void> {
	catalogue.value = await patiently(getCatalogue);
}

/** The catalogue, for pages that are shown only once it is loaded. */
export function loaded(): Catalogue {
	if (!catalogue.value) throw new Error("The catalogue is not loaded yet.");
	return catalogue.value;
}

export function componentOf(key: string): ComponentInfo | undefined {
	return catalogue.byKey.get(key);
}

/** The name of a component. */
export function nameOf(key: string): string {
	return nameIn(currentLocale().names, "components", key);
}

/** What is printed on a component. */
export function textOf(key: string): string {
	return textIn(currentLocale().names.components?.[key]) ?? componentOf(key)?.text ?? "";
}

/** The name of a letter of the map, such as `grass`. */
export function terrainName(letter: string): string {
	return nameIn(currentLocale().names, "terrains", letter);
}

/** The name of a kind of piece, such as `warrior`. */
export function pieceName(key: string): string {
	return nameIn(currentLocale().names, "pieces", key);
}

const IN_ENGLISH = {
	components: (key: string) => componentOf(key)?.name ?? key,
	terrains: (letter: string) => catalogue.value?.terrain[letter] ?? letter,
	pieces: (key: string) => catalogue.value?.pieces.find((kind) => kind.key === key)?.name ?? t("game.piece.other"),
};

/** A grammatical form of a name among the names of a language; the English name if it has none there. */
export function nameIn(names: Names, kind: keyof typeof IN_ENGLISH, key: string, form?: string): string {
	return formOf(names[kind]?.[key], form) ?? IN_ENGLISH[kind](key);
}

export function boxName({ key, name }: BoxInfo): string {
	return formOf(currentLocale().names.boxes?.[key]) ?? name;
}

/** What a house ruling says. */
export function optionText({ key, text }: OptionInfo): string {
	return formOf(currentLocale().names.options?.[key]) ?? text;
}

/** The name of a bot's level. */
export function levelName(key: string): string {
	return formOf(currentLocale().names.levels?.[key]) ?? key;
}

/** How a bot of a level plays. */
export function levelText({ key, text }: LevelInfo): string {
	return textIn(currentLocale().names.levels?.[key]) ?? text;
}

/** A grammatical form of a name; the name itself if it has no such form. */
function formOf(name: Name | undefined, form = "name"): string | undefined {
	return typeof name === "object" ? (name[form] ?? name.name) : name;
}

function textIn(name: Name | undefined): string | undefined {
	return typeof name === "object" ? name.text : undefined;
}

/** The main colour of the n-th set of pieces. */
export function colourOf(n: number): string {
	return catalogue.value?.colours[n] ?? "#808080";
}
