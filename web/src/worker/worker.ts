/** The service worker: the page without a network, and pushes. The build makes `/worker.js` of it. */

import { isSamePlace, noticeOf, ownAddress, WHERE } from "./notice";
import { answerFile, answerKept, answerPage, forgetOldShells, keepShell, wayOf } from "./offline";
import type { Shell } from "./shell";
import { sendSubscription } from "./subscription";

/** Written by the build. */
declare const SHELL: Shell;
declare const self: ServiceWorkerGlobalScope;

const shell = SHELL;
/** Milliseconds that a page has to say where it is; one that sleeps does not answer. */
const PATIENCE = 300;

/** Browsers send it, but not all, and no types know it. */
interface SubscriptionChange extends ExtendableEvent {
	oldSubscription?: PushSubscription | null;
	newSubscription?: PushSubscription | null;
}

// A new worker takes over at once: open pages stay as they are, and the next one comes from the network in any case.
self.addEventListener("install", (event) => event.waitUntil(keepShell(shell).then(() => self.skipWaiting())));

self.addEventListener("activate", (event) => event.waitUntil(begin()));

async function begin(): Promise<void> {
	await forgetOldShells(shell);
	await self.registration.navigationPreload?.enable();
	await self.clients.claim();
}

self.addEventListener("fetch", (event) => {
	const { request } = event;
	switch (wayOf(request, shell, location.origin)) {
		case "page": {
			// A preload that nobody waits for would be cancelled with a warning.
			event.waitUntil(event.preloadResponse.catch(() => undefined));
			event.respondWith(answerPage(shell, request, event.preloadResponse));
			break;
		}
		case "file":
			event.respondWith(answerFile(request));
			break;
		case "kept":
			event.respondWith(answerKept(shell, request));
			break;
		case "network":
			break;
	}
});

/**
 * The notices that are being shown or counted, one after the other: Chromium forgets a notice whose showing is
 * under way while notices are listed, and a click on it then does nothing.
 */
let notices = Promise.resolve();

function inTurn(work: () => Promise<void>): Promise<void> {
	notices = notices.catch(() => undefined).then(work);
	return notices;
}

self.addEventListener("push", (event) => event.waitUntil(inTurn(() => show(event.data?.text() ?? ""))));

async function show(text: string): Promise<void> {
	const { title, body, url, tag } = noticeOf(text, location.origin);
	const look = { icon: "/icon-192.png", badge: "/badge-96.png", data: { url } };
	await self.registration.showNotification(title, tag ? { body, tag, ...look } : { body, ...look });
	await countBadge();
}

self.addEventListener("notificationclick", (event) => {
	const { notification } = event;
	notification.close();
	event.waitUntil(Promise.all([open(ownAddress(String(notification.data?.url), location.origin)), inTurn(countBadge)]));
});

self.addEventListener("notificationclose", (event) => event.waitUntil(inTurn(countBadge)));

/** Shows a page that is open at the place, or else opens one. */
async function open(url: string): Promise<void> {
	const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
	const addresses = await Promise.all(pages.map(addressOf));
	const page = pages[addresses.findIndex((address) => isSamePlace(address, url))];
	if (page) await page.focus();
	else await self.clients.openWindow(url);
}

/** The address that a page shows now, as it says itself: browsers know only with which one it was loaded. */
function addressOf(page: WindowClient): Promise<string> {
	return new Promise((resolve) => {
		const { port1, port2 } = new MessageChannel();
		port1.onmessage = ({ data }) => resolve(String(data));
		setTimeout(resolve, PATIENCE, page.url);
		page.postMessage(WHERE, [port2]);
	});
}

/** Lets the icon of the app show how many notices nobody has looked at. */
async function countBadge(): Promise<void> {
	if (!("setAppBadge" in navigator)) return;
	const { length } = await self.registration.getNotifications();
	await (length > 0 ? navigator.setAppBadge(length) : navigator.clearAppBadge()).catch(() => undefined);
}

self.addEventListener("pushsubscriptionchange", (event) => {
	const change = event as SubscriptionChange;
	change.waitUntil(subscribeAgain(change));
});

/** The browser has ended a subscription: takes another one with the same key. */
async function subscribeAgain({ oldSubscription, newSubscription }: SubscriptionChange): Promise<void> {
	const key = oldSubscription?.options.applicationServerKey;
	if (!newSubscription && !key) return;
	const options = { userVisibleOnly: true, applicationServerKey: key ?? null };
	const subscription = newSubscription ?? (await self.registration.pushManager.subscribe(options));
	await sendSubscription(subscription, oldSubscription?.endpoint);
}
