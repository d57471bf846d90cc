/**
 * Passkeys: the browser's side. The server sends options as JSON, and gets the answer as the text of a JSON object.
 * Both have bytes as base64url, which older browsers cannot read and write themselves.
 */

export type CreationOptions = Omit<PublicKeyCredentialCreationOptionsJSON, "extensions">;
export type RequestOptions = Omit<PublicKeyCredentialRequestOptionsJSON, "extensions">;

/** What became of a question: the answer for the server, or why there is none. */
export type Outcome = { answer: string } | { why: "cancelled" | "known" | "failed" };

/** How long a page waits with one challenge, in milliseconds; the server forgets a challenge after five minutes. */
const FRESH = 4 * 60_000;

/** The question that is open: browsers take one at a time. */
let asking: AbortController | undefined;

/** Whether this browser knows passkeys, at an address where they work. */
export function hasPasskeys(): boolean {
	return window.isSecureContext && "PublicKeyCredential" in window && "credentials" in navigator;
}

/** Whether this browser can offer passkeys in a field for the name, before anybody asks. */
export async function hasOffers(): Promise<boolean> {
	if (!hasPasskeys()) return false;
	try {
		return (await PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false;
	} catch {
		return false;
	}
}

/** Asks for a new passkey. */
export function makePasskey(options: CreationOptions): Promise<Outcome> {
	return ask((signal) => navigator.credentials.create({ publicKey: creationOptions(options), signal }));
}

/** Asks for a passkey to sign in with. */
export function askForPasskey(options: RequestOptions): Promise<Outcome> {
	return ask((signal) => navigator.credentials.get({ publicKey: requestOptions(options), signal }));
}

/**
 * Offers passkeys in the field with `autocomplete="username webauthn"` until somebody takes one, another question is
 * asked or `until` is aborted. `fresh` gets options from the server, again and again, since a challenge grows old; if it
 * fails, so does the offer.
 */
export async function offerPasskeys(fresh: () => Promise<RequestOptions>, until: AbortSignal): Promise<Outcome> {
	while (!until.aborted) {
		const publicKey = requestOptions(await fresh());
		if (until.aborted || asking) break;
		let isOld = false;
		let timer: ReturnType<typeof setTimeout> | undefined;
		const outcome = await ask((signal, stop) => {
			timer = setTimeout(() => {
				isOld = true;
				stop();
			}, FRESH);
			until.addEventListener("abort", stop, { signal });
			return navigator.credentials.get({ publicKey, signal, mediation: "conditional" });
		});
		clearTimeout(timer);
		if (!isOld || "answer" in outcome) return outcome;
	}
	return { why: "cancelled" };
}

type Question = (signal: AbortSignal, stop: () => void) => Promise<Credential | null>;

async function ask(question: Question): Promise<Outcome> {
	asking?.abort();
	const own = new AbortController();
	asking = own;
	try {
		const credential = await question(own.signal, () => own.abort());
		return credential ? { answer: answerOf(credential as PublicKeyCredential) } : { why: "cancelled" };
	} catch (error) {
		return { why: reasonOf(error) };
	} finally {
		if (asking === own) asking = undefined;
	}
}

/** Browsers say little on purpose: whoever cancels, and whoever has no passkey, look the same to a page. */
function reasonOf(error: unknown): "cancelled" | "known" | "failed" {
	const name = error instanceof Error || error instanceof DOMException ? error.name : "";
	if (name === "NotAllowedError" || name === "AbortError") return "cancelled";
	return name === "InvalidStateError" ? "known" : "failed";
}

/** The options of a new passkey as the browser takes them. */
export function creationOptions(options: CreationOptions): PublicKeyCredentialCreationOptions {
	if (typeof PublicKeyCredential.parseCreationOptionsFromJSON === "function") {
		return PublicKeyCredential.parseCreationOptionsFromJSON(options);
	}
	const { challenge, user, excludeCredentials, ...rest } = options;
	return {
		...rest,
		challenge: bytesOf(challenge),
		user: { ...user, id: bytesOf(user.id) },
		excludeCredentials: (excludeCredentials ?? []).map(descriptor),
	} as PublicKeyCredentialCreationOptions;
}

/** The options of a sign-in as the browser takes them. */
export function requestOptions(options: RequestOptions): PublicKeyCredentialRequestOptions {
	if (typeof PublicKeyCredential.parseRequestOptionsFromJSON === "function") {
		return PublicKeyCredential.parseRequestOptionsFromJSON(options);
	}
	const { challenge, allowCredentials, ...rest } = options;
	return {
		...rest,
		challenge: bytesOf(challenge),
		allowCredentials: (allowCredentials ?? []).map(descriptor),
	} as PublicKeyCredentialRequestOptions;
}

function descriptor(each: PublicKeyCredentialDescriptorJSON): PublicKeyCredentialDescriptor {
	return { ...each, id: bytesOf(each.id) } as PublicKeyCredentialDescriptor;
}

/** The answer for the server. */
export function answerOf(credential: PublicKeyCredential): string {
	try {
		return JSON.stringify(credential.toJSON());
	} catch {
		// Older browsers do not have it, and with some password managers it fails.
	}
	const response: Record<string, string> = {};
	for (const part of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]) {
		const bytes: unknown = Reflect.get(credential.response, part);
		if (bytes) response[part] = textOf(bytes as ArrayBuffer);
	}
	const id = textOf(credential.rawId);
	return JSON.stringify({ id, rawId: id, type: credential.type, response });
}

/** The bytes of a text in base64url. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
	const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
	return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

/** Bytes as a text in base64url, without padding. */
export function textOf(buffer: ArrayBuffer): string {
	const binary = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join("");
	return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
