import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { loadLanguage } from "../src/i18n/index.svelte";
import { loadPart } from "../src/i18n/parts.svelte";
import { myself } from "../src/people/me.svelte";
import { quiet } from "../src/people/quiet.svelte";
import { preferences } from "../src/preferences.svelte";
import type { ChatLine } from "../src/protocol";
import { isHeard, nameOf, speakersIn } from "../src/table/chat";
import LogAndChat from "../src/table/LogAndChat.svelte";
import { PHRASES, type PhraseKey } from "../src/table/phrases";

function line(version: number, role: ChatLine["role"], name: string, text: string, more = {}): ChatLine {
	return { version, role, name, text, person: "", phrase: "", ...more };
}

const CHAT: ChatLine[] = [
	line(3, "player", "Ann", "Hello"),
	line(4, "watcher", "Wim", "Nice move"),
	line(6, "host", "Hal", "Welcome"),
	line(7, "watcher", "Ann", "I am not Ann"),
];

test("who looks on is not taken for the player of the same name", () => {
	const deafness = { watchers: false, speakers: ["watcher Ann"] };
	expect(CHAT.filter((line) => isHeard(line, deafness)).map(({ version }) => version)).toEqual([3, 4, 6]);
	expect(speakersIn([...CHAT, ...CHAT])).toHaveLength(4);
});

test("who has no name is called so in the language of the page", async () => {
	preferences.language = "de";
	await loadLanguage();
	const named = (role: ChatLine["role"], name: string) => nameOf(line(1, role, name, ""));
	expect(named("player", "Player B")).toBe("Spieler B");
	expect(named("watcher", "Watcher")).toBe("Gast");
	expect(named("watcher", "grass")).toBe("grass");
	preferences.language = "en";
});

describe("the chat on the page", () => {
	let app: Record<string, unknown>;
	const onsay = vi.fn<(text: string, phrase?: PhraseKey) => Promise<string>>();

	function show(more: { silence?: string; strangers?: boolean; chat?: ChatLine[] } = {}): void {
		const talk = { lines: [], notices: [], chat: CHAT, faces: [], ply: undefined };
		const props = { ...talk, table: "abc", speaker: "Ann", silence: "", onsay };
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

	test("guests among strangers have phrases only, members have both, friends type", async () => {
		onsay.mockResolvedValue("");
		myself.take({ id: "me", name: "", member: false, role: "" });
		show({ strangers: true });
		expect(find("[data-testid=chat-input]")).toBeNull();
		const phrases = find<HTMLSelectElement>("[data-testid=phrases]");
		expect(phrases?.options).toHaveLength(PHRASES.length + 1);
		expect(find<HTMLButtonElement>("[data-testid=say-phrase]")?.disabled).toBe(true);
		if (phrases) phrases.value = "good-luck";
		phrases?.dispatchEvent(new Event("change", { bubbles: true }));
		flushSync();
		expect(onsay).not.toHaveBeenCalled();
		find("[data-testid=say-phrase]")?.click();
		expect(onsay).toHaveBeenCalledWith("", "good-luck");
		myself.take({ id: "me", name: "", member: true, role: "" });
		flushSync();
		expect(find("[data-testid=chat-input]")).not.toBeNull();
		expect(find("[data-testid=phrases]")).not.toBeNull();
		unmount(app);
		show();
		expect(find("[data-testid=phrases]")).toBeNull();
		expect(find("[data-testid=chat-input]")).not.toBeNull();
	});

	test("a phrase is shown in the language of the page, and an unknown one as it came", async () => {
		preferences.language = "de";
		await Promise.all([loadLanguage(), loadPart("phrases")]);
		const chat = [
			line(1, "player", "Ann", "Well played.", { phrase: "well-played" }),
			line(2, "player", "Ann", "Cheers.", { phrase: "of-a-newer-server" }),
		];
		show({ chat });
		expect(said().map((text) => text?.replaceAll(/\s+/g, " ").trim())).toEqual(["Ann Gut gespielt.", "Ann Cheers."]);
		preferences.language = "en";
	});

	test("whoever is muted in this browser is not shown, at whatever table", () => {
		quiet.set("rude", true);
		show({ chat: [line(1, "player", "Ann", "Boo", { person: "rude" }), line(2, "player", "Bob", "Hello")] });
		expect(said()).toHaveLength(1);
		quiet.set("rude", false);
		flushSync();
		expect(said()).toHaveLength(2);
	});
});
