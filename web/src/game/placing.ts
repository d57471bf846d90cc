import { SETTLEMENT } from "../board/artwork";
import { occupants } from "../board/pieces";
import type { View } from "../protocol";

/** The kind of piece that comes to stand on a hex that is chosen now; nothing if the hex is only pointed out. */
export function placedKind(view: View): string | undefined {
	if (view.source) return occupants(view).get(view.source)?.kind ?? SETTLEMENT;
	return view.acting ? undefined : SETTLEMENT;
}
