import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { loadLanguage } from "../src/i18n/index.svelte";
import { preferences } from "../src/preferences.svelte";
import type { ChatLine } from "../src/protocol";
import { isHeard, nameOf, speakersIn } from "../src/table/chat";
import LogAndChat from "../src/table/LogAndChat.svelte";

const CHAT: ChatLine[] = [
	{ version: 3, role: "player", name: "Ann", text: "Hello" },
	{ version: 4, role: "watcher", name: "Wim", text: "Nice move" },
	{ version: 6, role: "host", name: "Hal", text: "Welcome" },
	{ version: 7, role: "watcher", name: "Ann", text: "I am not Ann" },
];

test("who looks on is not taken for the player of the same name", () => {
	const deafness = { watchers: false, speakers: ["watcher Ann"] };
	expect(CHAT.filter((line) => isHeard(line, deafness)).map(({ version }) => version)).toEqual([3, 4, 6]);
	expect(speakersIn([...CHAT, ...CHAT])).toHaveLength(4);
});

test("who has no name is called so in the language of the page", async () => {
	preferences.language = "de";
	await loadLanguage();
	const named = (role: ChatLine["role"], name: string) => nameOf({ version: 1, role, name, text: "" });
	expect(named("player", "Player B")).toBe("Spieler B");
	expect(named("watcher", "Watcher")).toBe("Gast");
	expect(named("watcher", "grass")).toBe("grass");
	preferences.language = "en";
});

describe("the chat on the page", () => {
	let app: Record<string, unknown>;
	const onsay = vi.fn<(text: string) => Promise<string>>();

	function show(more: { silence?: string } = {}): void {
		const props = { lines: [], notices: [], chat: CHAT, faces: [], ply: undefined, speaker: "Ann", silence: "", onsay };
		const nothing = () => undefined;
		app = mount(LogAndChat, {
			target: document.body,
			props: { ...props, ...more, onshow: nothing, onlink: nothing, onexport: nothing },
		});
		flushSync();
	}

	function find<T extends HTMLElement = HTMLElement>(selector: string): T | null {
		return document.querySelector<T>(selector);
	}

	const said = () => [...document.querySelectorAll("[data-testid=chat] p[data-role]")].map((line) => line.textContent);

	beforeEach(() => {
		onsay.mockReset();
		// Nothing is in view, as in a sheet that is closed.
		vi.stubGlobal(
			"IntersectionObserver",
			class {
				observe(): void {}
				disconnect(): void {}
			},
		);
		// Some test environments have no modal dialogs.
		HTMLDialogElement.prototype.showModal = function (this: HTMLDialogElement) {
			this.setAttribute("open", "");
		};
	});
	afterEach(() => unmount(app));

	test("says in words who looks on and who is the host", () => {
		show();
		const [player, watcher, host] = said().map((line) => line?.replace(/\s+/g, " ").trim());
		expect(player).toBe("Ann Hello");
		expect(watcher).toBe("Wim looks on Nice move");
		expect(host).toBe("Hal host Welcome");
	});

	test("hides those who look on, or one of them, and does not count their lines", () => {
		show();
		expect(find(".unread")?.textContent).toBe("4");
		find("[data-testid=hide-lines]")?.click();
		flushSync();
		find("[data-testid=hide-watchers]")?.click();
		flushSync();
		expect(said()).toHaveLength(2);
		expect(find(".unread")?.textContent).toBe("2");
		expect(find("[data-testid=hidden-lines]")?.textContent).toBe("2 lines are hidden");
		find("[data-testid=hide-watchers]")?.click();
		find("input[value='watcher Wim']")?.click();
		flushSync();
		expect(said()).toHaveLength(3);
		expect(said().join()).not.toContain("Nice move");
	});

	test("says why something could not be said, and keeps it", async () => {
		onsay.mockResolvedValue("The host does not let you speak at this table.");
		show();
		const field = find<HTMLInputElement>("[data-testid=chat-input]");
		if (!field) throw new Error("There is nothing to write in.");
		field.value = "Hello";
		field.dispatchEvent(new Event("input", { bubbles: true }));
		find<HTMLFormElement>("form")?.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
		await vi.waitFor(() => {
			flushSync();
			expect(find("[data-testid=chat-problem]")?.textContent).toContain("does not let you speak");
		});
		expect(onsay).toHaveBeenCalledExactlyOnceWith("Hello");
		expect(field.value).toBe("Hello");
	});

	test("says why nothing can be said", () => {
		show({ silence: "The host lets only players speak at this table." });
		expect(find("[data-testid=silence]")?.textContent).toContain("only players");
		expect(find("[data-testid=chat-input]")).toBeNull();
	});
});
