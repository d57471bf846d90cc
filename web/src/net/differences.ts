import type { ClockView, Difference, Edit, LogLine, Update, View, Welcome } from "../protocol";

type Fields = Record<string, unknown>;

/** The new value, from the old one and a difference as `server/differences.py` makes it; the old one stays as it is. */
export function apply(old: unknown, edit: Edit): unknown {
	if (!Array.isArray(edit)) return edit !== null && typeof edit === "object" ? edit.is : edit;
	if (!Array.isArray(old)) return editedObject(old as Fields, edit);
	const [gone, ...rest] = edit;
	return Array.isArray(gone) ? shifted(old, gone, rest) : replaced(old, edit);
}

function editedObject(old: Fields, edit: Edit[]): Fields {
	const keys = Object.keys(old);
	const edited = { ...old };
	for (const [place, change] of pairs(edit)) {
		const key = typeof place === "string" ? place : (keys[place as number] as string);
		edited[key] = apply(old[key], change);
	}
	return edited;
}

function replaced(old: unknown[], edit: Edit[]): unknown[] {
	const edited = [...old];
	for (const [place, change] of pairs(edit)) edited[place as number] = apply(old[place as number], change);
	return edited;
}

function shifted(old: unknown[], gone: Edit[], came: Edit[]): unknown[] {
	const edited = old.filter((_, place) => !gone.includes(place));
	for (const [place, value] of pairs(came)) edited.splice(place as number, 0, value);
	return edited;
}

function* pairs(flat: Edit[]): Generator<[Edit, Edit]> {
	for (let i = 0; i + 1 < flat.length; i += 2) yield [flat[i] as Edit, flat[i + 1] as Edit];
}

/** A line with another move, also wherever else its move is a part of a text. */
export function withMove(line: LogLine, move: string): LogLine {
	return JSON.parse(JSON.stringify(line), (_, value) =>
		typeof value === "string" ? value.replaceAll(line.move, () => move) : value,
	);
}

/** What the server has sent of a game, so that it need send only what changes. */
export class Held {
	private version = 0;
	private view: View | undefined;
	private lines: LogLine[] = [];
	private clock: ClockView | null = null;

	take(message: Welcome | Update): void {
		const kept = message.type === "update" ? this.lines.filter(({ ply }) => ply <= message.since) : [];
		this.version = message.version;
		this.view = message.view;
		this.lines = [...kept, ...message.lines];
		this.clock = message.clock;
	}

	/** A difference as an update. Throws an error if it is not one to what we have. */
	updated(message: Difference): Update {
		const { version, view, lines = [], spans = 1, clock = [], now = 0 } = message;
		const since = message.since ?? this.lines.length;
		if (!this.view || this.version !== version - spans) throw new Error(`a difference to ${version - spans}`);
		const log = this.lines.slice(0, since);
		for (const line of lines) log.push(Array.isArray(line) ? like(log, line) : line);
		return {
			type: "update",
			version,
			since,
			lines: log.slice(since),
			view: apply(this.view, view) as View,
			clock: this.clock && { ...(apply(this.clock, clock) as ClockView), now },
		};
	}
}

function like(log: LogLine[], [ply, move, change]: [number, string, Edit]): LogLine {
	return apply(withMove(log[ply - 1] as LogLine, move), change) as LogLine;
}
