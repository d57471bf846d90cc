import { currentLocale, t } from "../i18n/index.svelte";
import { ENGLISH, type Name, type Names } from "../i18n/locales";
import { fill } from "../i18n/template";
import type { BoxInfo, Catalogue, ComponentInfo, LevelInfo, OptionInfo, SetupView } from "../protocol";
import { getCatalogue } from "./api";
import { patiently } from "./patience";

class Holder {
	/** Nothing until it is loaded; pages are shown after that. */
	value = $state.raw<Catalogue>();
	readonly byKey = $derived(new Map(this.value?.components.map((component) => [component.key, component])));
	/** The map of the game that is shown; outside a game, nothing. */
	map = $state.raw<readonly string[]>();
	/** The kinds of special hexes that texts name: those on the map, or all. */
	readonly special = $derived.by(() => {
		const all = Object.keys(this.value?.special ?? {});
		const letters = this.map?.join("");
		const found = all.filter((letter) => letters?.includes(letter));
		return found.length > 0 ? found : all;
	});
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

/** Lets texts name only what is on the map of a game; called with nothing, everything again. */
export function speakOfMap(rows: readonly string[] | undefined): void {
	catalogue.map = rows;
}

/** What is printed on a component. */
export function textOf(key: string): string {
	const own = textIn(currentLocale().names.components?.[key]);
	const { names, grammar } = own === undefined ? ENGLISH : currentLocale();
	const special = (form?: string) =>
		grammar.list(
			catalogue.special.map((letter) => nameIn(names, "special", letter, form)),
			"or",
		);
	return fill(own ?? componentOf(key)?.text ?? "", grammar, (name, form) =>
		name === "special" ? special(form) : undefined,
	);
}

/** The name of a letter of the map, such as `grass`. */
export function terrainName(letter: string): string {
	return nameIn(currentLocale().names, "terrains", letter);
}

/** The name of a kind of piece, such as `warrior`. */
export function pieceName(key: string): string {
	return nameIn(currentLocale().names, "pieces", key);
}

/** What a kind of piece may do, and what it means for others. */
export function pieceText(key: string): string {
	const info = catalogue.value?.pieces.find((kind) => kind.key === key);
	return textIn(currentLocale().names.pieces?.[key]) ?? info?.text ?? "";
}

const IN_ENGLISH = {
	components: (key: string) => componentOf(key)?.name ?? key,
	special: (letter: string) => catalogue.value?.special[letter] ?? letter,
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

/** The keys of the boxes that the sections and cards of a setup are from. */
export function boxesOf({ board, cards, tasks }: Pick<SetupView, "board" | "cards" | "tasks">): string[] {
	const { sections = [], sets = [] } = catalogue.value ?? {};
	const placed = board.split("/").map((text) => text.replace(/'$/, ""));
	const found = new Set(sections.filter(({ key }) => placed.includes(key)).map(({ set }) => set));
	for (const key of [...cards, ...tasks]) found.add(componentOf(key)?.set ?? "");
	return sets.map(({ key }) => key).filter((key) => found.has(key));
}

/** What a house ruling says. */
export function optionText({ key, text }: OptionInfo): string {
	return formOf(currentLocale().names.options?.[key]) ?? text;
}

/** The name of a bot's level or character. */
export function levelName(key: string): string {
	return formOf(currentLocale().names.levels?.[key]) ?? (characterName(key) || key);
}

/** The name of a bot that is a character; empty for a level of strength. */
export function characterName(key: string): string {
	return catalogue.value?.levels.find((level) => level.key === key)?.name ?? "";
}

/** How a bot of a level plays. */
export function levelText({ key, text }: LevelInfo): string {
	return textIn(currentLocale().names.levels?.[key]) ?? text;
}

/** The same, by the level's key. */
export function levelTextOf(key: string): string {
	const level = catalogue.value?.levels.find((each) => each.key === key);
	return level ? levelText(level) : "";
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
