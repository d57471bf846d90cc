import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";
import { webApp } from "./webApp.ts";

/** Writes NAME.gz next to every text file of the build that gets smaller by it, for the server to send as it is. */
function precompress(): Plugin {
	let folder = "";
	return {
		name: "precompress",
		apply: "build",
		configResolved(config) {
			folder = config.build.outDir;
		},
		writeBundle: {
			// The web app writes files too.
			order: "post",
			sequential: true,
			async handler() {
				const entries = await readdir(folder, { recursive: true, withFileTypes: true });
				const texts = entries.filter(
					(entry) => entry.isFile() && /\.(css|html|js|json|md|svg|txt|webmanifest)$/.test(entry.name),
				);
				await Promise.all(
					texts.map(async (entry) => {
						const path = join(entry.parentPath, entry.name);
						const text = await readFile(path);
						const packed = await promisify(gzip)(text, { level: 9 });
						if (packed.length < text.length) await writeFile(`${path}.gz`, packed);
					}),
				);
			},
		},
	};
}

// The server allows its pages nothing but files of its own (Content-Security-Policy), so nothing may be inlined.
export default defineConfig({
	plugins: [svelte(), webApp(), precompress()],
	base: "/",
	build: {
		outDir: join(import.meta.dirname, "../src/kingdom_builder/server/static"),
		emptyOutDir: true,
		assetsInlineLimit: 0,
		modulePreload: { polyfill: false },
		reportCompressedSize: false,
		// The licences of the packages whose code is in the client, as these ask for.
		license: { fileName: "licenses.md" },
		// What every page needs comes in one file: many small ones pack worse, 3 kB of what the start page loads.
		rolldownOptions: { output: { codeSplitting: { groups: [{ name: "base", tags: ["$initial"] }] } } },
	},
	server: {
		proxy: {
			"/api": "http://127.0.0.1:8000",
			"/ws": { target: "ws://127.0.0.1:8000", ws: true },
		},
	},
});
