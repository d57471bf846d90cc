import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
	answerOf,
	askForPasskey,
	bytesOf,
	creationOptions,
	hasOffers,
	hasPasskeys,
	makePasskey,
	offerPasskeys,
	requestOptions,
	textOf,
} from "../src/people/passkey";

const REQUEST = { challenge: "-_8", rpId: "localhost", userVerification: "preferred", allowCredentials: [] };
const CREATION = {
	challenge: "-_8",
	rp: { id: "localhost", name: "Kingdom Builder" },
	user: { id: "AQI", name: "Ann", displayName: "Ann" },
	pubKeyCredParams: [{ type: "public-key" as const, alg: -7 }],
	excludeCredentials: [{ id: "Aw", type: "public-key" }],
};

const buffer = (...bytes: number[]): ArrayBuffer => new Uint8Array(bytes).buffer;

/** What a browser without `toJSON` hands out. */
function credential(response: Record<string, ArrayBuffer | null>): PublicKeyCredential {
	return { rawId: buffer(251, 255), id: "-_8", type: "public-key", response } as unknown as PublicKeyCredential;
}

const SIGNED = credential({
	clientDataJSON: buffer(1),
	authenticatorData: buffer(2),
	signature: buffer(3),
	userHandle: null,
});

type Get = (options: CredentialRequestOptions) => Promise<unknown>;

function browser(get: Get, create: Get = get, statics: object = {}): void {
	vi.stubGlobal("isSecureContext", true);
	vi.stubGlobal("PublicKeyCredential", statics);
	Object.defineProperty(navigator, "credentials", { value: { get, create }, configurable: true });
}

/** A question that nobody answers: it ends when it is called off. */
const silence = vi.fn<Get>(
	({ signal }) =>
		new Promise((_, reject) => {
			signal?.addEventListener("abort", () => reject(new DOMException("called off", "AbortError")));
		}),
);

beforeEach(() => {
	silence.mockClear();
	browser(silence);
});

afterEach(() => {
	vi.useRealTimers();
	vi.unstubAllGlobals();
	Reflect.deleteProperty(navigator, "credentials");
});

describe("bytes as text", () => {
	test("come back as they were, whatever they are and however many", () => {
		for (let length = 0; length < 70; length++) {
			const bytes = Uint8Array.from({ length }, (_, at) => (at * 89 + length * 31) % 256);
			const text = textOf(bytes.buffer);
			expect(text).toMatch(/^[\w-]*$/);
			expect(bytesOf(text)).toEqual(bytes);
			expect(text).toBe(Buffer.from(bytes).toString("base64url"));
		}
	});

	test("may be large", () => {
		const bytes = new Uint8Array(200_000).fill(255);
		const back = bytesOf(textOf(bytes.buffer));
		expect(back.length).toBe(bytes.length);
		expect(back.every((byte) => byte === 255)).toBe(true);
	});
});

describe("options", () => {
	test("of a new passkey get their bytes", () => {
		const options = creationOptions(CREATION);
		expect(options.challenge).toEqual(new Uint8Array([251, 255]));
		expect(options.user).toEqual({ ...CREATION.user, id: new Uint8Array([1, 2]) });
		expect(options.excludeCredentials).toEqual([{ id: new Uint8Array([3]), type: "public-key" }]);
		expect(options.rp).toEqual(CREATION.rp);
		expect(options.pubKeyCredParams).toEqual(CREATION.pubKeyCredParams);
	});

	test("of a sign-in get their bytes", () => {
		expect(requestOptions(REQUEST)).toEqual({ ...REQUEST, challenge: new Uint8Array([251, 255]) });
		expect(requestOptions({ challenge: "AQ" }).allowCredentials).toEqual([]);
	});

	test("are left to a browser that can read them", () => {
		const parseCreationOptionsFromJSON = vi.fn(() => "created");
		const parseRequestOptionsFromJSON = vi.fn(() => "requested");
		browser(silence, silence, { parseCreationOptionsFromJSON, parseRequestOptionsFromJSON });
		expect([creationOptions(CREATION), requestOptions(REQUEST)]).toEqual(["created", "requested"]);
		expect(parseCreationOptionsFromJSON).toHaveBeenCalledWith(CREATION);
		expect(parseRequestOptionsFromJSON).toHaveBeenCalledWith(REQUEST);
	});
});

