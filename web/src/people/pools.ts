/** The pools of ratings: by the clock, and for two players or more. */
export const POOLS = ["live-2", "live-many", "days-2", "days-many"] as const;

export type Pool = (typeof POOLS)[number];

export function isPool(text: string): text is Pool {
	return (POOLS as readonly string[]).includes(text);
}
