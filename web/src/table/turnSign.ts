import plain from "../icon.svg";
import marked from "../icon-turn.svg";
import { showBadge } from "../people/badge";
import { askMyGames, isWaiting } from "../people/games.svelte";

let wasWaitedFor = false;

/** Shows outside the page that somebody waits for whoever sits here: a dot on the icon of the tab, a number on the app's. */
export function showTurnSign(isWaitedFor: boolean): void {
	document.querySelector("link[rel=icon]")?.setAttribute("href", isWaitedFor ? marked : plain);
	if (isWaitedFor === wasWaitedFor) return;
	wasWaitedFor = isWaitedFor;
	showBadge(isWaitedFor ? 1 : 0);
	if ("setAppBadge" in navigator) void countWaiting();
}

/** Counts the games at other tables too. The list of games is a little behind this table. */
async function countWaiting(): Promise<void> {
	const waiting = (await askMyGames()).filter(isWaiting).length;
	if (wasWaitedFor) showBadge(Math.max(1, waiting));
}

/** Takes away the notices about the table that the page shows: whoever looks at it knows. */
export async function clearNotices(path: string): Promise<void> {
	if (!("serviceWorker" in navigator)) return;
	const registration = await navigator.serviceWorker.getRegistration();
	const shown = (await registration?.getNotifications?.()) ?? [];
	for (const notice of shown) if (String(notice.data?.url).endsWith(path)) notice.close();
}
