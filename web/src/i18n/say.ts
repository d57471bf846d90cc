import { isHexName } from "../board/hexes";
import { nameIn } from "../net/catalogue.svelte";
import { currentLocale } from "./index.svelte";
import { ENGLISH, type Locale } from "./locales";
import type { Argument, Message } from "./message";
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

function render(message: Message, faces: Faces, locale: Locale): string {
	const translation = locale.messages[message.template];
	if (translation !== undefined) return fillMessage(translation, message, faces, locale);
	return faces.length > 0 && namesSeat(message) ? fillMessage(message.template, message, faces, ENGLISH) : message.text;
}

function fillMessage(template: string, message: Message, faces: Faces, locale: Locale): string {
	return fill(template, locale.grammar, (name, form) => {
		const argument = message.arguments?.[name];
		return argument && argumentWords(argument, form, faces, locale);
	});
}

function argumentWords(argument: Argument, form: string | undefined, faces: Faces, locale: Locale): string | number {
	switch (argument.kind) {
		case "hex":
			return argument.hex;
		case "component":
			return nameIn(locale.names, "components", argument.key, form);
		case "piece":
			return nameIn(locale.names, "pieces", argument.key, form);
		case "terrain":
			return nameIn(locale.names, "terrains", argument.letter, form);
		case "seat":
			return seatName(faces, argument.seat);
		case "number":
			return argument.number;
		case "text":
			return argument.text;
		case "message":
			return render(argument.message, faces, locale);
		case "list": {
			const items = argument.items.map((item) => String(argumentWords(item, form, faces, locale)));
			return locale.grammar.list(items, argument.joined);
		}
	}
}

/** Whether a seat stands in a message, or in one inside it. */
function namesSeat(message: Message): boolean {
	return Object.values(message.arguments ?? {}).some(isSeat);
}

function isSeat(argument: Argument): boolean {
	if (argument.kind === "message") return namesSeat(argument.message);
	return argument.kind === "list" ? argument.items.some(isSeat) : argument.kind === "seat";
}
