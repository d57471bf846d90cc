import type { SeatView } from "../protocol";
import { t } from "./index.svelte";

/** Who sits at the seats: what a table and a replay both know. */
export type Face = Pick<SeatView, "name" | "colour">;

const SEATS = "ABCDE";

/** Somebody by name, or by their seat if they have not chosen one. */
export function seatName(faces: readonly Pick<Face, "name">[], seat: number): string {
	return faces[seat]?.name || t("game.seatName", { letter: SEATS[seat] ?? "?" });
}

/** What the server calls those without a name, by seat, where it sends a name as text: in the chat and in notices. */
const NAMELESS = [...SEATS].map((letter) => `Player ${letter}`);

/** The name of a seat as it stands in the chat. */
export function nameInChat(faces: readonly Pick<Face, "name">[], seat: number): string {
	return faces[seat]?.name || (NAMELESS[seat] ?? "");
}

/** Somebody by a name that the server sent as text. */
export function called(name: string): string {
	const seat = NAMELESS.indexOf(name);
	return seat < 0 ? name : seatName([], seat);
}
