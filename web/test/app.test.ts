import { flushSync, mount, unmount } from "svelte";
import { afterAll, expect, test, vi } from "vitest";

vi.stubGlobal("matchMedia", () => Object.assign(new EventTarget(), { matches: false }));
const { default: App } = await import("../src/App.svelte");

afterAll(() => vi.unstubAllGlobals());

test("a server that does not answer is told kindly, with a way on", async () => {
	vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no network")));
	const app = mount(App, { target: document.body });
	await vi.waitFor(() => expect(document.querySelector("[role=alert]")).not.toBeNull());
	flushSync();
	expect(document.querySelector("h1")?.textContent).toBe("Kingdom Builder");
	expect(document.querySelector("[role=alert]")?.textContent).toContain("does not answer");
	expect(document.querySelector("button")?.textContent).toBe("Try again");
	await unmount(app);
});
