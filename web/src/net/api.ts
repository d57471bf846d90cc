import type {
	Catalogue,
	HintView,
	NewTable,
	Preview,
	Refusal,
	Replay,
	ScoreLine,
	SetupChoice,
	TableMade,
} from "../protocol";
import { isRecord } from "../storage";
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
		throw new RefusalError("unreachable");
	}
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

async function get<T>(path: string, tokens: string[] = []): Promise<T> {
	return (await request(path, authorized(tokens))).json();
}

async function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
	const init: RequestInit = {
		method: "POST",
		headers: { "Content-Type": "application/json" },
		body: JSON.stringify(body),
		signal: signal ?? null,
	};
	return (await request(path, init)).json();
}

function authorized(tokens: string[]): RequestInit {
	return tokens.length > 0 ? { headers: { Authorization: `Bearer ${tokens.join(",")}` } } : {};
}

export const getCatalogue = (): Promise<Catalogue> => get("catalogue");

/** The setup that a choice leads to. */
export const preview = (choice: SetupChoice, players = 2, signal?: AbortSignal): Promise<Preview> =>
	post(`previews?players=${players}`, choice, signal);

export const makeTable = (body: NewTable): Promise<TableMade> => post("tables", body);

/** A game at a table; 0 is the current one. */
export const tableReplay = (tokens: string[], game = 0): Promise<Replay> => get(`table/replay?game=${game}`, tokens);

/** The record of a game as text; 0 is the current one. */
export async function tableRecord(tokens: string[], game = 0): Promise<string> {
	return (await request(`table/record?game=${game}`, authorized(tokens))).text();
}

export const openRecord = (text: string): Promise<Replay> => post("records", { text });

export const openPosition = (position: string): Promise<Replay> => post("positions", { position });

/** What scores in a position. */
export const scoresAt = (position: string): Promise<ScoreLine[]> => post("scores", { position });

/** Good turns for the current seat in a position, best first. */
export const hintsAt = (position: string): Promise<HintView[]> => post("hints", { position });

/** The gold that each seat can expect at the end of the game, in each of some positions. */
export const forecasts = (positions: string[]): Promise<number[][]> => post("forecasts", { positions });

/** The address of a picture of a position. */
export function pictureOf(position: string, highlight = ""): string {
	const query = new URLSearchParams({ position });
	if (highlight) query.set("highlight", highlight);
	return `/api/picture?${query}`;
}
