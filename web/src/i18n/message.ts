/** A sentence of the server: the English template is the key of its translations. */
export interface Message {
	template: string;
	arguments?: Record<string, Argument>;
	/** The English. */
	text: string;
}

export type Argument =
	| { kind: "hex"; hex: string }
	| { kind: "component"; key: string }
	| { kind: "piece"; key: string }
	| { kind: "terrain"; letter: string }
	| { kind: "seat"; seat: number }
	| { kind: "number"; number: number }
	| { kind: "text"; text: string }
	| { kind: "message"; message: Message }
	| { kind: "list"; items: Argument[]; joined: "and" | "or" };
