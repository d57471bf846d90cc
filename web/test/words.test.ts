import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
	hexWords,
	lineWords,
	logOf,
	moveWords,
	noticeWords,
	seatName,
	subjectOf,
	summary,
	turnsOf,
} from "../src/game/words";
import { nameInChat } from "../src/i18n/people";
import { catalogue } from "../src/net/catalogue.svelte";
import type { Catalogue, Happening, LogLine, Message, Notice, SetupView, View } from "../src/protocol";
import { plain } from "./messages";

const FACES = [
	{ name: "Anna", colour: 0 },
	{ name: "", colour: 1 },
];

const PIECES = [
	{ key: "settlement", name: "settlement" },
	{ key: "walls", name: "stone wall" },
];

const SETUP = {
	rows: ["GC", "1N"],
	locations: { a2: "farm" },
	nomads: { b2: "sword" },
	capitols: [],
} as unknown as SetupView;

function view(more: Partial<View>): View {
	const base = { player: 0, card: "", legal: [], pieces: {}, tiles_left: {}, tiles: [[], []] };
	return { ...base, ...more } as View;
}

function happening(kind: string, words: string, hexes: string[] = [], key: string | null = null, seat = 0): Happening {
	return { kind, seat, message: plain(words), hexes, key, gold: 0 };
}

function built(hex: string, seat = 0): Happening {
	const message: Message = { template: "builds on {hex}", arguments: { hex: ["hex", hex] }, text: `builds on ${hex}` };
	return { kind: "built", seat, message, hexes: [hex], key: "settlement", gold: 0 };
}

function line(ply: number, turn: string, move: string, ...happenings: Happening[]): LogLine {
	return { ply, turn, seat: turn.endsWith("A") ? 0 : 1, move, happenings };
}

test("people without a name are called by their seat", () => {
	expect(seatName(FACES, 0)).toBe("Anna");
	expect(seatName(FACES, 1)).toBe("Player B");
	expect(seatName([], 2)).toBe("Player C");
	expect([nameInChat(FACES, 0), nameInChat(FACES, 1), nameInChat(FACES, -1)]).toEqual(["Anna", "Player B", ""]);
});

describe("a hex", () => {
	beforeEach(() => {
		catalogue.value = { components: [], pieces: PIECES, terrain: {} } as unknown as Catalogue;
	});
	afterEach(() => {
		catalogue.value = undefined;
	});

	test("tells ground and piece", () => {
		const seen = view({ pieces: { settlement: [["b1"], []], walls: [["a1"]] }, tiles_left: { a2: 1, b2: 0 } });
		expect(hexWords(SETUP, seen, FACES, "a1")).toBe("a1, G, stone wall");
		expect(hexWords(SETUP, seen, FACES, "b1", 0)).toBe("b1, C, your settlement");
		expect(hexWords(SETUP, seen, FACES, "b1", 1)).toBe("b1, C, settlement of Anna");
		expect(hexWords(SETUP, seen, FACES, "a2")).toBe("a2, farm, 1 tile left");
		expect(hexWords(SETUP, seen, FACES, "b2")).toBe("b2, N");
	});
});

test("moves of a suggested turn in words", () => {
	expect(moveWords("k7")).toBe("k7");
	expect(moveWords("paddock:k7-m7")).toBe("paddock k7 → m7");
	expect(moveWords("bazaar:water-mill,f13")).toBe("bazaar water-mill, f13");
	expect(moveWords("quarry:a1,done")).toBe("quarry a1, done");
	expect(moveWords("wagon:other")).toBe("wagon the other choice");
	expect(moveWords("!C")).toBe("play C");
	expect(moveWords(".")).toBe("end turn");
});

describe("the log", () => {
	const lines = [
		line(1, "0A", "=C", happening("card-drawn", "draws canyon", [], "C")),
		line(2, "1A", "a1", built("a1")),
		line(3, "1A", "b1", built("b1"), happening("tile-taken", "takes it")),
		line(4, "1A", "."),
		line(5, "1A", "=?", happening("turn-begun", "begins turn 1", [], null, 1)),
		line(6, "1B", "a2", built("a2", 1), happening("game-over", "wins")),
	];

	test("has a line for each turn in which something is to be said", () => {
		const turns = turnsOf(lines, FACES);
		expect(turns.map(({ label, words }) => [label, words])).toEqual([
			["1A", "builds on a1 and b1, takes it"],
			["1B", "builds on a2, Anna wins"],
		]);
		expect(turns[0]?.lines).toHaveLength(4);
	});

	test("names whoever something happens to, and nobody twice", () => {
		const wins = (seat: number) => happening("game-over", "wins", [], null, seat);
		const told = (...happenings: Happening[]) => {
			const [turn] = turnsOf([line(1, "9B", ".", ...happenings)], FACES);
			return turn && `${turn.label}: ${seatName(FACES, turn.subject)} ${turn.words}`;
		};
		expect(told(wins(0))).toBe("9B: Anna wins");
		expect(told(wins(1))).toBe("9B: Player B wins");
		expect(told(wins(0), wins(1))).toBe("9B: Anna wins, Player B wins");
		expect(told(built("a1", 1), wins(0), wins(1))).toBe("9B: Player B builds on a1, Anna wins, Player B wins");
		expect(told(happening("turn-begun", "begins turn 2"), wins(0))).toBe("9B: Anna wins");
		expect(told()).toBe(undefined);
	});

	test("can tell several turns in one sentence", () => {
		expect(summary(lines, FACES)).toBe("Anna builds on a1 and b1, takes it, Player B builds on a2, Anna wins");
		expect(summary([line(7, "9B", ".", happening("game-over", "wins"))], FACES)).toBe("Anna wins");
		expect(summary([line(4, "1A", ".")], FACES)).toBe("");
	});

	test("says whom an action is about", () => {
		const removes = line(8, "9B", "a1", happening("removed", "takes back the settlement on a1"));
		expect(subjectOf(removes)).toBe(0);
		expect(lineWords(removes, FACES)).toBe("Anna takes back the settlement on a1");
		expect(lineWords(removes, FACES, subjectOf(removes))).toBe("takes back the settlement on a1");
		const ends = line(9, "9B", ".", happening("game-over", "wins"));
		expect([subjectOf(ends), lineWords(ends, FACES)]).toEqual([1, "ends the turn"]);
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
		expect(words("new-player", "")).toContain("The seat of Carol has");
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
