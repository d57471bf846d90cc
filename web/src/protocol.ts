// Made by tools/make_types.py from src/kingdom_builder/server/messages.py: do not edit.

export const PROTOCOL = 3;

export const NAME_LENGTH = 24;

export const CHAT_LENGTH = 300;

export type Kind = "person" | "bot" | "open";

/** What stands in a hole of a template: its kind and its value. */
export type Argument =
	| ["hex" | "component" | "piece" | "terrain" | "text", string]
	| ["seat" | "number", number]
	| ["message", Message]
	| ["and" | "or", Argument[]];

/** A sentence as data, so that a page can say it in its own language. */
export interface Message {
	template: string;
	arguments: Record<string, Argument>;
	text: string;
}

/** Why a request was refused, or only partly carried out. */
export interface Refusal {
	code: string;
	message: Message;
	offset: number | null;
}

/** A location, card, task, nomad tile, or anything else that pays or acts. */
export interface ComponentInfo {
	key: string;
	kind: "location" | "card" | "task" | "nomad" | "always";
	set: string;
	name: string;
	text: string;
	icon: string;
	excluded_by: string | null;
}

export interface BoxInfo {
	key: string;
	name: string;
}

/** A printed map of 10 x 10 hexes, by rows of letters. */
export interface SectionInfo {
	key: string;
	set: string;
	stand_in: boolean;
	locations: string[];
	rows: string[];
}

export interface OptionInfo {
	key: string;
	text: string;
}

/** A bot that can take a seat. */
export interface LevelInfo {
	key: string;
	text: string;
}

/** A kind of piece. */
export interface PieceInfo {
	key: string;
	name: string;
	owned: boolean;
	drawing: string;
	whole: string | null;
}

/** The limits of a new table. */
export interface Limits {
	fewest_seats: number;
	most_seats: number;
	cards: number;
	first_level: string;
}

/** Everything that is the same for all games. */
export interface Catalogue {
	protocol: number;
	version: string;
	sets: BoxInfo[];
	components: ComponentInfo[];
	pieces: PieceInfo[];
	sections: SectionInfo[];
	options: OptionInfo[];
	levels: LevelInfo[];
	limits: Limits;
	terrain: Record<string, string>;
	artwork: string;
	colours: string[];
}

/** The part of a game that does not change. */
export interface SetupView {
	players: number;
	supply: number;
	tiles: number;
	board: string;
	width: number;
	height: number;
	rows: string[];
	locations: Record<string, string>;
	nomads: Record<string, string>;
	capitols: string[];
	cards: string[];
	tasks: string[];
	scoring: string[];
	actions: string[];
	options: string[];
	stand_ins: string[];
	map: string;
	start: string;
}

/** A tile that a seat holds. */
export interface TileView {
	key: string;
	hex: string | null;
	status: "ready" | "used" | "new" | "passive";
}

/** A move with a text for its button. */
export interface Choice {
	move: string;
	label: Message;
}

/** A position as one viewer may see it. */
export interface View {
	ply: number;
	round: number;
	player: number;
	awaiting: string;
	card: string;
	builds: number;
	builds_left: number;
	adjacency_lifted: boolean;
	acting: string | null;
	source: string | null;
	steps: number;
	ending: boolean;
	over: boolean;
	winners: number[];
	hands: string[];
	deck: number;
	supply: number[];
	tiles: TileView[][];
	pieces: Record<string, string[][]>;
	tiles_left: Record<string, number>;
	flags: number[][];
	gold: number[][];
	last: string[];
	prompt: Message | null;
	legal: string[];
	choices: Choice[];
	cards: string[];
	placing: string | null;
	why_not_end: Message | null;
	undo: boolean;
}

/** Something that happened to a seat, for the log and for animation. */
export interface Happening {
	kind: string;
	seat: number;
	message: Message;
	hexes: string[];
	key: string | null;
}

/** One action and what it changed. */
export interface LogLine {
	ply: number;
	turn: string;
	seat: number;
	move: string;
	happenings: Happening[];
}

/** A moment of a game. */
export interface Frame {
	view: View;
	line: LogLine | null;
	position: string;
}

/** A good move for the current seat. */
export interface HintView {
	move: string;
	turn: string[];
	gold: number;
	reasons: Message[];
}

/** A game from its beginning, as one viewer may see it. */
export interface Replay {
	setup: SetupView;
	names: string[];
	colours: number[];
	frames: Frame[];
	tags: Record<string, string>;
	hints: boolean;
	refusal: Refusal | null;
}

/** What one card pays a seat, and the hexes that pay. */
export interface ScoreLine {
	key: string;
	seat: number;
	gold: number;
	hexes: string[];
}

export interface SeatView {
	name: string;
	kind: "person" | "bot" | "open";
	colour: number;
	level: string;
	connected: boolean;
	veiled: boolean;
}

export interface ChatLine {
	version: number;
	role: "player" | "watcher" | "host";
	name: string;
	text: string;
}

/** Something about the people that belongs in the log of the game, for everybody to see. */
export interface Notice {
	version: number;
	ply: number;
	kind: "new-player" | "bot-took-over" | "hand-shown" | "bot-failed" | "watch-link-renewed";
	seat: number | null;
	name: string;
}

/** A spectator, as the host sees them. */
export interface WatcherView {
	number: number;
	name: string;
	muted: boolean;
}

