import type { SeatView } from "../protocol";
import { t } from "./index.svelte";

/** Who sits at the seats: what a table and a replay both know. */
export type Face = Pick<SeatView, "name" | "colour">;

export const SEATS = "ABCDE";

/** What the server calls somebody without a name. */
const NAMELESS = /^Player ([A-E])$/;

export function seatName(faces: readonly Pick<Face, "name">[], seat: number): string {
	return called(faces[seat]?.name ?? "", seat);
}

/** Somebody by name, or by their seat if they have none. */
export function called(name: string, seat: number): string {
	if (name && !NAMELESS.test(name)) return name;
	return t("game.seatName", { letter: NAMELESS.exec(name)?.[1] ?? SEATS[seat] ?? "?" });
}
