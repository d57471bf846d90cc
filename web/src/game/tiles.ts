import type { TileView, View } from "../protocol";

/** Tiles of one kind that a seat holds. */
export interface TileStack {
	key: string;
	count: number;
	/** How many of them are in each state. */
	ready: number;
	used: number;
	fresh: number;
	passive: boolean;
	/** Something that everybody may do without a tile. */
	standing: boolean;
	/** What the seat has counted up on it, for tiles that count. */
	number: number | null;
}

/** The tiles of a seat, those of one kind together. */
export function stacksOf(view: View, seat: number | undefined): TileStack[] {
	const stacks = new Map<string, TileStack>();
	for (const tile of (seat === undefined ? undefined : view.tiles[seat]) ?? []) add(stacks, tile);
	return [...stacks.values()];
}

function add(stacks: Map<string, TileStack>, { key, hex, status, number }: TileView): void {
	const stack = stacks.get(key) ?? {
		key,
		count: 0,
		ready: 0,
		used: 0,
		fresh: 0,
		passive: status === "passive",
		standing: hex === null,
		number: number ?? null,
	};
	stack.count += 1;
	if (status === "ready") stack.ready += 1;
	if (status === "used") stack.used += 1;
	if (status === "new") stack.fresh += 1;
	stacks.set(key, stack);
}
