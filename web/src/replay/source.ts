/** Where a game to look at comes from, and its address. */

import { openPosition, tableReplay } from "../net/api";
import { tokensAt } from "../net/keyring";
import { openedReplay } from "../net/opened";
import { patiently } from "../net/patience";
import type { Replay } from "../protocol";
import type { Place } from "../router.svelte";

export type ReplayPlace = Extract<Place, { page: "replay" | "replay-record" | "position" }>;

/** The game without the moment: another moment of the same game is not loaded again. */
export function sourceOf(place: ReplayPlace): string {
	if (place.page === "replay") return `${place.page}/${place.id}/${place.game}`;
	return place.page === "position" ? `${place.page}/${place.position}` : place.page;
}

/** The game at a place; nothing if this device has no token for it, or no record was opened. */
export async function replayAt(place: ReplayPlace): Promise<Replay | undefined> {
	if (place.page === "position") return patiently(() => openPosition(place.position));
	if (place.page === "replay-record") return patiently(openedReplay);
	return patiently(() => tableReplay(place.id, tokensAt(place.id), place.game));
}

/** The address of a moment; nothing for a single position, which has no others. */
export function pathOf(place: ReplayPlace, ply: number): string | undefined {
	if (place.page === "replay") return `/replay/table/${encodeURIComponent(place.id)}/${place.game}/${ply}`;
	return place.page === "replay-record" ? `/replay/record/${ply}` : undefined;
}
