import type {
	AddressForOthers,
	Catalogue,
	ExplanationView,
	HintView,
	LessonInfo,
	MapCheck,
	Me,
	NewTable,
	Preview,
	Refusal,
	Replay,
	ScoreLine,
	SetupChoice,
	TableMade,
	TurnAnalysis,
} from "../protocol";
import { isRecord } from "../storage";
import { reach } from "./reach.svelte";
import { RefusalError } from "./refusal";

function isRefusal(value: unknown): value is Refusal {
	return isRecord(value) && typeof value.code === "string" && isRecord(value.message);
}

async function request(path: string, init: RequestInit = {}): Promise<Response> {
	let response: Response;
	try {
		response = await fetch(`/api/${path}`, init);
	} catch (error) {
		if (error instanceof DOMException && error.name === "AbortError") throw error;
		reach.note(undefined);
		throw new RefusalError("unreachable");
	}
	reach.note(response);
	if (response.ok) return response;
	const answer: unknown = await response.json().catch(() => null);
	if (isRefusal(answer)) throw new RefusalError(answer.code, answer.message, answer.offset);
	throw new RefusalError(codeOf(response.status));
}

/** The code for a status that comes without a message of the server, for example from a proxy. */
function codeOf(status: number): string {
	if (status === 429) return "too-fast";
	return status >= 502 ? "unreachable" : "unknown";
}

/** Asks the server for something. */
export async function get<T>(path: string, tokens: string[] = []): Promise<T> {
	return (await request(path, authorized(tokens))).json();
}

/** Sends something to the server; the answer. */
export async function post<T>(path: string, body: unknown, signal?: AbortSignal, tokens: string[] = []): Promise<T> {
	const init: RequestInit = {
		method: "POST",
		headers: { "Content-Type": "application/json", ...authorized(tokens).headers },
		body: JSON.stringify(body),
		signal: signal ?? null,
	};
	return (await request(path, init)).json();
}

/** Asks the server to do something that has no answer. */
export async function postAlone(path: string): Promise<void> {
	await request(path, { method: "POST" });
}

/** Changes or removes something at the server; the answer. */
export async function change<T>(method: "PUT" | "DELETE", path: string, body: unknown = {}): Promise<T> {
	const headers = { "Content-Type": "application/json" };
	return (await request(path, { method, headers, body: JSON.stringify(body) })).json();
}

/** A file of the server. */
export async function getFile(path: string): Promise<Blob> {
	return (await request(path)).blob();
}

function authorized(tokens: string[]): RequestInit {
	return tokens.length > 0 ? { headers: { Authorization: `Bearer ${tokens.join(",")}` } } : {};
}

export const getCatalogue = (): Promise<Catalogue> => get("catalogue");

/** The person at this device; at the first visit the server makes a guest. */
export const getMe = (): Promise<Me> => post("me", {});

export const getLessons = (): Promise<LessonInfo[]> => get("lessons");

/** Where other devices reach the server. */
export const addressForOthers = (): Promise<AddressForOthers> => get("address");

/** The setup that a choice leads to. */
export const preview = (choice: SetupChoice, players = 2, signal?: AbortSignal): Promise<Preview> =>
	post(`previews?players=${players}`, choice, signal);

/** What is wrong with a map, and what it consists of. */
export const checkMap = (text: string, signal?: AbortSignal): Promise<MapCheck> => post("maps", { text }, signal);

export const makeTable = (body: NewTable): Promise<TableMade> => post("tables", body);

/** A game at a table; 0 is the current one. */
export const tableReplay = (table: string, tokens: string[], game = 0): Promise<Replay> =>
	get(`table/replay?game=${game}&table=${encodeURIComponent(table)}`, tokens);

/** The record of a game as text; 0 is the current one. */
export async function tableRecord(table: string, tokens: string[], game = 0): Promise<string> {
	const path = `table/record?game=${game}&table=${encodeURIComponent(table)}`;
	return (await request(path, authorized(tokens))).text();
}

export const openRecord = (text: string): Promise<Replay> => post("records", { text });

export const openPosition = (position: string): Promise<Replay> => post("positions", { position });

/** What scores in a position. */
export const scoresAt = (position: string): Promise<ScoreLine[]> => post("scores", { position });

/** What is on a hex of a position, or what a component means in it; `seat` is called you. */
export const explanationsAt = (
	position: string,
	about: { hex?: string; key?: string },
	seat?: number,
): Promise<ExplanationView[]> => post("explanations", { position, ...about, seat: seat ?? null });

/** Good turns for the current seat in a position, best first. */
export const hintsAt = (position: string): Promise<HintView[]> => post("hints", { position });

/** What a turn gave away. */
export const turnAnalysis = (position: string, moves: string[], signal: AbortSignal): Promise<TurnAnalysis> =>
	post("analysis", { position, moves }, signal);

/** The gold that each seat can expect at the end of the game, in each of some positions. */
export const forecasts = (positions: string[]): Promise<number[][]> => post("forecasts", { positions });

/** The seats of a result: their names and the numbers of their colours. */
export interface Players {
	names: string[];
	colours: number[];
}

/** The address of a picture of a position; with the players it shows their gold too. */
export function pictureOf(position: string, highlight = "", players?: Players): string {
	const query = new URLSearchParams({ position });
	if (highlight) query.set("highlight", highlight);
	for (const name of players?.names ?? []) query.append("name", name);
	for (const colour of players?.colours ?? []) query.append("colour", String(colour));
	return `/api/picture?${query}`;
}
