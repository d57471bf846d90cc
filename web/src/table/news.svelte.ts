import { play } from "../game/sound";
import { summary } from "../game/words";
import type { LogLine, SeatView, View } from "../protocol";
import { promptOf, turnWords } from "./turn";

/** What came in with one message. */
export interface News {
	lines: LogLine[];
	/** The game was taken back, or is another one. */
	jumped: boolean;
}

function isNewTurn(before: View, now: View): boolean {
	return before.player !== now.player || before.round !== now.round;
}

/** Makes the sounds of what happened. */
export function soundNews({ lines, jumped }: News, before: View | undefined, now: View, myTurn: boolean): void {
	const kinds = new Set(jumped ? [] : lines.flatMap(({ happenings }) => happenings.map(({ kind }) => kind)));
	if (kinds.has("built")) play("build");
	else if (kinds.has("moved")) play("move");
	if (kinds.has("tile-taken")) play("tile");
	if (myTurn && before && isNewTurn(before, now)) play("turn");
	if (now.over && before && !before.over) play("end");
}

/** What the live region says: what happened, and what to do next. */
export class Announcement {
	/** Made of the news whenever the language changes. */
	#compose = $state.raw((): string => "");
	readonly words = $derived(this.#compose());

	/** `yours` are the seats that are played here. */
	announce(
		{ lines }: News,
		before: View | undefined,
		now: View,
		seats: readonly SeatView[],
		yours: readonly number[],
		myTurn: boolean,
	): void {
		const isNew = !before || isNewTurn(before, now) || before.over !== now.over;
		this.#compose = () => {
			const words: string[] = [];
			const news = summary(lines, seats);
			if (news) words.push(`${news}.`);
			if (isNew && myTurn && !now.over) words.push(`${turnWords(now, seats, yours, myTurn)}.`);
			if (isNew || myTurn) words.push(promptOf(now, seats, myTurn));
			return words.join(" ");
		};
	}
}
