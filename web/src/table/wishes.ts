import type { TableView } from "../protocol";
import type { Wish } from "./table.svelte";

/** Who wants something that happens once all players want it. */
export interface Wished {
	/** Whether the players here want it. */
	isMine: boolean;
	/** The seats of all others who want it. */
	others: number[];
	/** The seats of those who have not said that they want it. */
	missing: number[];
}

/** Who wants something at a table; bots want whatever people want. */
export function askedFor({ seats, yours, consents }: TableView, what: Wish): Wished {
	const wanting = consents[what] ?? [];
	const people = [...seats.keys()].filter((seat) => seats[seat]?.kind === "person");
	return {
		isMine: yours.length > 0 && yours.every((seat) => wanting.includes(seat) || !people.includes(seat)),
		others: wanting.filter((seat) => !yours.includes(seat)),
		missing: people.filter((seat) => !wanting.includes(seat)),
	};
}
