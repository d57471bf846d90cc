import { describe, expect, test } from "vitest";
import {
	choiceWords,
	hexWords,
	lineWords,
	localised,
	logOf,
	moveWords,
	noticeWords,
	otherChoices,
	seatName,
	stepWords,
	turnsOf,
} from "../src/game/words";
import type { Happening, LogLine, Notice, SetupView, View } from "../src/protocol";

const FACES = [
	{ name: "Anna", colour: 0 },
	{ name: "Player B", colour: 1 },
];

const SETUP = {
	rows: ["GC", "1N"],
	locations: { a2: "farm" },
	nomads: { b2: "sword" },
	capitols: [],
} as unknown as SetupView;

function view(more: Partial<View>): View {
	const base = { player: 0, card: "", todo: 0, legal: [], pieces: {}, stock: {}, tiles: [[], []], step: "" };
	return { ...base, ...more } as View;
}

function happening(kind: string, words: string, hexes: string[] = [], key: string | null = null, seat = 0): Happening {
	return { kind, seat, words, hexes, key };
}

function line(ply: number, turn: string, move: string, ...happenings: Happening[]): LogLine {
	return { ply, turn, seat: turn.endsWith("A") ? 0 : 1, move, happenings };
}

test("people without a name are called by their seat", () => {
	expect(seatName(FACES, 0)).toBe("Anna");
	expect(seatName(FACES, 1)).toBe("Player B");
	expect(seatName([], 2)).toBe("Player C");
	expect(localised("k7 is occupied by seat A: one piece a hex.", FACES)).toBe(
		"k7 is occupied by Anna: one piece a hex.",
	);
});

describe("a hex", () => {
	test("tells ground and piece", () => {
		const seen = view({ pieces: { settlement: [["b1"], []], walls: [["a1"]] }, stock: { a2: 1, b2: 0 } });
		expect(hexWords(SETUP, seen, FACES, "a1")).toBe("a1, G, stone wall");
		expect(hexWords(SETUP, seen, FACES, "b1", 0)).toBe("b1, C, your settlement");
		expect(hexWords(SETUP, seen, FACES, "b1", 1)).toBe("b1, C, settlement of Anna");
		expect(hexWords(SETUP, seen, FACES, "a2")).toBe("a2, farm, 1 tile left");
		expect(hexWords(SETUP, seen, FACES, "b2")).toBe("b2, N");
	});
});

describe("the next step", () => {
	test.each([
		[{ over: true }, true, "The game is over."],
		[{ todo: 3, card: "C" }, true, "Build 3 on C."],
		[{ todo: 1, card: "C" }, true, "Build 1 more on C."],
		[{ todo: 3 }, true, "Choose one of your cards, or use a tile that needs none."],
		[{}, true, "All built. End your turn."],
		[
			{ acting: "sword", step: "Sword: choose a piece of seat A to remove." },
			true,
			"Sword: choose a piece of Anna to remove.",
		],
		[{}, false, "Waiting for Anna."],
	] as const)("%o", (more, mine, words) => {
		expect(stepWords(view(more as Partial<View>), FACES, mine, false)).toBe(words);
	});
});

test("moves of a suggested turn in words", () => {
	expect(moveWords("k7")).toBe("k7");
	expect(moveWords("paddock:k7-m7")).toBe("paddock k7 → m7");
	expect(moveWords("bazaar:water-mill,f13")).toBe("bazaar water-mill, f13");
	expect(moveWords("quarry:a1,done")).toBe("quarry a1, done");
	expect(moveWords("!C")).toBe("play C");
	expect(moveWords(".")).toBe("end turn");
});

test("choices are what no tile, card, hex or button stands for", () => {
	const seen = view({
		legal: ["k7", ".", "!C", "done", "other", "farm", "barn"],
		tiles: [[{ key: "farm", hex: "a2", status: "ready" }], []],
	});
	expect(otherChoices(seen)).toEqual(["done", "other", "barn"]);
	expect(choiceWords("other", "wagon")).toBe("Take it back");
	expect(choiceWords("other", "cathedral")).toBe("Take one more number");
});

