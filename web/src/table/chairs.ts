import type { TableView } from "../protocol";

/** The place of a seat in the order in which the table was made: the seats move up by one in each game. */
export function chairOf({ game, seats }: TableView, seat: number): number {
	return (seat + game - 1) % seats.length;
}
