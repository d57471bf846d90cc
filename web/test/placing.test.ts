import { expect, test } from "vitest";
import type { Box } from "../src/board/hexes";
import { placeBeside } from "../src/game/placing";

/** Numbers from 0 to 1 that are the same in every run. */
function* numbers(): Generator<number> {
	for (let seed = 1; ; seed = (seed * 48271) % 2147483647) yield seed / 2147483647;
}

function overlap(a: Box, b: Box): boolean {
	return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

test("a card is inside the window and never on what it belongs to", () => {
	const next = numbers();
	const random = (least: number, most: number) => least + (next.next().value ?? 0) * (most - least);
	for (let i = 0; i < 5000; i++) {
		const window = { width: random(360, 2000), height: random(360, 1200) };
		const hex = random(10, 90);
		const anchor = { x: random(0, window.width - hex), y: random(0, window.height - hex), width: hex, height: hex };
		const card = { width: Math.min(320, window.width - 16), height: random(30, 700) };
		const { x, y, maxHeight } = placeBeside(anchor, card, window);
		const box = { x, y, width: card.width, height: Math.min(card.height, maxHeight) };
		const about = JSON.stringify({ window, anchor, card, box });
		expect(box.x >= 0 && box.x + box.width <= window.width + 0.001, about).toBe(true);
		expect(box.y >= 0 && box.y + box.height <= window.height + 0.001, about).toBe(true);
		expect(overlap(anchor, box), about).toBe(false);
		expect(box.height, about).toBeGreaterThan(Math.min(card.height, 100) - 1);
	}
});
