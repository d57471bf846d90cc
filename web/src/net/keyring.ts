import { device, isRecord, session } from "../storage";

/** What this device knows about a table. */
export interface KnownTable {
	id: string;
	host?: string | undefined;
	watch?: string | undefined;
	/** The token of the table's link, with which people choose a free seat. */
	invite?: string | undefined;
	/** The tokens of the seats that are played here, by the order of the seats when the table was made. */
	seats: Record<number, string>;
	/** The tokens of seats to give to others. */
	invites: Record<number, string>;
	title: string;
	/** When it was last seen, in milliseconds. */
	updated: number;
	finished: boolean;
	/** The lesson that is taught there: such a table is not among the games of this device. */
	lesson?: string | undefined;
	/** Where the game was when it was last seen. */
	moment?: Moment | undefined;
}

export interface Moment {
	round: number;
	/** The seat in turn. */
	player: number;
	/** The names of all seats; empty for those who have not chosen one. */
	names: string[];
	/** The seats that are played here. */
	yours: number[];
}

export type Remembered = Partial<Omit<KnownTable, "id">>;

const SHELF = "kb-tables";
const TAB_SHELF = "kb-tab";
const MOST = 60;

function stored(): Record<string, KnownTable> {
	const kept = device.readJson(SHELF);
	if (!isRecord(kept)) return {};
	const tables: Record<string, KnownTable> = {};
	for (const [id, value] of Object.entries(kept)) {
		if (isRecord(value)) tables[id] = { ...empty(id), ...value, id, moment: momentOf(value.moment) };
	}
	return tables;
}

function momentOf(value: unknown): Moment | undefined {
	if (!isRecord(value) || !Array.isArray(value.names) || !Array.isArray(value.yours)) return undefined;
	const { round, player } = value;
	if (typeof round !== "number" || typeof player !== "number") return undefined;
	const names = value.names.map((name) => (typeof name === "string" ? name : ""));
	return { round, player, names, yours: value.yours.filter((seat) => typeof seat === "number") };
}

function empty(id: string): KnownTable {
	return { id, seats: {}, invites: {}, title: "", updated: 0, finished: false };
}

export function knownTable(id: string): KnownTable | undefined {
	return stored()[id];
}

/** Adds what is new about a table; tokens of seats are added to those already known. */
export function remember(id: string, news: Remembered): KnownTable {
	const known = knownTable(id) ?? empty(id);
	const merged = {
		...known,
		updated: Date.now(),
		...news,
		seats: { ...known.seats, ...news.seats },
		invites: { ...known.invites, ...news.invites },
	};
	const tables = [merged, ...all().filter((table) => table.id !== id)].slice(0, MOST);
	device.writeJson(SHELF, Object.fromEntries(tables.map((table) => [table.id, table])));
	return merged;
}

export function forget(id: string): void {
	const tables = stored();
	delete tables[id];
	device.writeJson(SHELF, tables);
}

/**
 * Forgets the tokens of seats and for looking on that are void. The host's token never becomes void. What else is known of
 * the table stays, unless nothing can be opened with it.
 */
export function dropTokens(id: string, tokens: readonly string[]): void {
	const isVoid = (token: string | undefined) => token !== undefined && tokens.includes(token);
	const own = tabTokens();
	if (isVoid(own[id])) {
		delete own[id];
		session.writeJson(TAB_SHELF, own);
	}
	const tables = stored();
	const known = tables[id];
	if (!known) return;
	const kept = { ...known, seats: without(known.seats, tokens), invites: without(known.invites, tokens) };
	if (isVoid(kept.watch)) kept.watch = undefined;
	if (isVoid(kept.invite)) kept.invite = undefined;
	if (tokensOf(kept).length > 0 || Object.keys(kept.invites).length > 0) tables[id] = kept;
	else delete tables[id];
	device.writeJson(SHELF, tables);
}

function without(known: Record<number, string>, tokens: readonly string[]): Record<number, string> {
	return Object.fromEntries(Object.entries(known).filter(([, token]) => !tokens.includes(token)));
}

function tabTokens(): Record<string, string> {
	const kept = session.readJson(TAB_SHELF);
	const entries = isRecord(kept) ? Object.entries(kept) : [];
	return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}

/** Keeps the token with which this tab came to a table. */
export function keepForTab(id: string, token: string): void {
	session.writeJson(TAB_SHELF, { ...tabTokens(), [id]: token });
}

/** The tokens to show at a table. A tab that opened a link keeps using its token, even if the device has others. */
export function tokensAt(id: string): string[] {
	const own = tabTokens()[id];
	if (own) return [own];
	const known = knownTable(id);
	return known ? tokensOf(known) : [];
}

/** The table that a token belongs to. */
export function tableOf(token: string): string {
	return token.split(".", 1)[0] ?? "";
}

/** All tables known here, latest first. */
export function all(): KnownTable[] {
	return Object.values(stored()).sort((a, b) => b.updated - a.updated);
}

/** The tokens to show the server: the host's and those of the seats played here, or of the link that leads to one; or else the one for looking on. */
export function tokensOf(table: KnownTable): string[] {
	const own = Object.entries(table.seats)
		.sort(([a], [b]) => Number(a) - Number(b))
		.map(([, token]) => token);
	const isSeated = own.length > 0;
	if (table.host) own.push(table.host);
	if (!isSeated && table.invite) own.push(table.invite);
	if (own.length === 0 && table.watch) own.push(table.watch);
	return own;
}
