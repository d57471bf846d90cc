import { RefusalError } from "./refusal";

/** Milliseconds between attempts; each is varied so that pages do not come all at once. */
const PAUSES = [1000, 2000, 4000];

/** Tries something that the page does by itself again, a few times, while the server only has too much to do. */
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
