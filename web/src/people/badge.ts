/** Lets the icon of the app show how many games wait. It fails where the page is not installed, which is no trouble. */
export function showBadge(count: number): void {
	if (!("setAppBadge" in navigator)) return;
	void (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => undefined);
}
