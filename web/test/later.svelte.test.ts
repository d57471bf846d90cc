import { createRawSnippet, flushSync, mount, unmount } from "svelte";
import { afterEach, expect, test, vi } from "vitest";
import Later from "../src/components/Later.svelte";
import { toasts } from "../src/components/toast.svelte";

const shown = createRawSnippet((part: () => unknown) => ({ render: () => `<b>${part()}</b>` }));
const standIn = createRawSnippet((hasFailed: () => boolean) => ({
	render: () => "<i></i>",
	setup: (element) => {
		$effect(() => {
			element.textContent = hasFailed() ? "will not come" : "comes";
		});
	},
}));

let app: Record<string, unknown> | undefined;

function show(load: () => Promise<{ default: unknown }>, given: { wanted?: boolean; meanwhile?: typeof standIn } = {}) {
	const props = $state({ load, children: shown, ...given });
	app = mount(Later, { target: document.body, props });
	flushSync();
	return props;
}

afterEach(async () => {
	if (app) await unmount(app);
	toasts.hide();
});

test("what is not wanted is not loaded; what was wanted once stays", async () => {
	const load = vi.fn(() => Promise.resolve({ default: "code" }));
	const props = show(load, { wanted: false });
	expect(load).not.toHaveBeenCalled();
	props.wanted = true;
	flushSync();
	await vi.waitFor(() => expect(document.querySelector("b")?.textContent).toBe("code"));
	props.wanted = false;
	flushSync();
	expect(document.querySelector("b")?.textContent).toBe("code");
	props.wanted = true;
	flushSync();
	expect(load).toHaveBeenCalledTimes(1);
});

test("something stands in for it until it is there", async () => {
	let arrive = (_: { default: string }) => {};
	show(() => new Promise((resolve) => (arrive = resolve)), { meanwhile: standIn });
	expect(document.body.textContent).toBe("comes");
	arrive({ default: "code" });
	await vi.waitFor(() => expect(document.body.textContent).toBe("code"));
});

test("what cannot be loaded is told where it would stand, or in a toast", async () => {
	const fail = () => Promise.reject(new TypeError("no such file"));
	show(fail, { meanwhile: standIn });
	await vi.waitFor(() => expect(document.body.textContent).toBe("will not come"));
	expect(toasts.text).toBe("");
	if (app) await unmount(app);
	show(fail);
	await vi.waitFor(() => expect(toasts.text).toContain("could not be loaded"));
});
