import { t } from "../i18n/index.svelte";
import { called } from "../i18n/people";
import { quiet } from "../people/quiet.svelte";
import type { ChatLine } from "../protocol";
import { isPhrase, phraseText } from "./phrases";

/** The server's name for somebody without a name who does not play. */
export const NAMELESS = "Watcher";

/** Whose lines are not shown on this page. */
export interface Deafness {
	watchers: boolean;
	/** Speakers, as `speakerOf` names them. */
	speakers: string[];
}

/** An id of whoever speaks: a spectator is not the player of the same name. */
export function speakerOf({ role, name }: ChatLine): string {
	return `${role} ${name}`;
}

/** The name of a speaker on this page. */
export function nameOf({ role, name }: ChatLine): string {
	if (role === "player") return called(name);
	return name === NAMELESS ? t("game.watcher") : name;
}

/** What was said, in the language of this page if it was a phrase. */
export function wordsOf({ phrase, text }: ChatLine): string {
	return isPhrase(phrase) ? phraseText(phrase) : text;
}

export function isHeard(line: ChatLine, { watchers, speakers }: Deafness): boolean {
	if (quiet.has(line.person)) return false;
	return !(watchers && line.role === "watcher") && !speakers.includes(speakerOf(line));
}

/** One line of everybody who has spoken, in the order in which they began. */
export function speakersIn(chat: readonly ChatLine[]): ChatLine[] {
	return [...new Map(chat.map((line) => [speakerOf(line), line])).values()];
}
