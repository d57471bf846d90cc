/** The clock of a seat in words: what is left, and when that changes next. All times are in milliseconds. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Below this, tenths of a second are shown. */
export const HURRY = 10 * SECOND;

/** What a page knows of the clock of a seat. */
export interface SeatClock {
	/** What was left at `since`; of a clock that does not run, what is left. */
	left: number;
	running: boolean;
	/** Since when it runs, by the server's clock. */
	since: number;
	/** How far the clock of this machine is ahead of the server's. */
	offset: number;
}

/** The same with what the seat had at the beginning of its turn. */
export interface TurnClock extends SeatClock {
	had: number;
}

/** What is left at a moment by the clock of this machine. A clock that was set back gives nothing back. */
export function leftAt({ left, running, since, offset }: SeatClock, now: number): number {
	const passed = running ? Math.max(0, now - offset - since) : 0;
	return Math.max(0, left - passed);
}

/** The smallest part that is shown: tenths at the end, then seconds, minutes with hours, hours with days. */
function stepOf(left: number): number {
	if (left < HURRY) return SECOND / 10;
	if (left < HOUR) return SECOND;
	return left < DAY ? MINUTE : HOUR;
}

/** How long what is shown stays true; null if it does not change any more. */
export function changesIn(clock: SeatClock, now: number): number | null {
	const left = leftAt(clock, now);
	const beyond = left % stepOf(left);
	if (!clock.running || left - beyond <= 0) return null;
	// Just below the next step: at the step itself the same is still shown. A start in the future has to come first.
	return Math.floor(beyond) + 1 + Math.max(0, clock.since + clock.offset - now);
}

/** What is left as a clock shows it, such as 4:32, 0:09.4, 5h 12m or 2d 3h; never more than there is. */
export function clockText(left: number, tag: string): string {
	return left < HURRY ? inMinutes(left, 1, tag) : timeText(left, tag);
}

/** A time as a clock shows it, without tenths: they matter only while a clock runs. */
export function timeText(time: number, tag: string): string {
	if (time >= DAY) return inUnits(time, [DAY, "day"], [HOUR, "hour"], tag);
	if (time >= HOUR) return inUnits(time, [HOUR, "hour"], [MINUTE, "minute"], tag);
	return inMinutes(time, 0, tag);
}

function inMinutes(left: number, digits: number, tag: string): string {
	const unit = 10 ** digits;
	const seconds = Math.floor((left % MINUTE) / (SECOND / unit)) / unit;
	const format = { minimumIntegerDigits: 2, minimumFractionDigits: digits, maximumFractionDigits: digits };
	return `${number(Math.floor(left / MINUTE), tag)}:${number(seconds, tag, format)}`;
}

type Unit = [length: number, name: "day" | "hour" | "minute"];

function inUnits(left: number, large: Unit, small: Unit, tag: string): string {
	const amounts = [Math.floor(left / large[0]), Math.floor((left % large[0]) / small[0])];
	return [large, small]
		.map(([, unit], place) => number(amounts[place] ?? 0, tag, { style: "unit", unit, unitDisplay: "narrow" }))
		.join(" ");
}

function number(n: number, tag: string, format: Intl.NumberFormatOptions = {}): string {
	return new Intl.NumberFormat(tag, format).format(n);
}

/** Whether it is time to hurry: less than a fifth of the turn's time is left, or less than ten seconds. */
export function isShort(left: number, had: number): boolean {
	return left < HURRY || left * 5 < had;
}
