import english from "../i18n/en/parts/replay.json";
import { partTexts } from "../i18n/parts.svelte";

/** The texts of replays. */
export const rt = partTexts("replay", english);
