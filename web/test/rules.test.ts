import { describe, expect, test } from "vitest";
import { rules as german } from "../src/rules/de";
import { rules as english } from "../src/rules/en";
import type { Block, Topic } from "../src/rules/types";
import { steps as germanSteps } from "../src/rules/walkthrough.de";
import { steps as englishSteps } from "../src/rules/walkthrough.en";

const SETS = ["base", "nomads", "crossroads", "harvest", "capitol", "caves"];

/** What of a block does not depend on the language. */
function bones(block: Block): unknown {
	if (block.kind === "list") return { kind: block.kind, items: block.items.length };
	if (block.kind === "figure") return { ...block, caption: "" };
	return block.kind === "text" ? { kind: block.kind } : block;
}

function words(topic: Topic): string[] {
	const said = topic.blocks.flatMap((block) => {
		if (block.kind === "text") return [block.text];
		if (block.kind === "figure") return [block.caption];
		return block.kind === "list" ? block.items : [];
	});
	return [topic.title, ...said];
}

test("the rules have the same topics, blocks and figures in both languages", () => {
	const skeleton = (rules: Topic[]) => rules.map(({ key, set, blocks }) => ({ key, set, blocks: blocks.map(bones) }));
	expect(skeleton(german)).toEqual(skeleton(english));
});

test("every box has a topic, and every topic a key of its own", () => {
	expect(new Set(english.map((topic) => topic.key)).size).toBe(english.length);
	const sets = english.map((topic) => topic.set ?? "base");
	expect(new Set(sets)).toEqual(new Set(SETS));
	const printed = english.flatMap((topic) => topic.blocks).filter((block) => block.kind === "printed");
	for (const block of printed) expect(SETS).toContain(block.set);
});

test("the walkthrough has the same steps in both languages", () => {
	const keys =
		"welcome card build-first adjacency build-rest locations tile scoring end-turn opponent second-turn freedom done";
	expect(englishSteps.map((step) => step.key)).toEqual(keys.split(" "));
	expect(germanSteps.map((step) => step.key)).toEqual(keys.split(" "));
});

describe("the tone", () => {
	const said = [...english, ...german].flatMap(words);
	const all = [...said, ...englishSteps.map((step) => step.text), ...germanSteps.map((step) => step.text)];

	test.each(all)("%s", (text) => {
		expect(text).not.toMatch(/!|\s{2}|^\s|\s$|^$/);
	});

	test("is not the same in both languages, but for names", () => {
		const both = english.flatMap(words).filter((text, at) => text === german.flatMap(words)[at]);
		expect(both).toEqual(["Gold"]);
	});
});
