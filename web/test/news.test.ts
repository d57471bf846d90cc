import { expect, test } from "vitest";
import type { LogLine, SeatView, View } from "../src/protocol";
import { Announcement } from "../src/table/news.svelte";
import { plain } from "./messages";

const SEATS = [{ name: "Anneliese" }, { name: "Ben" }] as SeatView[];

function told(player: number, ...winners: number[]): string {
	const happenings = winners.map((seat) => ({
		kind: "game-over",
		seat,
		message: plain("wins"),
		hexes: [],
		key: null,
		gold: 0,
	}));
	const line: LogLine = { ply: 9, turn: "9B", seat: player, move: ".", happenings };
	const over = { player, round: 9, over: true, prompt: plain("The game is over.") } as View;
	const announcement = new Announcement();
	announcement.announce({ lines: [line], jumped: false }, { ...over, over: false }, over, SEATS, [0], false);
	return announcement.words;
}

test("the last turn names those who win, not who played it", () => {
	expect(told(1, 0)).toBe("Anneliese wins. The game is over.");
	expect(told(1, 1)).toBe("Ben wins. The game is over.");
	expect(told(1, 0, 1)).toBe("Anneliese wins, Ben wins. The game is over.");
});
