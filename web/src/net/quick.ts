import { t } from "../i18n/index.svelte";
import type { NewTable, SeatChoice, TableMade } from "../protocol";
import { device, isRecord } from "../storage";
import { characterName, loaded } from "./catalogue.svelte";
import { all } from "./keyring";
import { easyLevel, FIRST_GAME, openTable, ownName } from "./tables";

/** What the game is that one press on *Play* begins. */
export interface QuickGame {
	/** The level of the bots; `MIXED` for a different character at each seat. */
	level: string;
	sets: string[];
	players: number;
}

export const MIXED = "mixed";

const SHELF = "kb-quick";

/** The game that was last begun with one press on this device, as far as it is still offered. */
export function lastQuickGame(): QuickGame {
	const { levels, sets, limits } = loaded();
	const base = sets.slice(0, 1).map(({ key }) => key);
	const game = { level: easyLevel(), sets: base, players: limits.fewest_seats };
	const kept = device.readJson(SHELF);
	if (!isRecord(kept)) return game;
	const { level, players } = kept;
	if (typeof level === "string" && (level === MIXED || levels.some(({ key }) => key === level))) game.level = level;
	if (Array.isArray(kept.sets)) {
		const known = sets.map(({ key }) => key).filter((key) => (kept.sets as unknown[]).includes(key));
		if (hasBoard(known)) game.sets = known;
	}
	if (typeof players === "number" && Number.isInteger(players)) {
		game.players = Math.min(Math.max(players, limits.fewest_seats), limits.most_seats);
	}
	return game;
}

export function keepQuickGame(game: QuickGame): void {
	device.writeJson(SHELF, { version: 1, ...game });
}

/** Whether some boxes have enough sections and cards for a game. */
export function hasBoard(sets: readonly string[]): boolean {
	const { sections, components, limits } = loaded();
	const cards = components.filter(({ kind, set }) => kind === "card" && sets.includes(set));
	return sections.filter(({ set }) => sets.includes(set)).length >= 4 && cards.length >= limits.cards;
}

/** Whether the game is the printed first one: somebody who has never played here has chosen nothing else. */
export function isFirstGame({ level, sets, players }: QuickGame): boolean {
	const { limits } = loaded();
	const isUsual = level === easyLevel() && players === limits.fewest_seats && sets.length === 1;
	return isUsual && all().length === 0 && device.readJson(SHELF) === null;
}

/** Begins a quick game on a new board, and keeps what it was. */
export async function openQuickGame(game: QuickGame): Promise<TableMade> {
	const setup = isFirstGame(game) ? { board: FIRST_GAME } : { sets: [...game.sets] };
	const made = await openTable({ seats: seatsOf(game), setup });
	keepQuickGame(game);
	return made;
}

function seatsOf({ level, players }: QuickGame): NewTable["seats"] {
	const keys = levelsOf(level, players - 1);
	const bots = keys.map((key, place): SeatChoice => {
		const character = characterName(key);
		const alike = keys.filter((each) => (character ? each === key : !characterName(each)));
		const n = keys.slice(0, place + 1).filter((each) => alike.includes(each)).length;
		const name = character || t("pages.seat.bot");
		const numbered = character ? `${character} ${n}` : t("pages.seat.botNumber", { n });
		return { kind: "bot", name: alike.length > 1 ? numbered : name, level: key };
	});
	return [{ kind: "person", name: ownName() }, ...bots];
}

function levelsOf(level: string, n: number): string[] {
	if (level !== MIXED) return Array.from({ length: n }, () => level);
	const characters = loaded()
		.levels.filter(({ name }) => name)
		.map(({ key }) => ({ key, order: Math.random() }))
		.sort((a, b) => a.order - b.order)
		.map(({ key }) => key);
	return Array.from({ length: n }, (_, place) => characters[place % characters.length] ?? easyLevel());
}
