import english from "../i18n/en/parts/lessons.json";
import type { Holes } from "../i18n/index.svelte";
import { partTexts } from "../i18n/parts.svelte";

type Key = keyof typeof english;

/** The texts of the lessons. */
export const lt = partTexts("lessons", english);

/** A text of one lesson: its title, what it is about, or a step; empty if this page does not know the lesson. */
export function lessonText(lesson: string, part: string, holes: Holes = {}): string {
	const key = `lessons.${lesson}.${part}`;
	return key in english ? lt(key as Key, holes) : "";
}
