/** Maps that leave the bench: for this device, or as a file. */

import { download } from "../game/record";
import type { OwnMap } from "../net/maps.svelte";
import type { MapCheck } from "../protocol";
import { fileOf } from "./drawing";

/** A map as the device keeps it, from what the server says to its text. */
export function asMap({ text, board, section }: MapCheck, name: string): OwnMap {
	return { name: section?.key ?? name, text, board, section };
}

/** Lets the browser save maps as a file. */
export function saveFile(texts: readonly string[], name: string): void {
	download(fileOf(texts), `${name.replace(/[^\p{L}\p{N}-]+/gu, "-") || "map"}.kbm`);
}
