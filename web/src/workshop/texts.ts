/** What the workshop says, and what it calls things. */

import english from "../i18n/en/parts/workshop.json";
import { listed } from "../i18n/index.svelte";
import { partTexts } from "../i18n/parts.svelte";
import { loaded, nameOf, terrainName } from "../net/catalogue.svelte";
import type { OwnMap } from "../net/maps.svelte";
import type { SectionInfo } from "../protocol";
import { EMPTY, OWN } from "./drawing";

export const words = partTexts("workshop", english);

export function letterName(letter: string): string {
	return letter in loaded().terrain ? terrainName(letter) : letter === EMPTY ? words("workshop.empty") : letter;
}

export function sectionName(section: SectionInfo): string {
	return listed(section.locations.map(nameOf)) || section.key;
}

export function nameOfMap({ name, section }: OwnMap): string {
	return section && section.set !== OWN ? sectionName(section) : name;
}
