/** Milliseconds that what is shown first has for itself. */
const HEAD_START = 2000;

/** Calls something later, when the browser has nothing else to do; returns a function that calls it off. */
export function whenIdle(act: () => void): () => void {
	let wish: number | undefined;
	const timer = setTimeout(() => {
		// Not every browser tells when it is idle.
		if (typeof requestIdleCallback === "function") wish = requestIdleCallback(act);
		else act();
	}, HEAD_START);
	return () => {
		clearTimeout(timer);
		if (wish !== undefined) cancelIdleCallback(wish);
	};
}
