/** The full address of a path of this page, to share with others. */
export function linkTo(path: string): string {
	return `${location.origin}${location.pathname}#${path}`;
}

export const seatLink = (token: string): string => linkTo(`/seat/${encodeURIComponent(token)}`);

export const watchLink = (token: string): string => linkTo(`/watch/${encodeURIComponent(token)}`);

/** Whether the address of this page works only on this computer. */
export function isOnlyHere(): boolean {
	return /^(localhost|127\.[\d.]+|\[::1\])$/.test(location.hostname);
}
