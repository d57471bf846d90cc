import { seatName } from "../game/words";
import { easyLevel, openTable, ownName } from "../net/tables";
import type { Frame, SeatChoice, SeatView } from "../protocol";
import { rt } from "./texts";

/** Makes a table that goes on from a position: the current seat is played here, bots play the others. Its id. */
export async function playOn({ view, position }: Frame, seats: readonly SeatView[]): Promise<string> {
	const choices = seats.map<SeatChoice>(({ colour }, seat) =>
		seat === view.player
			? { kind: "person", name: ownName(), colour }
			: {
					kind: "bot",
					name: rt("replay.botFor", { name: seatName(seats, seat).slice(0, 18) }),
					colour,
					level: easyLevel(),
				},
	);
	return (await openTable({ seats: choices, setup: { position } })).id;
}
