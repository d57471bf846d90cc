import { RefusalError } from "./refusal";

/** Milliseconds between attempts; each varies, so that pages do not all come at once. */
const PAUSES = [1000, 2000, 4000];

/** Repeats a request that nobody pressed a button for, a few times, while the server is only busy. */
export async function patiently<T>(attempt: () => Promise<T>): Promise<T> {
	for (const pause of PAUSES) {
		try {
			return await attempt();
		} catch (error) {
			if (!(error instanceof RefusalError && error.isPassing)) throw error;
		}
		await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())));
	}
	return attempt();
}
