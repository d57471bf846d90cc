/** A section of the board and whether it is turned by 180 degrees. */
export interface Slot {
	key: string;
	turned: boolean;
}

export const SLOTS = 4;
const TURNED = "'";

/** The four sections of a board such as `tavern/paddock/oasis'/farm`; nothing if the board is a drawn map. */
export function slotsOf(board: string, known: ReadonlySet<string>): Slot[] | undefined {
	const slots = board.split("/").map((text) => {
		const turned = text.endsWith(TURNED);
		return { key: turned ? text.slice(0, -1) : text, turned };
	});
	return slots.length === SLOTS && slots.every(({ key }) => known.has(key)) ? slots : undefined;
}

export function boardOf(slots: readonly Slot[]): string {
	return slots.map(({ key, turned }) => key + (turned ? TURNED : "")).join("/");
}

/** Puts a section into a slot; if it lies in another one, the two change places. */
export function withSection(slots: readonly Slot[], at: number, key: string): Slot[] {
	const other = slots.findIndex((slot) => slot.key === key);
	if (other >= 0) return swapped(slots, at, other);
	return slots.map((slot, place) => (place === at ? { key, turned: slot.turned } : slot));
}

export function swapped<T>(list: readonly T[], one: number, other: number): T[] {
	const result = [...list];
	const [a, b] = [list[one], list[other]];
	if (a !== undefined && b !== undefined) {
		result[one] = b;
		result[other] = a;
	}
	return result;
}

/** The slots, with every section that is no longer offered replaced by a free one. */
export function onlyOffered(slots: readonly Slot[], offered: readonly string[]): Slot[] {
	const free = offered.filter((key) => slots.every((slot) => slot.key !== key));
	return slots.map((slot) => (offered.includes(slot.key) ? slot : { ...slot, key: free.shift() ?? slot.key }));
}
