import { t } from "../i18n/index.svelte";
import { preferences } from "../preferences.svelte";
import type { NewTable, SeatChoice, TableMade } from "../protocol";
import { makeTable } from "./api";
import { loaded } from "./catalogue.svelte";
import { remember } from "./keyring";
import { withOwnSections } from "./maps.svelte";

/** The board and cards that the rulebook gives for a first game. */
export const FIRST_GAME = "first";
const UNNAMED = { person: "pages.seat.me", open: "pages.seat.someone", bot: "pages.seat.bot" } as const;

/** The level that suits a first game. */
export function easyLevel(): string {
	return loaded().limits.first_level;
}

/** The name of the person at this device; nothing if it is not known. */
export function ownName(): string {
	return preferences.name;
}

/** Makes a table and keeps its tokens on this device. */
export async function openTable(wish: NewTable): Promise<TableMade> {
	const { setup } = wish;
	const made = await makeTable(setup ? { ...wish, setup: withOwnSections(setup) } : wish);
	remember(made.id, {
		host: made.host,
		watch: made.watch,
		invite: made.invite || undefined,
		seats: tokensFor(made, wish.seats, "person"),
		invites: tokensFor(made, wish.seats, "open"),
		lesson: wish.lesson || undefined,
		title: wish.seats.map(({ kind, name }) => name || t(UNNAMED[kind])).join(", "),
	});
	return made;
}

function tokensFor(made: TableMade, seats: SeatChoice[], kind: SeatChoice["kind"]): Record<number, string> {
	const tokens: Record<number, string> = {};
	for (const [number, seat] of seats.entries()) {
		const token = made.seats[number];
		if (seat.kind === kind && token) tokens[number] = token;
	}
	return tokens;
}

/** The printed first game against an easy bot. */
export function openFirstGame(): Promise<TableMade> {
	return openTable({
		seats: [
			{ kind: "person", name: ownName() },
			{ kind: "bot", name: t("pages.seat.bot"), level: easyLevel() },
		],
		setup: { board: FIRST_GAME },
	});
}
