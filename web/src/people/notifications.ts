/** What the server is asked and told about notices. */

import { change, get } from "../net/api";
import type { Notifications, Wishes } from "../protocol";
import { myself } from "./me.svelte";

/** How this person can be told, and what they have chosen. */
export async function askNotifications(): Promise<Notifications> {
	await myself.ask();
	return get("me/notifications");
}

export const wish = (wishes: Wishes): Promise<Notifications> => change("PUT", "me/notifications", wishes);

/** Chooses a webhook, once a test has arrived there. */
export const setWebhook = (url: string): Promise<Notifications> => change("PUT", "me/webhook", { url });

export const removeWebhook = (): Promise<Notifications> => change("DELETE", "me/webhook");

/** Ends pushes to one of the person's devices. */
export const removeDevice = (device: string): Promise<Notifications> => change("DELETE", "me/push", { device });
