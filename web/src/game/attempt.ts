import { toast } from "../components/toast.svelte";
import { explain } from "../net/explain";

/** Does something that the server may refuse; if so, shows the reason for a moment and returns nothing. */
export async function attempt<T>(task: () => Promise<T>): Promise<T | undefined> {
	try {
		return await task();
	} catch (error) {
		toast(explain(error));
		return undefined;
	}
}
