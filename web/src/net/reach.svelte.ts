import { KEPT_HEADER } from "../worker/offline";

/** Milliseconds between the attempts to find a server that was lost. */
const PAUSE = 10_000;

/** Whether the server answers, as far as is known: without it the page shows what is on the device. */
class Reach {
	isLost = $state(false);

	/** Takes note of what came of a request: an answer, which may be from the device or a proxy, or none. */
	note(response: Response | undefined): void {
		this.isLost = !response || response.status >= 502 || response.headers.has(KEPT_HEADER);
	}
}

export const reach = new Reach();

async function look(): Promise<void> {
	// Such a request is never answered from the device.
	reach.note(await fetch("/", { method: "HEAD" }).catch(() => undefined));
}

/** Looks for the server while it is lost; returns a function that stops it. */
export function followNetwork(): () => void {
	return $effect.root(() => {
		$effect(() => {
			const gone = () => reach.note(undefined);
			window.addEventListener("offline", gone);
			return () => window.removeEventListener("offline", gone);
		});
		$effect(() => {
			if (!reach.isLost) return;
			const timer = setInterval(look, PAUSE);
			window.addEventListener("online", look);
			return () => {
				clearInterval(timer);
				window.removeEventListener("online", look);
			};
		});
	});
}
