import { lineWords, listed, seatName, subjectOf } from "../game/words";
import type { Frame, SeatView } from "../protocol";
import { rt } from "./texts";

/** A moment of a game in one sentence: what was done last, or who has won. */
export function momentWords({ view, line }: Frame, seats: readonly SeatView[]): string {
	if (view.over) return rt("replay.over", { names: listed(view.winners.map((seat) => seatName(seats, seat))) });
	if (!line) return rt("replay.start");
	const subject = subjectOf(line);
	const words = lineWords(line, seats, subject);
	return rt("replay.moment", { round: Number.parseInt(line.turn, 10), name: seatName(seats, subject), words });
}
