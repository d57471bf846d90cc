import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { build, type Plugin } from "vite";
import { HERO_POSITION } from "./src/pages/artwork.ts";
import type { Shell } from "./src/worker/shell.ts";

const LANGUAGES = join(import.meta.dirname, "src/i18n");
const PAPER = "#e3d7bb";

interface Block {
	kind: string;
	position?: string;
}

async function readJson<T>(...path: string[]): Promise<T> {
	return JSON.parse(await readFile(join(LANGUAGES, ...path), "utf8"));
}

/** The manifest of the web app in a language. */
async function manifestIn(code: string): Promise<string> {
	const texts = await readJson<Record<string, string>>(code, "pages.json");
	const icon = (size: number, purpose: string, name: string) => ({
		src: `/${name}.png`,
		sizes: `${size}x${size}`,
		type: "image/png",
		purpose,
	});
	return JSON.stringify({
		id: "/",
		name: "Kingdom Builder",
		short_name: "Kingdom",
		description: texts["pages.tagline"],
		lang: code,
		start_url: "/",
		scope: "/",
		display: "standalone",
		theme_color: PAPER,
		background_color: PAPER,
		categories: ["games"],
		icons: [icon(192, "any", "icon-192"), icon(512, "any", "icon-512"), icon(512, "maskable", "icon-maskable-512")],
		shortcuts: [
			{ name: texts["pages.new"], url: "/#/new" },
			{ name: texts["pages.more.history"], url: "/#/history" },
		],
	});
}

/** The positions that the start page and the rules show pictures of. */
async function shownPositions(): Promise<string[]> {
	const topics = await readJson<{ blocks: Block[] }[]>("en", "rules.json");
	const figures = topics.flatMap(({ blocks }) => blocks.flatMap(({ position }) => position ?? []));
	return [...new Set([HERO_POSITION, ...figures])];
}

/** What makes the page installable: a manifest in each language, and the worker, which knows the files of the build. */
export function webApp(): Plugin {
	let folder = "";
	return {
		name: "web-app",
		apply: "build",
		configResolved(config) {
			folder = config.build.outDir;
		},
		transformIndexHtml: () => [
			{ tag: "link", attrs: { rel: "manifest", href: "/manifest-en.webmanifest" }, injectTo: "head" },
		],
		async generateBundle() {
			const entries = await readdir(LANGUAGES, { withFileTypes: true });
			for (const { name } of entries.filter((entry) => entry.isDirectory())) {
				this.emitFile({ type: "asset", fileName: `manifest-${name}.webmanifest`, source: await manifestIn(name) });
			}
		},
		writeBundle: {
			order: "pre",
			sequential: true,
			async handler(_, bundle) {
				const files = Object.keys(bundle).filter((name) => name.startsWith("assets/"));
				const entry = Object.values(bundle).find((part) => part.type === "chunk" && part.isEntry)?.fileName ?? "";
				const page = await readFile(join(folder, "index.html"), "utf8");
				const whole = createHash("sha256").update([...files.sort(), page].join("\n"));
				const shell: Shell = {
					version: whole.digest("hex").slice(0, 16),
					files: files.map((name) => `/${name}`),
					entry,
					positions: await shownPositions(),
				};
				await build({
					configFile: false,
					logLevel: "warn",
					publicDir: false,
					define: { SHELL: JSON.stringify(shell) },
					build: {
						outDir: folder,
						emptyOutDir: false,
						reportCompressedSize: false,
						rollupOptions: {
							input: join(import.meta.dirname, "src/worker/worker.ts"),
							// Not every browser takes modules as service workers.
							output: { format: "iife", entryFileNames: "worker.js" },
						},
					},
				});
			},
		},
	};
}
