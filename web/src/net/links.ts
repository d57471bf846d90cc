/** The address of a path of this page, to be given to others. */
export function linkTo(path: string): string {
	return `${location.origin}${location.pathname}#${path}`;
}

export const seatLink = (token: string): string => linkTo(`/seat/${encodeURIComponent(token)}`);

export const watchLink = (token: string): string => linkTo(`/watch/${encodeURIComponent(token)}`);

/** Whether the address of this page leads to it on this computer only. */
export function isOnlyHere(): boolean {
	return /^(localhost|127\.[\d.]+|\[::1\])$/.test(location.hostname);
}
