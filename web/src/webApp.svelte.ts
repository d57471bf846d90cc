/** What makes the page a web app: its worker, and a manifest in the language that is spoken. */

import { spoken } from "./i18n/index.svelte";
import { whenIdle } from "./net/idle";
import { WHERE } from "./worker/notice";

/** The registration of the worker; nothing where there can be none, such as without https. */
export async function registerWorker(): Promise<ServiceWorkerRegistration | undefined> {
	if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return undefined;
	try {
		return await navigator.serviceWorker.register("/worker.js", { scope: "/", updateViaCache: "none" });
	} catch {
		return undefined;
	}
}

/** Registers the worker when the page is idle, and tells it the address; returns a function that stops it. */
export function followWebApp(): () => void {
	// Nothing that is shown has to wait for the files that are kept.
	const stop = whenIdle(() => void registerWorker());
	navigator.serviceWorker?.addEventListener("message", answer);
	const stopManifest = $effect.root(() => {
		$effect(() => {
			document.querySelector("link[rel=manifest]")?.setAttribute("href", `/manifest-${spoken()}.webmanifest`);
		});
	});
	return () => {
		stop();
		stopManifest();
		navigator.serviceWorker?.removeEventListener("message", answer);
	};
}

function answer({ data, ports }: MessageEvent): void {
	if (data === WHERE) ports[0]?.postMessage(location.href);
}
