import { expect, test } from "vitest";
import type { SeatView, View } from "../src/protocol";
import { promptOf } from "../src/table/turn";

const SEATS = [
	{ name: "Anna", kind: "person" },
	{ name: "", kind: "bot" },
] as SeatView[];

function view(more: Partial<View>): View {
	const prompt: View["prompt"] = {
		template: "Sword: choose a piece of {seat} to remove.",
		arguments: { seat: ["seat", 0] },
		text: "Sword: choose a piece of seat A to remove.",
	};
	return { player: 0, over: false, prompt, ...more } as View;
}

test("who is in turn reads what to do, with the names of the people", () => {
	expect(promptOf(view({}), SEATS, true)).toBe("Sword: choose a piece of Anna to remove.");
});

test("all others read whom they wait for", () => {
	expect(promptOf(view({}), SEATS, false)).toBe("Waiting for Anna.");
	expect(promptOf(view({ player: 1 }), SEATS, false)).toBe("Player B is thinking.");
});

test("the end of the game is for everybody", () => {
	const prompt = { template: "The game is over.", arguments: {}, text: "The game is over." };
	expect(promptOf(view({ over: true, prompt }), SEATS, false)).toBe("The game is over.");
});
