/**
 * Translates what the rules say in English by a table of phrases.
 *
 * A key of the table is a whole sentence or word, or a template with holes. What stands in a hole `{1}` is translated
 * too, or is a name that is the same in every language: a hex, a number, a seat's letter, something in quotes. A hole
 * `{=1}` takes any text as it is. Values have their holes as `{1}`, in any order.
 */
export type Translate = (english: string) => string;

const HOLE = /\{(=?)(\d)\}/;
const NAME = /^(?:[a-t](?:1?\d|20)|-?\d+|[A-E]|'[^']*'|"[^"]*")$/;
const REMEMBERED = 2000;

interface Template {
	pattern: RegExp;
	/** The characters of the template outside its holes: the more, the more telling it is. */
	fixed: number;
	takesAnything: boolean;
	holes: { number: string; verbatim: boolean }[];
	value: string;
}

export function makeTranslator(phrases: Record<string, string>): Translate {
	const exact = new Map(Object.entries(phrases).filter(([english]) => !HOLE.test(english)));
	const templates = Object.entries(phrases)
		.filter(([english]) => HOLE.test(english))
		.map(([english, value]) => compile(english, value))
		.sort((one, other) => Number(one.takesAnything) - Number(other.takesAnything) || other.fixed - one.fixed);
	const known = new Map<string, string | undefined>();

	/** The translation, or nothing if the text is not known. */
	function find(english: string): string | undefined {
		if (known.has(english)) return known.get(english);
		const found = exact.get(english) ?? fill(english);
		if (known.size >= REMEMBERED) known.clear();
		known.set(english, found);
		return found;
	}

	function fill(english: string): string | undefined {
		for (const template of templates) {
			const match = template.pattern.exec(english);
			const filled = match && fillHoles(template, match.slice(1));
			if (filled) return filled;
		}
		return undefined;
	}

	function fillHoles(template: Template, texts: string[]): string | undefined {
		const contents = new Map<string, string>();
		for (const [index, hole] of template.holes.entries()) {
			const text = texts[index] ?? "";
			const content = hole.verbatim || NAME.test(text) ? text : find(text);
			if (content === undefined) return undefined;
			contents.set(hole.number, content);
		}
		return template.value.replace(/\{(\d)\}/g, (_, number: string) => contents.get(number) ?? "");
	}

	return (english) => find(english) ?? english;
}

function compile(english: string, value: string): Template {
	const holes: Template["holes"] = [];
	let source = "";
	let fixed = 0;
	let rest = english;
	for (let hole = HOLE.exec(rest); hole; hole = HOLE.exec(rest)) {
		source += `${literal(rest.slice(0, hole.index))}(.+?)`;
		fixed += hole.index;
		holes.push({ number: hole[2] ?? "", verbatim: hole[1] === "=" });
		rest = rest.slice(hole.index + hole[0].length);
	}
	const pattern = new RegExp(`^${source}${literal(rest)}$`, "s");
	return { pattern, fixed: fixed + rest.length, takesAnything: holes.some((hole) => hole.verbatim), holes, value };
}

function literal(text: string): string {
	return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
