import { afterEach, expect, test, vi } from "vitest";
import { pressKey } from "../src/game/keys";

function press(key: string, init: KeyboardEventInit = {}, target: HTMLElement = document.body) {
	const actions = { e: vi.fn(), "Ctrl+z": vi.fn(), ArrowLeft: vi.fn(), "?": vi.fn() };
	const lensKey = vi.fn(() => key === "+" || init.shiftKey === true);
	const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...init });
	target.addEventListener("keydown", () => pressKey(event, actions, lensKey), { once: true });
	target.dispatchEvent(event);
	const done = Object.entries(actions).flatMap(([name, action]) => (action.mock.calls.length > 0 ? [name] : []));
	return { done, lensKey, prevented: event.defaultPrevented };
}

afterEach(() => {
	document.body.innerHTML = "";
});

test.each([
	["e", {}, "e"],
	["E", { shiftKey: true }, "e"],
	["z", { ctrlKey: true }, "Ctrl+z"],
	["z", { metaKey: true }, "Ctrl+z"],
	["ArrowLeft", {}, "ArrowLeft"],
	["?", { shiftKey: true }, "?"],
])("%s with %o does what it stands for", (key, init, action) => {
	expect(press(key, init)).toMatchObject({ done: [action], prevented: true });
});

test("keys without an action move the lens, also arrows with Shift", () => {
	expect(press("+")).toMatchObject({ done: [], prevented: true });
	expect(press("ArrowLeft", { shiftKey: true })).toMatchObject({ done: [], prevented: true });
});

test("keys of the browser are left to it", () => {
	for (const init of [{ ctrlKey: true }, { altKey: true }]) {
		const { done, lensKey, prevented } = press("e", init);
		expect(done).toEqual([]);
		expect(lensKey).not.toHaveBeenCalled();
		expect(prevented).toBe(false);
	}
});

test("nothing is done while somebody types or a dialog is open", () => {
	const field = document.body.appendChild(document.createElement("input"));
	expect(press("e", {}, field).done).toEqual([]);
	document.body.appendChild(document.createElement("dialog")).setAttribute("open", "");
	expect(press("e").done).toEqual([]);
});
