import { expect, test } from "vitest";

const SOURCES = import.meta.glob<string>("../src/**/*.{ts,svelte}", { query: "?raw", import: "default", eager: true });

interface Import {
	/** Paths from `src`; a package is only its name. */
	file: string;
	target: string;
	isType: boolean;
}

function importsIn(path: string, text: string): Import[] {
	const base = new URL(path.replace("../src/", "file:///"));
	return [...text.matchAll(/\bimport\b([^"';]*)"([^"]+)"/g)].map(([, what = "", target = ""]) => ({
		file: base.pathname.slice(1),
		target: target.startsWith(".") ? new URL(target, base).pathname.slice(1) : target,
		isType: /^\s+type\s/.test(what),
	}));
}

const IMPORTS = Object.entries(SOURCES).flatMap(([path, text]) => importsIn(path, text));

function importsOf(folder: string): Import[] {
	return IMPORTS.filter(({ file }) => file.startsWith(`${folder}/`));
}

test("the board knows nothing but itself, Svelte and the types of the protocol: no texts, no table", () => {
	const found = importsOf("board");
	expect(found.length).toBeGreaterThan(20);
	const foreign = found.filter(({ target }) => !/^(board\/|svelte($|\/))/.test(target));
	expect(foreign.filter(({ target, isType }) => target !== "protocol" || !isType)).toEqual([]);
});

/** What each folder may use, beside the page's own texts, storage, preferences, routes and protocol. */
const MAY_USE: Record<string, string[]> = {
	net: ["net"],
	components: ["components", "board", "net"],
	game: ["game", "components", "board", "net"],
	table: ["table", "game", "components", "board", "net"],
	replay: ["replay", "game", "components", "board", "net"],
	pages: ["pages", "components", "board", "net"],
};

test.each(Object.entries(MAY_USE))("%s uses only what lies below it", (folder, allowed) => {
	const folders = new Set(["board", ...Object.keys(MAY_USE)]);
	const used = importsOf(folder).map(({ target }) => target.split("/")[0] ?? "");
	expect([...new Set(used)].filter((name) => folders.has(name) && !allowed.includes(name))).toEqual([]);
});
