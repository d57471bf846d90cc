/** What happens on the board, in the words of the page's language. */

import { parseHex } from "../board/hexes";
import { type Occupant, occupants, unowned } from "../board/pieces";
import { listed, t } from "../i18n/index.svelte";
import { called, type Face, seatName } from "../i18n/people";
import { say, withHexes } from "../i18n/say";
import { levelName, nameOf, pieceName, terrainName } from "../net/catalogue.svelte";
import type { Happening, LogLine, Notice, SeatView, SetupView, View } from "../protocol";
import { partsOf } from "./hints";

export { type Face, listed, seatName };

/** The same with the level of a bot. */
export type SeatFace = Face & Pick<SeatView, "level">;

/** What is printed on a hex, such as `canyon` or `Farm, 2 tiles left`. */
export function groundWords(setup: SetupView, view: View, hex: string): string {
	const location = setup.locations[hex];
	if (location) return `${nameOf(location)}, ${t("game.tilesLeft", { n: view.tiles_left[hex] ?? 0 })}`;
	const nomad = setup.nomads[hex];
	if (nomad && view.tiles_left[hex]) return t("game.nomadTile", { tile: nameOf(nomad) });
	if (setup.capitols.includes(hex)) return t("game.capitol");
	const place = parseHex(hex);
	return terrainName(setup.rows[place?.row ?? 0]?.[place?.col ?? 0] ?? "");
}

function pieceWords({ kind, seat }: Occupant, faces: readonly Face[], me: number | undefined): string {
	const piece = pieceName(kind);
	return seat === me ? t("game.yours", { piece }) : t("game.theirs", { piece, name: seatName(faces, seat) });
}

/** A hex in words: its name, its ground, and what stands on it. */
export function hexWords(setup: SetupView, view: View, faces: readonly Face[], hex: string, me?: number): string {
	const words = [hex, groundWords(setup, view, hex)];
	const occupant = occupants(view).get(hex);
	if (occupant) words.push(pieceWords(occupant, faces, me));
	const kind = unowned(view).get(hex);
	if (kind) words.push(pieceName(kind));
	return words.join(", ");
}

/** A move of a suggested turn in words, such as `Paddock k7 → m7`. */
export function moveWords(move: string): string {
	if (move === ".") return t("game.advice.end");
	if (move.startsWith("!")) return t("game.advice.card", { terrain: terrainName(move.slice(1)) });
	const [first = "", ...rest] = partsOf(move).map((hexes) => hexes.map(partWords).join(" → "));
	return `${first} ${rest.join(", ")}`.trim();
}

function partWords(step: string): string {
	if (step === "done") return t("game.advice.done");
	return step === "other" ? t("game.advice.other") : nameOf(step);
}

// ---- the log ----------------------------------------------------------------------------------------------------------

export interface Turn {
	label: string;
	seat: number;
	lines: LogLine[];
	/** The seat that the words begin with: not that of the turn if only others had something happen to them. */
	subject: number;
	words: string;
}

const UNSAID = new Set(["turn-begun", "card-drawn", "deck-shuffled"]);

/** Happenings in one sentence, with a name wherever the subject is another one; `subject` is the one before. */
function sentence(happenings: readonly Happening[], faces: readonly Face[], subject: number | undefined): string {
	const clauses = happenings.map(({ seat, message }, number) => {
		const words = say(message, faces);
		const before = number === 0 ? subject : happenings[number - 1]?.seat;
		return seat === before ? words : `${seatName(faces, seat)} ${words}`;
	});
	return clauses.join(", ");
}

/** One action in words that follow the name of a seat. */
export function lineWords(line: LogLine, faces: readonly Face[], subject = line.seat): string {
	if (line.move === ".") return t("game.log.ends");
	return sentence(toldOf(line), faces, subject);
}

/** The seat that the words for an action begin with: somebody else's if only their pieces are concerned. */
export function subjectOf(line: LogLine): number {
	return (line.move === "." ? undefined : toldOf(line)[0]?.seat) ?? line.seat;
}

function toldOf({ happenings }: LogLine): Happening[] {
	return happenings.filter(({ kind }) => kind !== "turn-begun");
}

/**
 * Some actions in one sentence; builds of the same kind are drawn together.
 *
 * With a subject, the words follow the name of that seat.
 */
