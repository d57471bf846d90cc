import { MediaQuery } from "svelte/reactivity";

/**
 * How the parts of a game page lie. Wide: the board beside a column. Low: the same on a screen that is not high, with
 * everything smaller. Tall: the board above a sheet.
 *
 * A very narrow window is tall even if it is low: a phone whose keyboard is open.
 */
export type Form = "wide" | "low" | "tall";

const tall = new MediaQuery("(max-width: 52rem) and (max-aspect-ratio: 1/1), (max-width: 28rem)");
const small = new MediaQuery("(max-width: 52rem), (max-height: 32rem)");

export function currentForm(): Form {
	if (tall.current) return "tall";
	return small.current ? "low" : "wide";
}
