/** A piece of a topic: words, a drawn position, or what the catalogue says about printed things. */
export type Block =
	| { kind: "text"; text: string }
	| { kind: "list"; items: string[] }
	| { kind: "figure"; position: string; highlight: "legal" | string[]; caption: string }
	| { kind: "printed"; what: "locations" | "cards" | "tasks" | "nomads" | "pieces"; set: string };

export interface Topic {
	key: string;
	/** The box that the topic belongs to; null if it is always of use. */
	set: string | null;
	title: string;
	blocks: Block[];
}
