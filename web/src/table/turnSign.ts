import plain from "../icon.svg";
import marked from "../icon-turn.svg";

/** Shows outside the page that somebody waits for whoever sits here: a dot on the icon of the tab and on that of the app. */
export function showTurnSign(isWaitedFor: boolean): void {
	document.querySelector("link[rel=icon]")?.setAttribute("href", isWaitedFor ? marked : plain);
	if (!("setAppBadge" in navigator)) return;
	// It fails where the page is not installed, which is no trouble.
	void (isWaitedFor ? navigator.setAppBadge() : navigator.clearAppBadge()).catch(() => undefined);
}

/** Takes away the notices about the table that the page shows: whoever looks at it knows. */
export async function clearNotices(path: string): Promise<void> {
	if (!("serviceWorker" in navigator)) return;
	const registration = await navigator.serviceWorker.getRegistration();
	const shown = (await registration?.getNotifications?.()) ?? [];
	for (const notice of shown) if (String(notice.data?.url).endsWith(path)) notice.close();
}
