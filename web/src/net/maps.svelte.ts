/** The maps that were made or typed in on this device, and the setups that use them. */

import type { SectionInfo, SetupChoice } from "../protocol";
import { device, isRecord } from "../storage";
import { loaded } from "./catalogue.svelte";

/** A map that the server has found playable. */
export interface OwnMap {
	name: string;
	/** The text of a file with this map. */
	text: string;
	/** What a whole board is called in a setup; empty for a section. */
	board: string;
	section: SectionInfo | null;
}

const SHELF = "kb-maps";
export const MOST_MAPS = 24;
/** The most characters of own sections that the server takes. */
const LONGEST = 5000;
/** The set of sections that belong to no box. */
export const OWN_SET = "own";

class Maps {
	all = $state.raw<readonly OwnMap[]>(kept());
	readonly boards = $derived(this.all.filter(({ board }) => board !== ""));
	readonly sections = $derived(this.all.flatMap(({ section }) => section ?? []));
	/** The map that the next set-up begins with. */
	wanted: OwnMap | undefined;
}

export const ownMaps = new Maps();

function kept(): OwnMap[] {
	const found = device.readJson(SHELF);
	return Array.isArray(found) ? found.filter(isMap).slice(0, MOST_MAPS) : [];
}

function isMap(value: unknown): value is OwnMap {
	if (!isRecord(value)) return false;
	const { name, text, board, section } = value;
	return [name, text, board].every((each) => typeof each === "string") && (section === null || isSection(section));
}

function isSection(value: unknown): boolean {
	return isRecord(value) && typeof value.key === "string" && Array.isArray(value.locations);
}

function isSame(one: OwnMap, other: OwnMap): boolean {
	return one.name === other.name && (one.section === null) === (other.section === null);
}

/** Keeps a map, in place of one with the same name; false if there is no room for another. */
export function keepMap(map: OwnMap): boolean {
	const known = ownMaps.all.some((each) => isSame(each, map));
	if (!known && ownMaps.all.length >= MOST_MAPS) return false;
	store(known ? ownMaps.all.map((each) => (isSame(each, map) ? map : each)) : [...ownMaps.all, map]);
	return true;
}

export function forgetMap(map: OwnMap): void {
	store(ownMaps.all.filter((each) => !isSame(each, map)));
}

function store(maps: readonly OwnMap[]): void {
	ownMaps.all = maps;
	device.writeJson(SHELF, maps);
}

/** The sections of the catalogue, with those of this device in place of others of the same key or behind them. */
export function allSections(): SectionInfo[] {
	const own = new Map(ownMaps.sections.map((section) => [section.key, section]));
	const printed = loaded().sections.map((section) => own.get(section.key) ?? section);
	const known = new Set(printed.map(({ key }) => key));
	return [...printed, ...ownMaps.sections.filter(({ key }) => !known.has(key))];
}

/** A setup with the sections of this device that belong to its sets. */
export function withOwnSections(choice: SetupChoice): SetupChoice {
	const sets = choice.sets ?? [];
	const texts = ownMaps.all.filter(({ section }) => section && sets.includes(section.set)).map(({ text }) => text);
	return texts.length > 0 ? { ...choice, sections: joined(texts) } : choice;
}

/** Several files as one, as long as the server takes it: the line with the version stands only at the top. */
function joined(texts: readonly string[]): string {
	let whole = "";
	for (const text of texts) {
		const longer = whole === "" ? text : `${whole}\n${text.replace(/^[^#]*/, "")}`;
		if (longer.length <= LONGEST) whole = longer;
	}
	return whole;
}
