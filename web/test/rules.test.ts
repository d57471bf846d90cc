import { describe, expect, test } from "vitest";
import { type Block, loadRules, type Topic } from "../src/i18n/locales";
import { filesOf, LOCALES, OTHERS } from "./locales";

const { rules: english } = filesOf("en");

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

test.each(OTHERS)("the rules have the same topics, blocks and figures in English and in %s", (_, { rules }) => {
	const skeleton = (topics: Topic[]) => topics.map(({ key, set, blocks }) => ({ key, set, blocks: blocks.map(bones) }));
	expect(skeleton(rules)).toEqual(skeleton(english));
});

test("every box has a topic, and every topic a key of its own", () => {
	expect(new Set(english.map((topic) => topic.key)).size).toBe(english.length);
	const sets = english.map((topic) => topic.set ?? "base");
	expect(new Set(sets)).toEqual(new Set(SETS));
	const printed = english.flatMap((topic) => topic.blocks).filter((block) => block.kind === "printed");
	for (const block of printed) expect(SETS).toContain(block.set);
});

test.each(LOCALES)("the rules are found in %s", async (code, { rules }) => {
	expect(await loadRules(code)).toEqual(rules);
});

test("a language without rules has the English ones", async () => {
	expect(await loadRules("xx")).toEqual(english);
});

describe.each(LOCALES)("the tone in %s", (_, { rules, parts }) => {
	test.each([...rules.flatMap(words), ...Object.values(parts.lessons ?? {})])("%s", (text) => {
		expect(text).not.toMatch(/!|\s{2}|^\s|\s$|^$/);
	});
});

test.each(OTHERS)("the rules in %s are not the same as in English, but for names", (_, { rules }) => {
	const own = rules.flatMap(words);
	const both = english.flatMap(words).filter((text, at) => text === own[at]);
	expect(both.filter((text) => !/^\p{L}+$/u.test(text))).toEqual([]);
	expect(both.length).toBeLessThan(4);
});
