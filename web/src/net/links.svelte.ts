import type { AddressForOthers } from "../protocol";
import { addressForOthers } from "./api";

/** What the server says about its address; nothing until it has said so, or where this page's own address will do. */
class Reach {
	told = $state.raw<AddressForOthers>();
	#isAsked = false;

	/** Asks the server for an address that works on other devices, if that of this page does not. */
	learn(): void {
		if (this.#isAsked || !isOnlyHere()) return;
		this.#isAsked = true;
		addressForOthers().then(
			(told) => {
				this.told = told;
			},
			() => {
				this.#isAsked = false; // the links of this page's own address are better than none
			},
		);
	}
}

export const reach = new Reach();

/** The full address of a path of this page, to share with others. */
export function linkTo(path: string): string {
	return `${reach.told?.address ?? `${location.origin}${location.pathname}`}#${path}`;
}

export const seatLink = (token: string): string => linkTo(`/seat/${encodeURIComponent(token)}`);

export const watchLink = (token: string): string => linkTo(`/watch/${encodeURIComponent(token)}`);

/** The link with which people choose a free seat at a table. */
export const joinLink = (token: string): string => linkTo(`/join/${encodeURIComponent(token)}`);

/** The address of a table: whoever is known there, or everybody if it is open, needs no more. */
export const tableLink = (id: string): string => linkTo(`/table/${encodeURIComponent(id)}`);

/** Whether the address of this page works only on this computer. */
function isOnlyHere(): boolean {
	return /^(localhost|127\.[\d.]+|\[::1\])$/.test(location.hostname);
}
