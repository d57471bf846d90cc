import { t } from "../i18n/index.svelte";
import { getLessons, tableReplay } from "../net/api";
import { forget, tokensAt } from "../net/keyring";
import { patiently } from "../net/patience";
import { isUnreadable, RefusalError } from "../net/refusal";
import { easyLevel, openTable, ownName } from "../net/tables";
import type { LessonInfo } from "../protocol";
import { bookmark, dropBookmark, keepBookmark } from "./shelf";

/** The lesson that everybody begins with. */
export const TUTORIAL = "tutorial";

let loading: Promise<LessonInfo[]> | undefined;

/** All lessons; they are loaded once. */
export function loadLessons(): Promise<LessonInfo[]> {
	loading ??= patiently(getLessons).catch((error: unknown) => {
		loading = undefined;
		throw error;
	});
	return loading;
}

/** The table where a lesson goes on, or a new one where it begins. */
export async function tableOfLesson(lesson: string): Promise<string> {
	const known = bookmark(lesson);
	if (known && (await isThere(known.table))) return known.table;
	const { id } = await openTable({
		lesson,
		seats: [
			{ kind: "person", name: ownName() },
			{ kind: "bot", name: t("pages.seat.bot"), level: easyLevel() },
		],
	});
	keepBookmark(lesson, { table: id, step: "" });
	return id;
}

/** Leaves the table of a lesson for good, so that it begins again. */
export function restart(lesson: string): void {
	const known = bookmark(lesson);
	if (known) forget(known.table);
	dropBookmark(lesson);
}

function isGone(code: string): boolean {
	return code === "unknown-key" || code === "void-key" || isUnreadable(code);
}

/** Whether a table still exists: servers remove old ones. */
async function isThere(table: string): Promise<boolean> {
	const tokens = tokensAt(table);
	if (tokens.length === 0) return false;
	try {
		await tableReplay(table, tokens);
		return true;
	} catch (error) {
		if (error instanceof RefusalError && isGone(error.code)) return false;
		throw error;
	}
}
