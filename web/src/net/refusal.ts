import type { Message } from "../protocol";

/** A request or command that the server did not carry out; the code is `unreachable` if it did not answer at all. */
export class RefusalError extends Error {
	readonly code: string;
	/** Why, in the words of the server, if it said so. */
	readonly reason: Message | undefined;
	/** Where the fault is in a text that was sent, in characters from 0. */
	readonly offset: number | null;

	constructor(code: string, reason?: Message, offset: number | null = null) {
		super(reason?.text);
		this.name = "RefusalError";
		this.code = code;
		this.reason = reason;
		this.offset = offset;
	}

	/** Whether the server is only busy, or we ask for too much. */
	get isPassing(): boolean {
		return this.code === "too-fast" || this.code === "busy";
	}
}

const UNREADABLE = ["damaged", "newer", "outdated"] as const;

/** Whether a code says that the log of a table cannot be read to its end: what is before the fault can be read. */
export function isUnreadable(code: string): code is (typeof UNREADABLE)[number] {
	return (UNREADABLE as readonly string[]).includes(code);
}
