/** Messages of the server, for tests. */

import type { ClockView, Message, Refusal, Refused, SeatView, TableView } from "../src/protocol";

/** A message without holes. */
export function plain(text: string): Message {
	return { template: text, arguments: {}, text };
}

export function refusal(code: string, text: string): Refusal {
	return { code, message: plain(text), offset: null };
}

export function refused(id: string, code: string, text: string): Refused {
	return { type: "refused", id, refusal: refusal(code, text) };
}

/** A seat that somebody has taken, who is here. */
export function seatView(more: Partial<SeatView> = {}): SeatView {
	const person: SeatView["kind"] = "person";
	const there = { connected: true, veiled: false, stands_in: false, person: "", away: null, replaced_by: [] };
	return { name: "", kind: person, colour: 0, level: "", ...there, ...more };
}

/** A table at which nothing has happened. */
export function tableView(more: Partial<TableView> = {}): TableView {
	const people = { watchers: 0, watcher_list: [], hushed: false, agreeable: [], notices: [], daily: "", stand_ins: [] };
	const wishes = { rated: false, open: false, free: [], consents: {}, asks_all: false, ended: null };
	const order = { strangers: false, resumable: null };
	const table = { id: "t", game: 1, seed: "", seats: [], yours: [], host: false, hints: false };
	return { ...table, ...people, ...wishes, ...order, ...more };
}

/** The clocks of a live game of two, five minutes and half a minute a turn. */
export function clockView(more: Partial<ClockView> = {}): ClockView {
	const clock: ClockView = {
		kind: "live",
		start: 300,
		add: 30,
		left: [300_000, 300_000],
		had: [300_000, 300_000],
		running: 0,
		since: 0,
		now: 0,
		stops: [],
	};
	return { ...clock, ...more };
}
