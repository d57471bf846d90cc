/** Clocks and games of the lobby in words. */

import english from "../i18n/en/parts/lobby.json";
import { listed } from "../i18n/index.svelte";
import { partTexts } from "../i18n/parts.svelte";
import { boxName, loaded } from "../net/catalogue.svelte";
import type { ClockChoice } from "../protocol";

export const say = partTexts("lobby", english);

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

/** A time in the largest unit that it is a whole number of. */
export function timeWords(seconds: number): string {
	if (seconds > 0 && seconds % DAY === 0) return say("lobby.days", { n: seconds / DAY });
	if (seconds > 0 && seconds % HOUR === 0) return say("lobby.hours", { n: seconds / HOUR });
	if (seconds > 0 && seconds % MINUTE === 0) return say("lobby.minutes", { n: seconds / MINUTE });
	return say("lobby.seconds", { n: seconds });
}

/** A clock in a few words, such as "5 minutes + 30 seconds a turn". */
export function clockWords({ kind, start, add }: ClockChoice): string {
	if (kind === "none") return say("lobby.clock.none");
	if (kind === "live") return say("lobby.clock.live", { start: timeWords(start), add: timeWords(add) });
	return say("lobby.clock.days", { add: timeWords(add) });
}

/** The boxes of a game in words. */
export function boxWords(keys: readonly string[]): string {
	const names = loaded()
		.sets.filter(({ key }) => keys.includes(key))
		.map(boxName);
	return names.length > 0 ? listed(names) : listed(keys);
}

/** How long somebody has waited, such as 1:05. */
export function waitedWords(milliseconds: number): string {
	const seconds = Math.max(0, Math.floor(milliseconds / 1000));
	return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
