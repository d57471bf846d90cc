import type { Replay } from "../protocol";
import { session } from "../storage";
import { openRecord } from "./api";

const SHELF = "kb-record";

let opened: Replay | undefined;

/** Opens a record and keeps it for the replay page. */
export async function openAndKeep(text: string): Promise<Replay> {
	opened = await openRecord(text);
	session.write(SHELF, text);
	return opened;
}

/** The record that was last opened in this tab, even after a reload; nothing if there was none. */
export async function openedReplay(): Promise<Replay | undefined> {
	const text = session.read(SHELF);
	if (!opened && text) opened = await openRecord(text);
	return opened;
}
