import { isPool, POOLS, type Pool } from "./people/pools";

/** What the address asks for. */
export type Place =
	| { page: "start" }
	| { page: "new"; friends: boolean }
	| { page: "invite"; id: string }
	| { page: "table"; id: string }
	| { page: "seat"; token: string }
	| { page: "watch"; token: string }
	| { page: "join"; token: string }
	| { page: "replay"; id: string; game: number; ply: number | null }
	| { page: "replay-record"; ply: number | null }
	| { page: "position"; position: string }
	| { page: "record" }
	| { page: "learn" }
	| { page: "lessons" }
	| { page: "lesson"; lesson: string }
	| { page: "rules"; topic: string; entry: string }
	| { page: "daily" }
	| { page: "puzzles" }
	| { page: "puzzle"; key: string }
	| { page: "about" }
	| { page: "workshop"; shared: string | undefined }
	| { page: "history" }
	| { page: "lobby" }
	| { page: "leaderboard"; pool: Pool }
	| { page: "person"; person: string }
	| { page: "admin" }
	| { page: "privacy" }
	| { page: "me" }
	| { page: "notifications" }
	| { page: "unsubscribe"; token: string }
	| { page: "unknown" };

const WHOLE_NUMBER = /^\d{1,6}$/;

function decoded(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		return part;
	}
}

function number(text: string | undefined): number | null {
	return text !== undefined && WHOLE_NUMBER.test(text) ? Number(text) : null;
}

/** The parts of a hash such as `#/table/abc`, decoded. */
export function partsOf(hash: string): string[] {
	return hash
		.replace(/^#?\/?/, "")
		.split("/")
		.map(decoded)
		.filter((part) => part !== "");
}

export function placeOf(parts: string[]): Place {
	const [page, first, second, third] = parts;
	switch (page) {
		case undefined:
			return { page: "start" };
		case "new":
			return { page, friends: first === "friends" || first === "offer" };
		case "invite":
			return first ? { page, id: first } : { page: "unknown" };
		case "table":
			return first ? { page, id: first } : { page: "unknown" };
		case "seat":
		case "watch":
		case "join":
			return first ? { page, token: first } : { page: "unknown" };
		case "replay":
			if (first === "record") return { page: "replay-record", ply: number(second) };
			if (first === "table" && second) return { page, id: second, game: number(third) ?? 0, ply: number(parts[4]) };
			return { page: "unknown" };
		case "position":
			return first ? { page, position: parts.slice(1).join("/") } : { page: "unknown" };
		case "lessons":
			return first ? { page: "lesson", lesson: first } : { page };
		case "rules":
			return first === "entry" ? { page, topic: "", entry: second ?? "" } : { page, topic: first ?? "", entry: "" };
		case "workshop":
			return { page, shared: first };
		case "puzzles":
			if (parts.length > 2) return { page: "unknown" };
			return first ? { page: "puzzle", key: first } : { page };
		case "leaderboard":
			if (first !== undefined && !isPool(first)) return { page: "unknown" };
			return { page, pool: first ?? POOLS[0] };
		case "person":
			return first ? { page, person: first } : { page: "unknown" };
		case "unsubscribe":
			return first ? { page, token: first } : { page: "unknown" };
		case "notifications":
		case "daily":
		case "record":
		case "learn":
		case "about":
		case "admin":
		case "privacy":
		case "me":
		case "history":
		case "lobby":
			return parts.length === 1 ? { page } : { page: "unknown" };
		default:
			return { page: "unknown" };
	}
}

class Route {
	/** The decoded parts of the address behind `#/`. */
	parts = $state.raw(partsOf(location.hash));
	readonly place: Place = $derived(placeOf(this.parts));
}

export const route = new Route();

/** Goes to a path such as `/table/abc`; with `replace` the current address is not kept in the history. */
export function go(path: string, { replace = false } = {}): void {
	const hash = `#${path}`;
	if (replace) history.replaceState(history.state, "", hash);
	else if (location.hash !== hash) history.pushState(null, "", hash);
	route.parts = partsOf(hash);
}

/** Follows links and the browser's own buttons; returns a function that stops it. */
export function followAddress(): () => void {
	const follow = () => {
		route.parts = partsOf(location.hash);
	};
	window.addEventListener("hashchange", follow);
	window.addEventListener("popstate", follow);
	return () => {
		window.removeEventListener("hashchange", follow);
		window.removeEventListener("popstate", follow);
	};
}
