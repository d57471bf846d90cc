/** The account of the person at this device: what the server is asked. */

import { currentLocale } from "../i18n/index.svelte";
import { change, get, getFile, post } from "../net/api";
import { all, forget } from "../net/keyring";
import type { Account, CodeMailed, CodeRequest, Me, NewCodes, SignOut } from "../protocol";
import { myself } from "./me.svelte";
import type { CreationOptions, RequestOptions } from "./passkey";

export const getAccount = (): Promise<Account> => get("me/account");

/** Sends a change; the page knows at once who is at this device now. */
async function send(path: string, body: unknown): Promise<Me> {
	const me = await post<Me>(`me/${path}`, body);
	myself.take(me);
	return me;
}

export const rename = (name: string): Promise<Me> => send("about", { name, language: currentLocale().code });

export const passkeyOptions = (): Promise<CreationOptions> => post("me/passkeys/options", {});
export const addPasskey = (answer: string): Promise<Me> => send("passkeys", { answer });
export const removePasskey = (id: string): Promise<Me> => send("passkeys/remove", { id });

export const signInOptions = (): Promise<RequestOptions> => post("me/sign-in/options", {});
export const signInByPasskey = (answer: string): Promise<Me> => send("sign-in/passkey", { answer });
export const signInByCode = (code: string): Promise<Me> => send("sign-in/code", { code });

export const makeCodes = (): Promise<NewCodes> => post("me/codes", {});

export const mailCode = (address: string, purpose: CodeRequest["purpose"]): Promise<CodeMailed> =>
	post("me/mail", { address, purpose, language: currentLocale().code });
export const confirmCode = (code: string): Promise<Me> => send("mail/confirm", { code });
export const removeAddress = (): Promise<Me> => send("mail/remove", {});

/** Signs devices out; if it is this one, somebody new is here afterwards. */
export async function signOut(wish: SignOut): Promise<void> {
	await post("me/sign-out", wish);
	await myself.askAgain();
}

/** Takes the links of games off this device; those of lessons stay, since they belong to nobody. */
export function forgetLinks(): void {
	for (const { id, lesson } of all()) if (lesson === undefined) forget(id);
}

export const exportFile = (): Promise<Blob> => getFile("me/export");

export async function deleteMe(): Promise<void> {
	await change("DELETE", "me", { confirmed: true });
	await myself.askAgain();
}
