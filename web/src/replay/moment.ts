import { lineWords, listed, seatName } from "../game/words";
import { t } from "../i18n/index.svelte";
import type { Frame, SeatView } from "../protocol";

/** A moment of a game in one sentence: what was done last, or who has won. */
export function momentWords({ view, line }: Frame, seats: readonly SeatView[]): string {
	if (view.over) return t("game.replay.over", { names: listed(view.winners.map((seat) => seatName(seats, seat))) });
	if (!line) return t("game.replay.start");
	const words = lineWords(line, seats);
	return t("game.replay.moment", { turn: line.turn, move: line.move, name: seatName(seats, line.seat), words });
}
