import { device, isRecord } from "./storage";

/** What this device knows of a table. */
export interface TableKeys {
	id: string;
	host?: string | undefined;
	watch?: string | undefined;
	/** The keys of the seats that are played here, by the place in the order in which the table was made. */
	seats: Record<number, string>;
	/** The keys of seats that are to be given to others. */
	invites: Record<number, string>;
	title: string;
	/** When it was last seen, in milliseconds. */
	updated: number;
	finished: boolean;
}

export type Remembered = Partial<Omit<TableKeys, "id">>;

const SHELF = "kb-tables";
const MOST = 60;

function stored(): Record<string, TableKeys> {
	const kept = device.readJson(SHELF);
	if (!isRecord(kept)) return {};
	const tables: Record<string, TableKeys> = {};
	for (const [id, value] of Object.entries(kept)) {
		if (isRecord(value)) tables[id] = { ...empty(id), ...value, id };
	}
	return tables;
}

function empty(id: string): TableKeys {
	return { id, seats: {}, invites: {}, title: "", updated: 0, finished: false };
}

export function keys(id: string): TableKeys | undefined {
	return stored()[id];
}

/** Adds what became known of a table; the keys of seats are added to those known before. */
export function remember(id: string, news: Remembered): TableKeys {
	const known = keys(id) ?? empty(id);
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

/** All tables known here, the latest first. */
export function all(): TableKeys[] {
	return Object.values(stored()).sort((a, b) => b.updated - a.updated);
}

/** The keys to show the server: those of the seats played here and the host's, or else the one for looking on. */
export function tokensOf(table: TableKeys): string[] {
	const own = Object.entries(table.seats)
		.sort(([a], [b]) => Number(a) - Number(b))
		.map(([, token]) => token);
	if (table.host) own.push(table.host);
	if (own.length === 0 && table.watch) own.push(table.watch);
	return own;
}
