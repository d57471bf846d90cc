/** What can be said without typing, and is shown to everybody in their own language. */

import english from "../i18n/en/parts/phrases.json";
import { partTexts } from "../i18n/parts.svelte";
import type { Say } from "../protocol";

export type PhraseKey = NonNullable<Say["phrase"]>;

const say = partTexts("phrases", english);

export const PHRASES = [
	"hello",
	"good-luck",
	"your-turn",
	"one-moment",
	"thanks",
	"sorry",
	"well-played",
	"good-game",
	"rematch",
	"no-rematch",
	"have-to-go",
	"bye",
] as const satisfies PhraseKey[];

export function isPhrase(key: string): key is PhraseKey {
	return (PHRASES as readonly string[]).includes(key);
}

export function phraseText(key: PhraseKey): string {
	return say(`phrases.${key}`);
}

export const phraseTitle = (): string => say("phrases.title");

/** Why a guest among strangers has only these. */
export const phraseReason = (): string => say("phrases.guests");
