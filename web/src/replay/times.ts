/** How long the players thought, as far as the server kept it. All times are in milliseconds. */

import { timeText } from "../components/clock";
import { seatName } from "../game/words";
import { currentLocale } from "../i18n/index.svelte";
import type { Replay, SeatView } from "../protocol";
import { rt } from "./texts";

/** How long a turn took up to one of its moments. */
export function turnTook({ frames, took }: Pick<Replay, "frames" | "took">, index: number): number | undefined {
	const turn = frames[index]?.line?.turn;
	if (!took || turn === undefined) return undefined;
	let sum = 0;
	for (let i = index; i >= 0 && frames[i]?.line?.turn === turn; i--) sum += took[i] ?? 0;
	return sum;
}

/** What each seat used in the whole game. */
export function timeUsed({ frames, took, names }: Pick<Replay, "frames" | "took" | "names">): number[] | undefined {
	if (!took) return undefined;
	return names.map((_, seat) =>
		frames.reduce((sum, { line }, i) => (line?.seat === seat ? sum + (took[i] ?? 0) : sum), 0),
	);
}

/** What is known about the time of whoever is in turn, or was last, in words; empty if nothing is. */
export function timeWords(game: Replay, index: number, seats: readonly SeatView[]): string {
	const words = [];
	const { tag } = currentLocale();
	const frame = game.frames[index];
	const left = game.clock?.[index];
	if (frame && left !== undefined) {
		const { view, line } = frame;
		const name = seatName(seats, view.over && line ? line.seat : view.player);
		words.push(`${rt("replay.clock", { name })}: ${timeText(left, tag)}`);
	}
	const took = turnTook(game, index);
	// Dealing the first cards takes nobody's time.
	if (took) words.push(rt("replay.turnTook", { turn: frame?.line?.turn ?? "", time: timeText(took, tag) }));
	return words.join(" · ");
}
