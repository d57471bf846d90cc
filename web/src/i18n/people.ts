import type { SeatView } from "../protocol";
import { t } from "./index.svelte";

/** Who sits at the seats: what a table and a replay both know. */
export type Face = Pick<SeatView, "name" | "colour">;

const SEATS = "ABCDE";

/** Somebody by name, or by their seat if they have not chosen one. */
export function seatName(faces: readonly Pick<Face, "name">[], seat: number): string {
	return faces[seat]?.name || t("game.seatName", { letter: SEATS[seat] ?? "?" });
}