export function summary(
	lines: readonly Pick<LogLine, "happenings">[],
	faces: readonly Face[],
	subject?: number,
): string {
	return sentence(drawnTogether(lines), faces, subject);
}

/** What is to be said of some actions; builds of the same kind are one happening. */
function drawnTogether(lines: readonly Pick<LogLine, "happenings">[]): Happening[] {
	const said: Happening[] = [];
	for (const happening of lines.flatMap(({ happenings }) => happenings)) {
		if (UNSAID.has(happening.kind)) continue;
		const last = said.at(-1);
		if (last && areAlike(last, happening)) said[said.length - 1] = together(last, happening);
		else said.push(happening);
	}
	return said;
}

/** Whether the same seat built the same kind of piece, on different hexes. */
function areAlike(one: Happening, other: Happening): boolean {
	return one.kind === "built" && other.kind === "built" && one.seat === other.seat && one.key === other.key;
}

function together(one: Happening, other: Happening): Happening {
	const hexes = [...one.hexes, ...other.hexes];
	return { ...one, hexes, message: withHexes(other.message, hexes) };
}

/** The log by turns, the oldest first; turns without words are left out. */
export function turnsOf(lines: readonly LogLine[], faces: readonly Face[]): Turn[] {
	const turns: Turn[] = [];
	for (const line of lines) {
		const last = turns.at(-1);
		if (last?.label === line.turn) last.lines.push(line);
		else turns.push({ label: line.turn, seat: line.seat, lines: [line], subject: line.seat, words: "" });
	}
	for (const turn of turns) {
		const said = drawnTogether(turn.lines);
		turn.subject = said[0]?.seat ?? turn.seat;
		turn.words = sentence(said, faces, turn.subject);
	}
	return turns.filter(({ words }) => words !== "");
}

/** An item of the log: a turn, or something that happened to the people. */
export type Entry = { turn: Turn; notice?: never } | { notice: Notice; turn?: never };

/** The log with its notices, each after the action that it followed: a notice may split a turn in two. */
export function logOf(lines: readonly LogLine[], notices: readonly Notice[], faces: readonly Face[]): Entry[] {
	const entries: Entry[] = [];
	let rest = lines;
	const add = (those: readonly LogLine[]) => entries.push(...turnsOf(those, faces).map((turn) => ({ turn })));
	for (const notice of [...notices].sort((a, b) => a.ply - b.ply || a.version - b.version)) {
		add(rest.filter(({ ply }) => ply <= notice.ply));
		rest = rest.filter(({ ply }) => ply > notice.ply);
		entries.push({ notice });
	}
	add(rest);
	return entries;
}

/** A notice in words. Nobody kept the level of a bot that has been replaced since. */
export function noticeWords(notice: Notice, notices: readonly Notice[], seats: readonly SeatFace[]): string {
	const seat = notice.seat ?? -1;
	const name = notice.name ? called(notice.name) : seatName(seats, seat);
	switch (notice.kind) {
		case "new-player":
			return t("game.notice.newPlayer", { name });
		case "bot-took-over": {
			const level = isLatest(notice, notices) ? seats[seat]?.level : "";
			return level ? t("game.notice.botOfLevel", { name, level: levelName(level) }) : t("game.notice.bot", { name });
		}
		case "player-back":
			return t("game.notice.playerBack", { name });
		case "hand-shown":
			return t("game.notice.handShown", { name });
		case "bot-failed":
			return t("game.notice.botFailed", { name });
		case "watch-link-renewed":
			return t("game.notice.watchLink");
		case "seat-taken":
			return t("game.notice.seatTaken", { name });
		case "time-up":
			return t("game.notice.timeUp", { name });
		case "paused":
			return t("game.notice.paused");
		case "resumed":
			return t("game.notice.resumed");
		case "excused":
			return t("game.notice.excused");
		case "gave-up":
			return t("game.notice.gaveUp", { name });
		case "claimed":
			return t("game.notice.claimed", { name });
	}
}

const COMINGS = new Set<Notice["kind"]>(["new-player", "bot-took-over", "player-back"]);

/** Whether nobody has come to the seat since. */
function isLatest({ seat, version }: Notice, notices: readonly Notice[]): boolean {
	return !notices.some((other) => other.seat === seat && other.version > version && COMINGS.has(other.kind));
}

export function total(gold: readonly number[] | undefined): number {
	return (gold ?? []).reduce((sum, each) => sum + each, 0);
}