describe("an answer", () => {
	test("has the parts that there are", () => {
		const ids = { id: "-_8", rawId: "-_8", type: "public-key" };
		const signed = { clientDataJSON: "AQ", authenticatorData: "Ag", signature: "Aw" };
		expect(JSON.parse(answerOf(SIGNED))).toEqual({ ...ids, response: signed });
		const made = credential({ clientDataJSON: buffer(1), attestationObject: buffer(2) });
		expect(JSON.parse(answerOf(made))).toEqual({
			...ids,
			response: { clientDataJSON: "AQ", attestationObject: "Ag" },
		});
	});

	test("is the browser's own where it works", () => {
		expect(answerOf({ ...SIGNED, toJSON: () => ({ own: true }) } as unknown as PublicKeyCredential)).toBe(
			'{"own":true}',
		);
		const broken = () => {
			throw new TypeError("Illegal invocation");
		};
		expect(answerOf({ ...SIGNED, toJSON: broken } as unknown as PublicKeyCredential)).toBe(answerOf(SIGNED));
	});
});

describe("a browser", () => {
	test("has passkeys only at a safe address", async () => {
		expect(hasPasskeys()).toBe(true);
		vi.stubGlobal("isSecureContext", false);
		expect(hasPasskeys()).toBe(false);
		expect(await hasOffers()).toBe(false);
	});

	test("may not know passkeys at all", () => {
		vi.unstubAllGlobals();
		vi.stubGlobal("isSecureContext", true);
		expect(hasPasskeys()).toBe(false);
	});

	test("offers passkeys only if it says so", async () => {
		expect(await hasOffers()).toBe(false);
		for (const says of [true, false]) {
			browser(silence, silence, { isConditionalMediationAvailable: async () => says });
			expect(await hasOffers()).toBe(says);
		}
		browser(silence, silence, { isConditionalMediationAvailable: () => Promise.reject(new Error()) });
		expect(await hasOffers()).toBe(false);
	});
});

describe("a question", () => {
	test("is answered", async () => {
		browser(async () => SIGNED);
		expect(await askForPasskey(REQUEST)).toEqual({ answer: answerOf(SIGNED) });
		expect(await makePasskey(CREATION)).toEqual({ answer: answerOf(SIGNED) });
	});

	test.each([
		["NotAllowedError", "cancelled"],
		["AbortError", "cancelled"],
		["InvalidStateError", "known"],
		["SecurityError", "failed"],
	])("that ends with %s is %s", async (name, why) => {
		browser(() => Promise.reject(new DOMException("", name)));
		expect(await makePasskey(CREATION)).toEqual({ why });
	});

	test("calls off the one before", async () => {
		const first = askForPasskey(REQUEST);
		browser(async () => SIGNED);
		expect(await askForPasskey(REQUEST)).toHaveProperty("answer");
		expect(await first).toEqual({ why: "cancelled" });
	});
});

describe("an offer", () => {
	const fresh = vi.fn(async () => REQUEST);

	beforeEach(() => {
		vi.useFakeTimers();
		fresh.mockClear();
	});

	test("waits with a fresh challenge for as long as the page is open", async () => {
		const closing = new AbortController();
		const offer = offerPasskeys(fresh, closing.signal);
		await vi.advanceTimersByTimeAsync(13 * 60_000);
		expect(fresh).toHaveBeenCalledTimes(4);
		expect(silence.mock.calls.map(([options]) => options.mediation)).toEqual(Array(4).fill("conditional"));
		closing.abort();
		expect(await offer).toEqual({ why: "cancelled" });
		expect(vi.getTimerCount()).toBe(0);
	});

	test("is taken", async () => {
		browser(async () => SIGNED);
		expect(await offerPasskeys(fresh, new AbortController().signal)).toEqual({ answer: answerOf(SIGNED) });
		expect(vi.getTimerCount()).toBe(0);
	});

	test("ends when somebody presses the button instead", async () => {
		const offer = offerPasskeys(fresh, new AbortController().signal);
		await vi.advanceTimersByTimeAsync(1);
		browser(async () => SIGNED);
		expect(await askForPasskey(REQUEST)).toHaveProperty("answer");
		expect(await offer).toEqual({ why: "cancelled" });
		await vi.advanceTimersByTimeAsync(10 * 60_000);
		expect(fresh).toHaveBeenCalledTimes(1);
	});

	test("does not call off a question that was asked while the options were on their way", async () => {
		const offer = offerPasskeys(fresh, new AbortController().signal);
		const question = askForPasskey(REQUEST);
		expect(await offer).toEqual({ why: "cancelled" });
		expect(silence.mock.calls.map(([options]) => options.signal?.aborted)).toEqual([false]);
		browser(async () => SIGNED);
		await askForPasskey(REQUEST);
		expect(await question).toEqual({ why: "cancelled" });
	});

	test("is not made for a page that closed while the options were on their way", async () => {
		const closing = new AbortController();
		const offer = offerPasskeys(fresh, closing.signal);
		closing.abort();
		expect(await offer).toEqual({ why: "cancelled" });
		expect(silence).not.toHaveBeenCalled();
	});
});
