import { defineConfig, mergeConfig } from "vitest/config";
import base from "./vite.config.ts";

export default mergeConfig(
	base,
	defineConfig({
		// Components are mounted in tests: without this Svelte's server build would be found.
		resolve: { conditions: ["browser"] },
		test: {
			environment: "jsdom",
			include: ["test/**/*.test.ts"],
		},
	}),
);
