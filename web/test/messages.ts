/** Messages of the server, for tests. */

import type { Message, Refusal, Refused } from "../src/protocol";

/** A message without holes. */
export function plain(text: string): Message {
	return { template: text, arguments: {}, text };
}

export function refusal(code: string, text: string): Refusal {
	return { code, message: plain(text), offset: null };
}

export function refused(id: string, code: string, text: string): Refused {
	return { type: "refused", id, refusal: refusal(code, text) };
}
