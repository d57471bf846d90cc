/** A push of the server as a notification. */

export interface Notice {
	title: string;
	body: string;
	/** An address of this server, such as `https://host/#/table/abc`. */
	url: string;
	/** A new notice replaces a shown one with the same tag. */
	tag: string;
}

/** What the worker sends to a page to learn its address. */
export const WHERE = "where";

const TITLE = "Kingdom Builder";
const LONGEST = { title: 80, body: 240, url: 500, tag: 80 };

/** What a push says; whatever is missing or wrong in it is replaced, since every push has to be shown. */
export function noticeOf(text: string, origin: string): Notice {
	const said = recordOf(text);
	const part = (key: keyof Notice) => {
		const value = said[key];
		return typeof value === "string" ? value.slice(0, LONGEST[key]) : "";
	};
	return { title: part("title") || TITLE, body: part("body"), url: ownAddress(part("url"), origin), tag: part("tag") };
}

function recordOf(text: string): Record<string, unknown> {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === "object" && value !== null ? { ...value } : {};
	} catch {
		return {};
	}
}

/** An address at this origin; its start page for any other address. */
export function ownAddress(address: string, origin: string): string {
	const start = `${origin}/`;
	try {
		const found = new URL(address, start);
		return found.origin === origin ? found.href : start;
	} catch {
		return start;
	}
}

/** What a page shows, by its address: `table/abc` for `#/table/abc`, whatever follows. */
function placeAt(address: string): string {
	const [page = "", what = ""] = address
		.replace(/^[^#]*/, "")
		.replace(/^#\/?/, "")
		.split("/");
	return `${page}/${what}`;
}

/** Whether two addresses show the same table, or otherwise the same place. */
export function isSamePlace(one: string, other: string): boolean {
	return placeAt(one) === placeAt(other);
}
