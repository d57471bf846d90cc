import { flushSync, mount, unmount } from "svelte";
import { expect, test } from "vitest";
import App from "../src/App.svelte";

test("the app mounts", async () => {
	const app = mount(App, { target: document.body });
	flushSync();
	expect(document.querySelector("h1")?.textContent).toBe("Kingdom Builder");
	await unmount(app);
});