/** Who is at the table, as one viewer sees it. */
export interface TableView {
	id: string;
	game: number;
	seed: string;
	seats: SeatView[];
	yours: number[];
	host: boolean;
	hints: boolean;
	watchers: number;
	watcher_list: WatcherView[];
	hushed: boolean;
	agreeable: number[];
	notices: Notice[];
}

/** How a game is set up; what is not given is random. */
export interface SetupChoice {
	sets?: string[];
	board?: string | null;
	cards?: string[] | null;
	options?: string[];
	seed?: string | null;
	position?: string | null;
}

export interface SeatChoice {
	kind: "person" | "bot" | "open";
	name?: string;
	colour?: number | null;
	level?: string;
}

export interface NewTable {
	seats: SeatChoice[];
	setup?: SetupChoice;
}

/** The tokens of a new table. Keep them: the server does not. */
export interface TableMade {
	id: string;
	host: string;
	watch: string;
	seats: string[];
}

/** A setup to look at before a table is made from it. */
export interface Preview {
	setup: SetupView;
	view: View;
	seed: string;
}

export interface RecordText {
	text: string;
}

export interface PositionText {
	position: string;
}

export interface PositionTexts {
	positions: string[];
}

/** The first message of a connection. */
export interface Hello {
	type: "hello";
	tokens: string[];
	protocol?: number;
	version?: number;
	game?: number;
}

/** Make a move, one of `View.legal` or several steps at once such as `paddock:k7-m7`. */
export interface Play {
	type: "play";
	id: string;
	version: number;
	move: string;
}

/** Take the last action back, or the whole turn: up to the last drawn card. */
export interface Undo {
	type: "undo";
	id: string;
	version: number;
	whole_turn?: boolean;
}

/** Choose the name and the colour of a seat. */
export interface Join {
	type: "join";
	id: string;
	seat: number;
	name: string;
	colour: number;
}

/** Speak to everybody at the table. */
export interface Say {
	type: "say";
	id: string;
	text: string;
	seat?: number | null;
	name?: string;
}

/** Host only: give a seat to a bot of some level, or to whoever gets its new link. */
export interface Reseat {
	type: "reseat";
	id: string;
	seat: number;
	level?: string;
}

/** A player lets the new player of another seat see its hand at once. */
export interface Agree {
	type: "agree";
	id: string;
	seat: number;
}

/** Host only: make a new link for spectators; whoever came by the old one is sent away. */
export interface Renew {
	type: "renew";
	id: string;
}

/** Host only: let spectators speak, or not. */
export interface Hush {
	type: "hush";
	id: string;
	on: boolean;
}

/** Host only: let one spectator speak, or not. */
export interface Mute {
	type: "mute";
	id: string;
	watcher: number;
	on: boolean;
}

/** Host only: send a spectator away. They can come back only by a new link. */
export interface Remove {
	type: "remove";
	id: string;
	watcher: number;
}

/** Host only, after the end: play again at this table; the seats move up by one. */
export interface Rematch {
	type: "rematch";
	id: string;
	same_board?: boolean;
}

/** Ask why a move, such as building on a hex, is not legal. */
export interface Why {
	type: "why";
	id: string;
	move: string;
}

/** Ask for the hexes that pay, for all seats and cards. */
export interface Scores {
	type: "scores";
	id: string;
}

/** The current seat asks for good moves. */
export interface Hint {
	type: "hint";
	id: string;
}

/** Anybody there? */
export interface Ping {
	type: "ping";
	id: string;
}

/** A game from the beginning: after Hello, and when a new game begins at the table. */
export interface Welcome {
	type: "welcome";
	protocol: number;
	version: number;
	table: TableView;
	setup: SetupView;
	view: View;
	lines: LogLine[];
	chat: ChatLine[];
}

/** The game has changed. Lines with a ply greater than `since` are replaced by these. */
export interface Update {
	type: "update";
	version: number;
	since: number;
	lines: LogLine[];
	view: View;
}

/** Somebody came, left or changed. Coming and leaving is announced at most once a second. */
export interface Table {
	type: "table";
	version: number;
	table: TableView;
}

/** Somebody spoke: the lines that the viewer does not have yet. */
export interface Chat {
	type: "chat";
	version: number;
	lines: ChatLine[];
}

/** A command was carried out, and what it changed is stored. */
export interface Done {
	type: "done";
	id: string;
	version: number;
	token: string | null;
}

/** A command was not carried out; nothing has changed. */
export interface Refused {
	type: "refused";
	id: string;
	refusal: Refusal;
}

/** The answer to Why. */
export interface Reason {
	type: "reason";
	id: string;
	version: number;
	reason: Message | null;
}

/** The answer to Scores. */
export interface Breakdown {
	type: "breakdown";
	id: string;
	version: number;
	lines: ScoreLine[];
}

/** The answer to Hint. */
export interface Hints {
	type: "hints";
	id: string;
	version: number;
	hints: HintView[];
}

export interface Pong {
	type: "pong";
	id: string;
}

export type AnyCommand = Hello | Play | Undo | Join | Say | Reseat | Agree | Renew | Hush | Rematch | Mute | Remove | Why | Scores | Ping | Hint;

export type AnyMessage = Welcome | Update | Table | Chat | Done | Refused | Reason | Breakdown | Hints | Pong;
