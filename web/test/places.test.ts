import { expect, test } from "vitest";
import { placeInText } from "../src/pages/places";

const marked = (text: string, offset: number) => {
	const { before, character, after } = placeInText(text, offset);
	return `${before}>${character}<${after}`;
};

test("lines and columns count from 1", () => {
	expect(placeInText("one\ntwo", 0)).toMatchObject({ line: 1, column: 1 });
	expect(placeInText("one\ntwo", 5)).toMatchObject({ line: 2, column: 2 });
});

test("the excerpt is the line with the place", () => {
	expect(marked("one\ntwo\nthree", 5)).toBe("t>w<o");
});

test("the end of the text and of a line are places too", () => {
	expect(marked("one\ntwo", 7)).toBe("two><");
	expect(marked("one\ntwo", 3)).toBe("one><");
	expect(marked("", 0)).toBe("><");
});

test("of a long line only the surroundings are shown", () => {
	const { before, character, after } = placeInText(`${"a".repeat(500)}X${"b".repeat(500)}`, 500);
	expect(before).toMatch(/^…a{10,60}$/);
	expect(character).toBe("X");
	expect(after).toMatch(/^b{10,60}…$/);
});

test("characters beyond the basic plane count once", () => {
	expect(placeInText("🏰🏰X", 2)).toMatchObject({ column: 3 });
	expect(marked("🏰X🏰", 1)).toBe("🏰>X<🏰");
});
