/** Notices about turns while the page is closed: asked for, and given up. */

import english from "../i18n/en/parts/push.json";
import { partTexts } from "../i18n/parts.svelte";
import { registerWorker } from "../webApp.svelte";
import { sendSubscription, sendUnsubscription } from "../worker/subscription";

/**
 * Why there can be no pushes. `insecure`: the page has no https. `install`: an iPhone or iPad gives them to installed
 * pages only. `unsupported`: the browser has none. `denied`: the person has forbidden them. `unanswered`: the browser
 * asked, and the person has neither allowed nor forbidden them. `failed`: the browser's push service did not answer.
 */
export type Obstacle = "insecure" | "install" | "unsupported" | "denied" | "unanswered" | "failed";

const say = partTexts("push", english);

/** An obstacle in a sentence that says what helps. */
export const obstacleWords = (obstacle: Obstacle): string => say(`push.${obstacle}`);

function isApple(): boolean {
	return (
		/iPhone|iPad|iPod/.test(navigator.userAgent) || (navigator.platform === "MacIntel" && navigator.maxTouchPoints > 1)
	);
}

function isInstalled(): boolean {
	return window.matchMedia("(display-mode: standalone)").matches;
}

/** What stands in the way of pushes, as far as can be told without asking the person. */
export function findObstacle(): Obstacle | undefined {
	if (!window.isSecureContext) return "insecure";
	if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window))
		return isApple() && !isInstalled() ? "install" : "unsupported";
	return Notification.permission === "denied" ? "denied" : undefined;
}

/** Whether this browser takes pushes. */
export async function isSubscribed(): Promise<boolean> {
	return findObstacle() === undefined && (await currentSubscription()) !== null;
}

async function currentSubscription(): Promise<PushSubscription | null> {
	const registration = await navigator.serviceWorker.getRegistration();
	return (await registration?.pushManager.getSubscription()) ?? null;
}

/**
 * Lets the server send pushes to this browser, which may ask the person: only after a click. `publicKey` is the
 * server's VAPID key in base64url. Returns what stood in the way; throws if the server does not take the subscription.
 */
export async function subscribe(publicKey: string): Promise<Obstacle | undefined> {
	const obstacle = findObstacle();
	if (obstacle) return obstacle;
	const permission = await Notification.requestPermission();
	if (permission !== "granted") return permission === "denied" ? "denied" : "unanswered";
	if (!(await registerWorker())) return "unsupported";
	const { pushManager } = await navigator.serviceWorker.ready;
	const before = await pushManager.getSubscription();
	// With another key of the server the browser would refuse.
	await before?.unsubscribe();
	let subscription: PushSubscription;
	try {
		subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytesOf(publicKey) });
	} catch {
		return "failed";
	}
	try {
		await sendSubscription(subscription, before?.endpoint);
	} catch (error) {
		await subscription.unsubscribe();
		throw error;
	}
	return undefined;
}

/** Ends pushes to this browser, at the browser first: then none comes, even if the server cannot be told. */
export async function unsubscribe(): Promise<void> {
	const subscription = await currentSubscription();
	if (!subscription) return;
	await subscription.unsubscribe();
	await sendUnsubscription(subscription.endpoint);
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
	return Uint8Array.from(atob(base64url.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}
