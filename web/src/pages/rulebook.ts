import type { Block, Topic } from "../i18n/locales";
import { loaded, nameOf, textOf } from "../net/catalogue.svelte";
import type { ComponentInfo } from "../protocol";

type PrintedBlock = Extract<Block, { kind: "printed" }>;

const KINDS: Record<PrintedBlock["what"], ComponentInfo["kind"]> = {
	locations: "location",
	cards: "card",
	tasks: "task",
	nomads: "nomad",
	pieces: "always",
};

/** The components that a block shows. */
export function thingsOf(block: PrintedBlock): ComponentInfo[] {
	return loaded().components.filter(({ kind, set }) => kind === KINDS[block.what] && set === block.set);
}

function wordsOf(query: string): string[] {
	return query.toLowerCase().split(/\s+/).filter(Boolean);
}

function hasAll(text: string, words: string[]): boolean {
	const lower = text.toLowerCase();
	return words.every((word) => lower.includes(word));
}

function textOfBlock(block: Block): string {
	switch (block.kind) {
		case "text":
			return block.text;
		case "list":
			return block.items.join(" ");
		case "figure":
			return block.caption;
		case "printed":
			return "";
	}
}

export function thingMatches(thing: ComponentInfo, query: string): boolean {
	return hasAll(`${nameOf(thing.key)} ${textOf(thing.key)}`, wordsOf(query));
}

/** Whether the words of a topic itself have all words of the query. */
export function wordsMatch(topic: Topic, query: string): boolean {
	return hasAll([topic.title, ...topic.blocks.map(textOfBlock)].join(" "), wordsOf(query));
}

/** Whether a topic shows a component. */
export function hasEntry(topic: Topic, key: string): boolean {
	return topic.blocks.some((block) => block.kind === "printed" && thingsOf(block).some((thing) => thing.key === key));
}

export function topicMatches(topic: Topic, query: string): boolean {
	const hasThing = (block: Block) =>
		block.kind === "printed" && thingsOf(block).some((thing) => thingMatches(thing, query));
	return wordsMatch(topic, query) || topic.blocks.some(hasThing);
}
