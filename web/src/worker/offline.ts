/** What the page needs without a network, and how requests are answered then. */

import type { Shell } from "./shell";

/** `page` and `kept`: from the network, or else what is kept. `file`: what is kept, or else from the network. */
export type Way = "page" | "kept" | "file" | "network";

/** The header of an answer that is from the device, because the server did not answer. */
export const KEPT_HEADER = "X-Kept";

const CACHE = "kb-shell-";
/** Answers of the server that the page needs for everything that it can show without it. */
const ANSWERS = ["/api/catalogue", "/api/lessons"];
const PICTURE = "/api/picture";
/** Milliseconds after which a network that says nothing counts as gone. */
const PATIENCE = 4000;
/** Files that are fetched at the same time, so that those of a game that begins do not have to wait. */
const AT_ONCE = 3;

type Asked = Pick<Request, "method" | "mode" | "url">;

/** How a request is answered. Whatever is not named here is never kept: tables, keys, people. */
export function wayOf({ method, mode, url }: Asked, { positions }: Shell, origin: string): Way {
	const address = new URL(url);
	if (method !== "GET" || address.origin !== origin) return "network";
	const { pathname, search, searchParams } = address;
	if (mode === "navigate") return pathname === "/" ? "page" : "network";
	if (pathname.startsWith("/assets/")) return "file";
	if (ANSWERS.includes(pathname) && search === "") return "kept";
	// With names it is the result of somebody's game.
	if (pathname === PICTURE && !searchParams.has("name") && positions.includes(searchParams.get("position") ?? ""))
		return "kept";
	return "network";
}

const cacheOf = ({ version }: Shell): Promise<Cache> => caches.open(CACHE + version);

/** Keeps a whole build; fails if a part of it is missing or is of another build. */
export async function keepShell(shell: Shell): Promise<void> {
	const cache = await cacheOf(shell);
	const page = await fetched("/", "no-cache");
	if (!(await page.clone().text()).includes(shell.entry)) throw new Error("The page is of another build.");
	const hero = shell.positions.slice(0, 1).map((position) => `${PICTURE}?${new URLSearchParams({ position })}`);
	const waiting = [...shell.files, ...ANSWERS, ...hero];
	const work = async () => {
		for (let path = waiting.shift(); path !== undefined; path = waiting.shift())
			await cache.put(path, await fetched(path));
	};
	await Promise.all(Array.from({ length: AT_ONCE }, work));
	await cache.put("/", page);
}

async function fetched(path: string, cache: RequestCache = "default"): Promise<Response> {
	const response = await fetch(path, { cache });
	if (!response.ok) throw new Error(`${path} is answered with ${response.status}.`);
	return response;
}

/** Forgets older builds, except for the one before: a page of it may be open, and load its parts on demand. */
export async function forgetOldShells({ version }: Shell): Promise<void> {
	const others = (await caches.keys()).filter((name) => name.startsWith(CACHE) && name !== CACHE + version);
	await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
}

/** A file whose content never changes. */
export async function answerFile(request: Request): Promise<Response> {
	return (await caches.match(request)) ?? fetch(request);
}

/**
 * The page, from the network if that answers in time, so that nobody is held on an old build. It is not kept from
 * here: what is kept has to be of one build.
 */
export async function answerPage(shell: Shell, request: Request, preloaded?: Promise<unknown>): Promise<Response> {
	const loading = Promise.resolve(preloaded).then((early) => (early instanceof Response ? early : fetch(request)));
	return networkFirst(loading, async () => (await cacheOf(shell)).match("/"));
}

/** An answer of the server, the last one that is kept if there is no other; it says so in a header. */
export async function answerKept(shell: Shell, request: Request): Promise<Response> {
	const cache = await cacheOf(shell);
	const loading = fetch(request).then(async (response) => {
		if (response.ok) await cache.put(request, response.clone());
		return response;
	});
	return networkFirst(loading, async () => {
		const kept = await cache.match(request);
		return kept && markKept(kept);
	});
}

function markKept(response: Response): Response {
	const headers = new Headers(response.headers);
	headers.set(KEPT_HEADER, "1");
	return new Response(response.body, { status: response.status, headers });
}

/** What comes from the network; if that is gone, slow or broken, what is kept; if nothing is, the network's answer. */
async function networkFirst(loading: Promise<Response>, kept: () => Promise<Response | undefined>): Promise<Response> {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const late = new Promise<undefined>((resolve) => {
		timer = setTimeout(resolve, PATIENCE, undefined);
	});
	const response = await Promise.race([loading.catch(() => undefined), late]);
	clearTimeout(timer);
	// A proxy answers in place of a server that is gone.
	if (response && response.status < 500) return response;
	return (await kept()) ?? loading;
}
