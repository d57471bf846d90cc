/** What this device keeps of lessons: which are done, and where somebody is in the others. */

import { device, isRecord } from "../storage";

const SHELF = "kb-lessons";

/** Where somebody is in a lesson. */
export interface Bookmark {
	table: string;
	/** The step that was shown last. */
	step: string;
}

interface Kept {
	done: string[];
	at: Record<string, Bookmark>;
}

function kept(): Kept {
	const stored = device.readJson(SHELF);
	const { done, at } = isRecord(stored) ? stored : {};
	const places = isRecord(at) ? Object.entries(at) : [];
	return {
		done: Array.isArray(done) ? done.filter((key) => typeof key === "string") : [],
		at: Object.fromEntries(places.filter((entry): entry is [string, Bookmark] => isBookmark(entry[1]))),
	};
}

function isBookmark(value: unknown): value is Bookmark {
	return isRecord(value) && typeof value.table === "string" && typeof value.step === "string";
}

export function isDone(lesson: string): boolean {
	return kept().done.includes(lesson);
}

export function bookmark(lesson: string): Bookmark | undefined {
	return kept().at[lesson];
}

export function keepBookmark(lesson: string, place: Bookmark): void {
	const { done, at } = kept();
	device.writeJson(SHELF, { done, at: { ...at, [lesson]: place } });
}

/** Marks a lesson as done. Its place is kept, so that its last words can be read again. */
export function markDone(lesson: string): void {
	const { done, at } = kept();
	if (!done.includes(lesson)) device.writeJson(SHELF, { done: [...done, lesson], at });
}

/** Forgets where somebody was in a lesson. */
export function dropBookmark(lesson: string): void {
	const { done, at } = kept();
	delete at[lesson];
	device.writeJson(SHELF, { done, at });
}
