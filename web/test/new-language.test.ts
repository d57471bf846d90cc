// @vitest-environment node
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { createServer } from "vite";
import { expect, test } from "vitest";
import type * as Speech from "../src/i18n/index.svelte";
import type * as Locales from "../src/i18n/locales";
import type * as Say from "../src/i18n/say";
import type * as Stored from "../src/preferences.svelte";

const WEB = join(import.meta.dirname, "..");

test("a language is added by files alone", { timeout: 30_000 }, async () => {
	// In a copy of the sources, since other tests ask at the same time whether every language that is found is complete.
	const copy = await mkdtemp(join(tmpdir(), "kingdom-builder-"));
	try {
		await cp(join(WEB, "src"), join(copy, "src"), { recursive: true });
		await symlink(join(WEB, "node_modules"), join(copy, "node_modules"));
		const folder = join(copy, "src/i18n/lv");
		await mkdir(folder);
		const write = (file: string, content: unknown) => writeFile(join(folder, file), JSON.stringify(content));
		await write("language.json", { name: "Latviešu" });
		await write("pages.json", { "pages.play": "Spēlēt" });
		await write("messages.json", { "draws {n} {n:card|cards}": "ņem {n} {n:kāršu|kārti|kārtis}" });
		await speak(copy);
	} finally {
		await rm(copy, { recursive: true });
	}
});

async function speak(root: string): Promise<void> {
	const server = await createServer({
		root,
		configFile: false,
		cacheDir: join(root, "cache"),
		optimizeDeps: { noDiscovery: true },
		plugins: [svelte({ configFile: false })],
		server: { middlewareMode: true, ws: false, watch: null },
		appType: "custom",
		logLevel: "error",
	});
	try {
		const load = <Module>(path: string) => server.ssrLoadModule(path) as Promise<Module>;
		const { LANGUAGES, loadRules, bestLanguage } = await load<typeof Locales>("/src/i18n/locales.ts");
		expect(LANGUAGES.get("lv")).toEqual({ name: "Latviešu" });
		expect(bestLanguage(["lv-LV"])).toBe("lv");

		const { preferences } = await load<typeof Stored>("/src/preferences.svelte.ts");
		const { loadLanguage, spoken, t } = await load<typeof Speech>("/src/i18n/index.svelte.ts");
		preferences.language = "lv";
		await loadLanguage();
		expect(spoken()).toBe("lv");
		expect(t("pages.play")).toBe("Spēlēt");
		expect(t("pages.cards.missing", { n: 1 })).toBe("Choose 1 more card.");

		const { say } = await load<typeof Say>("/src/i18n/say.ts");
		const drawn = (n: number) =>
			say({ template: "draws {n} {n:card|cards}", arguments: { n: ["number", n] }, text: "English" });
		expect([drawn(0), drawn(1), drawn(3)]).toEqual(["ņem 0 kāršu", "ņem 1 kārti", "ņem 3 kārtis"]);
		expect(say({ template: "The game is over.", arguments: {}, text: "The game is over." })).toBe("The game is over.");
		expect(await loadRules("lv")).toEqual(await loadRules("en"));
	} finally {
		await server.close();
	}
}
