import { isHexName } from "../board/hexes";
import { nameIn } from "../net/catalogue.svelte";
import type { Argument, Message } from "../protocol";
import { currentLocale } from "./index.svelte";
import { ENGLISH, type Locale } from "./locales";
import { type Face, seatName } from "./people";
import { fill } from "./template";

type Faces = readonly Pick<Face, "name">[];

/** A message of the server in the language of the page, with the names of the people at the seats. */
export function say(message: Message, faces: Faces = []): string {
	return render(message, faces, currentLocale());
}

/** A message as a sentence: with a full stop, and with a capital letter unless it begins with the name of a hex. */
export function saySentence(message: Message, faces: Faces = []): string {
	return asSentence(say(message, faces));
}

export function asSentence(words: string): string {
	const [first = ""] = words.split(/[\s,:;.]/, 1);
	const begun = isHexName(first) ? words : words.charAt(0).toLocaleUpperCase(currentLocale().tag) + words.slice(1);
	return /[.?!…]$/.test(begun) ? begun : `${begun}.`;
}

/** A message about one hex, said of several. */
export function withHexes(message: Message, hexes: readonly string[]): Message {
	const list: Argument = ["and", hexes.map((hex) => ["hex", hex])];
	const those = Object.entries(message.arguments).map(([name, value]) => [name, value[0] === "hex" ? list : value]);
	const joined: Message = { ...message, arguments: Object.fromEntries(those) };
	return { ...joined, text: fillMessage(message.template, joined, [], ENGLISH) };
}

function render(message: Message, faces: Faces, locale: Locale): string {
	const translation = locale.messages[message.template];
	if (translation !== undefined) return fillMessage(translation, message, faces, locale);
	return faces.length > 0 && namesSeat(message) ? fillMessage(message.template, message, faces, ENGLISH) : message.text;
}

function fillMessage(template: string, message: Message, faces: Faces, locale: Locale): string {
	return fill(template, locale.grammar, (name, form) => {
		const argument = message.arguments[name];
		return argument && argumentWords(argument, form, faces, locale);
	});
}

/** What fills the holes of a text of the page, from the arguments that the server sends with it. */
export function holesOf(given: Readonly<Record<string, Argument>>): Record<string, string | number> {
	const words = Object.entries(given).map(([name, argument]) => [
		name,
		argumentWords(argument, undefined, [], currentLocale()),
	]);
	return Object.fromEntries(words);
}

function argumentWords(argument: Argument, form: string | undefined, faces: Faces, locale: Locale): string | number {
	const [kind, value] = argument;
	switch (kind) {
		case "hex":
		case "text":
		case "number":
			return value;
		case "component":
			return nameIn(locale.names, "components", value, form);
		case "piece":
			return nameIn(locale.names, "pieces", value, form);
		case "terrain":
			return nameIn(locale.names, "terrains", value, form);
		case "seat":
			return seatName(faces, value);
		case "message":
			return render(value, faces, locale);
		case "and":
		case "or":
			return locale.grammar.list(
				value.map((item) => String(argumentWords(item, form, faces, locale))),
				kind,
			);
	}
}

/** Whether a message, or one inside it, names a seat. */
function namesSeat(message: Message): boolean {
	return Object.values(message.arguments).some(isSeat);
}

function isSeat([kind, value]: Argument): boolean {
	if (kind === "message") return namesSeat(value);
	return kind === "and" || kind === "or" ? value.some(isSeat) : kind === "seat";
}