describe("the log", () => {
	const lines = [
		line(1, "0A", "=C", happening("card-drawn", "draws canyon", [], "C")),
		line(2, "1A", "a1", happening("built", "builds on a1", ["a1"], "settlement")),
		line(3, "1A", "b1", happening("built", "builds on b1", ["b1"], "settlement"), happening("tile-taken", "takes it")),
		line(4, "1A", "."),
		line(5, "1A", "=?", happening("turn-begun", "begins turn 1", [], null, 1)),
		line(6, "1B", "a2", happening("built", "builds on a2", ["a2"], "settlement", 1), happening("game-over", "wins")),
	];

	test("has a line for each turn in which something is to be said", () => {
		const turns = turnsOf(lines, FACES);
		expect(turns.map(({ label, words }) => [label, words])).toEqual([
			["1A", "builds on a1 and b1, takes it"],
			["1B", "builds on a2, Anna wins"],
		]);
		expect(turns[0]?.lines).toHaveLength(4);
	});

	test("tells single actions", () => {
		expect(lineWords(lines[3] as LogLine, FACES)).toBe("ends the turn");
		expect(lineWords(lines[4] as LogLine, FACES)).toBe("");
		expect(lineWords(lines[5] as LogLine, FACES)).toBe("builds on a2, Anna wins");
	});

	test("has what happened to the people behind the action after which it happened, in the middle of a turn too", () => {
		const entries = logOf(lines, [notice(9, 5), notice(7, 2), notice(8, 2)], FACES);
		expect(entries.map(({ turn, notice }) => turn?.words ?? notice?.version)).toEqual([
			"builds on a1",
			7,
			8,
			"builds on b1, takes it",
			9,
			"builds on a2, Anna wins",
		]);
		expect(entries.flatMap(({ turn }) => turn?.lines ?? []).map(({ ply }) => ply)).toEqual([2, 3, 4, 5, 6]);
	});

	test("has what happened before the first action, or after one that was taken back", () => {
		const entries = logOf(lines.slice(0, 2), [notice(7, 0), notice(9, 5)], FACES);
		expect(entries.map(({ turn, notice }) => turn?.words ?? notice?.version)).toEqual([7, "builds on a1", 9]);
	});
});

function notice(version: number, ply: number, kind: Notice["kind"] = "new-player", name = "Bob", seat = 1): Notice {
	return { version, ply, kind, seat, name };
}

describe("a notice", () => {
	const seats = [
		{ name: "Anna", colour: 0, level: "" },
		{ name: "Carol", colour: 1, level: "hard" },
	];
	const words = (kind: Notice["kind"], name = "Bob") => noticeWords(notice(7, 2, kind, name), [], seats);

	test("tells who came, who left and what failed", () => {
		expect(words("new-player")).toBe("The seat of Bob has a new player; the hand stays hidden until a card is drawn.");
		expect(words("new-player", "Player B")).toContain("The seat of Player B has");
		expect(words("bot-took-over")).toBe("A bot (hard) took over the seat of Bob.");
		expect(words("hand-shown", "")).toBe("All agreed: Carol, the new player, sees the hand.");
		expect(words("bot-failed", "Carol")).toBe("The bot Carol failed; a simple one plays for it now.");
		const link = { ...notice(7, 2, "watch-link-renewed", ""), seat: null };
		expect(noticeWords(link, [link], seats)).toBe("The link for looking on was renewed.");
	});

	test("does not give a bot of before the level of the one that sits there now", () => {
		const [first, second] = [notice(7, 2, "bot-took-over"), notice(9, 4, "bot-took-over", "Bot")];
		const all = [first, second, notice(10, 5, "bot-failed")];
		expect(noticeWords(first, all, seats)).toBe("A bot took over the seat of Bob.");
		expect(noticeWords(second, all, seats)).toBe("A bot (hard) took over the seat of Bot.");
	});
});
