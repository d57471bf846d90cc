import { get, post } from "../net/api";
import { remember } from "../net/keyring";
import { patiently } from "../net/patience";
import type { DailyList, DailyView, TableMade } from "../protocol";

/** The daily game, with the game that these tokens belong to. */
export const getDaily = (tokens: string[]): Promise<DailyView> => patiently(() => get<DailyView>("daily", tokens));

/** Makes a table with the game of today and keeps its tokens on this device. */
export async function openDaily(name: string, title: string): Promise<string> {
	const made = await post<TableMade>("daily", { name });
	const seats = Object.fromEntries(made.seats.flatMap((token, seat) => (token ? [[seat, token]] : [])));
	remember(made.id, { host: made.host, watch: made.watch, seats, title });
	return made.id;
}

/** Puts the result of a finished game on the list of its day. */
export const enterDaily = (tokens: string[], name: string): Promise<DailyList> =>
	post("daily/results", { name }, undefined, tokens);
