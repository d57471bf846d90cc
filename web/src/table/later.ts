/** What a table shows later than at first sight. */

import { loadPart } from "../i18n/parts.svelte";

export const LATER = {
	about: { load: () => import("../people/PersonDialog.svelte"), part: "order" },
	company: { load: () => import("./CompanyNews.svelte"), part: "seats" },
	counting: { load: () => import("./CountingPanel.svelte"), part: "end" },
	end: { load: () => import("./GameEnd.svelte"), part: "end" },
	host: { load: () => import("./HostTools.svelte"), part: "host" },
	join: { load: () => import("./JoinDialog.svelte") },
	keys: { load: () => import("./KeysDialog.svelte"), part: "keys" },
	menu: { load: () => import("./GameMenu.svelte"), part: "seats" },
	sit: { load: () => import("./SitDialog.svelte"), part: "seats" },
	link: { load: () => import("../game/LinkDialog.svelte") },
	person: { load: () => import("../people/PersonMenu.svelte"), part: "order" },
	look: { load: () => import("./LookAtHand.svelte") },
} as const;

/** Fetches the code and the texts of all that, so that it is there when it is wanted. */
export function fetchLater(): void {
	for (const later of [...Object.values(LATER), { load: () => import("../game/ExplanationCard.svelte") }]) {
		later.load().catch(() => undefined);
		if ("part" in later) void loadPart(later.part);
	}
}
