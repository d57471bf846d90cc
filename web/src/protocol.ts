// Made by tools/make_types.py from src/kingdom_builder/server/messages/: do not edit.

export const PROTOCOL = 5;

export const NAME_LENGTH = 24;

export const CHAT_LENGTH = 300;

export const REPORT_LENGTH = 1000;

export type Kind = "person" | "bot" | "open";

/** What stands in a hole of a template: its kind and its value. */
export type Argument =
	| ["hex" | "component" | "piece" | "terrain" | "text", string]
	| ["seat" | "number", number]
	| ["message", Message]
	| ["and" | "or", Argument[]];

/** A difference of two values; `net/differences.ts` applies it. */
export type Edit = null | boolean | number | string | { is: unknown } | Edit[];

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
	name: string;
	likes: string;
}

/** A kind of piece. */
export interface PieceInfo {
	key: string;
	name: string;
	owned: boolean;
	drawing: string;
	whole: string | null;
	text: string;
}

/** A clock to choose for a game, in seconds as in ClockChoice. */
export interface ClockInfo {
	key: string;
	kind: string;
	start: number;
	add: number;
}

/** The least and the most seconds of a kind of clock. */
export interface ClockLimits {
	start: number[];
	add: number[];
}

/** The limits of a new table. */
export interface Limits {
	fewest_seats: number;
	most_seats: number;
	cards: number;
	first_level: string;
	can_rate: boolean;
	clocks: Record<string, ClockLimits>;
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
	clocks: ClockInfo[];
	limits: Limits;
	terrain: Record<string, string>;
	special: Record<string, string>;
	artwork: string;
	colours: string[];
}

/** A step of a lesson. */
export interface StepInfo {
	key: string;
	kind: "read" | "play" | "undo" | "wait";
	point: string;
	hexes: string[];
	card: string;
}

/** A lesson; its texts are on the page. */
export interface LessonInfo {
	key: string;
	box: string;
	steps: StepInfo[];
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
	sections: string[];
	things: string[];
}

/** A tile that a seat holds. */
export interface TileView {
	key: string;
	hex: string | null;
	status: "ready" | "used" | "new" | "passive";
	number: number | null;
}

/** A move with a text for its button. */
export interface Choice {
	move: string;
	label: Message;
}

/** How far somebody is in a lesson. */
export interface LessonPlace {
	key: string;
	step: number;
	begun: boolean;
	next: string[];
	arguments: Record<string, Argument>;
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
	draws: string[];
	instead: string[];
	lesson: LessonPlace | null;
}

/** Something that happened to a seat, for the log and for animation. */
export interface Happening {
	kind: string;
	seat: number;
	message: Message;
	hexes: string[];
	key: string | null;
	gold: number;
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

/** What a turn gave away, compared with the best one that a search found. */
export interface TurnAnalysis {
	lost: number;
	accuracy: number;
	mistake: "" | "slip" | "mistake" | "blunder";
	ply: number;
	moves: string[];
	happenings: Happening[];
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
	clock: number[] | null;
	took: number[] | null;
}

/** What one card pays a seat, and the hexes that pay. */
export interface ScoreLine {
	key: string;
	seat: number;
	gold: number;
	hexes: string[];
}

/** What something is, and what it means now. */
export interface ExplanationView {
	kind: "component" | "piece" | "terrain";
	key: string;
	lines: Message[];
	rule: string;
}

export interface SeatView {
	name: string;
	kind: "person" | "bot" | "open";
	colour: number;
	level: string;
	connected: boolean;
	veiled: boolean;
	stands_in: boolean;
	person: string;
	away: number | null;
	replaced_by: number[];
}

export interface ChatLine {
	version: number;
	role: "player" | "watcher" | "host";
	name: string;
	text: string;
	person: string;
	phrase: string;
}

/** Something about the people that belongs in the log of the game, for everybody to see. */
export interface Notice {
	version: number;
	ply: number;
	kind: "new-player" | "seat-taken" | "bot-took-over" | "player-back" | "hand-shown" | "bot-failed" | "watch-link-renewed" | "time-up" | "paused" | "resumed" | "excused" | "gave-up" | "claimed";
	seat: number | null;
	name: string;
}

/** A spectator, as the host sees them. */
export interface WatcherView {
	number: number;
	name: string;
	muted: boolean;
}

/** The clocks of a game, for a page to count down by itself. All times are in milliseconds. */
export interface ClockView {
	kind: "live" | "days";
	start: number;
	add: number;
	left: number[];
	had: number[];
	running: number | null;
	since: number;
	now: number;
	stops: string[];
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
	daily: string;
	stand_ins: number[];
	rated: boolean;
	open: boolean;
	free: number[];
	consents: Record<string, number[]>;
	asks_all: boolean;
	ended: "gave-up" | "claimed" | null;
	strangers: boolean;
	resumable: number | null;
}

/** How a game is set up; what is not given is random. */
export interface SetupChoice {
	sets?: string[];
	board?: string | null;
	cards?: string[] | null;
	options?: string[];
	seed?: string | null;
	position?: string | null;
	sections?: string;
}

/** The text of one map to check: a section or a board, as in a map file. */
export interface MapText {
	text: string;
}

/** Something that is wrong with a map, or that whoever draws it should know. */
export interface MapProblem {
	message: Message;
	stops: boolean;
	line: number;
	row: number | null;
	column: number | null;
}

/** How many hexes of a kind a map has, and how many printed maps of its size have at least and at most. */
export interface MapCount {
	letter: string;
	n: number;
	least: number;
	most: number;
}

/** What there is to know about a map before it is played on. */
export interface MapCheck {
	problems: MapProblem[];
	counts: MapCount[];
	buildable: number;
	text: string;
	section: SectionInfo | null;
	board: string;
	rows: string[];
	map: string;
}

export interface SeatChoice {
	kind: "person" | "bot" | "open";
	name?: string;
	colour?: number | null;
	level?: string;
}

/** How much time players have; see `server/clocks.py` for the limits. */
export interface ClockChoice {
	kind: "none" | "live" | "days";
	start: number;
	add: number;
}

export interface NewTable {
	seats: SeatChoice[];
	setup?: SetupChoice;
	lesson?: string;
	clock?: ClockChoice;
	rated?: boolean;
	open?: boolean;
}

/** Where other devices reach the server; it says so only to pages on its own machine. */
export interface AddressForOthers {
	address: string | null;
	command: string;
	everywhere: boolean;
}

/** The tokens of a new table. Keep them: the server does not. */
export interface TableMade {
	id: string;
	host: string;
	watch: string;
	seats: string[];
	invite: string;
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

/** The position at the beginning of a turn, and the single actions of the turn, draws included. */
export interface PlayedTurn {
	position: string;
	moves: string[];
}

export interface PositionTexts {
	positions: string[];
}

/** What is on a hex of a position, or what a component means in it: one of the two is given. */
export interface PositionQuestion {
	position: string;
	hex: string;
	key: string;
	seat: number | null;
}

/** Wish for a table with the daily game of today. */
export interface DailyStart {
	name: string;
}

/** A daily game that somebody plays, or has played. */
export interface DailyGame {
	id: string;
	date: string;
	over: boolean;
	round: number;
	gold: number[];
}

/** Wish to stand in the list of a day. */
export interface DailyName {
	name: string;
}

/** A result in the list of a day. */
export interface DailyResult {
	name: string;
	gold: number;
	mine: boolean;
}

/** The best results of a day at this server, best first. */
export interface DailyList {
	date: string;
	results: DailyResult[];
}

/** The daily game of today, and the lists of today and yesterday. */
export interface DailyView {
	preview: Preview;
	opponent: string;
	seat: number;
	today: DailyList;
	yesterday: DailyList;
	next: number;
	mine: DailyGame | null;
}

/** A puzzle in the list. */
export interface PuzzleInfo {
	key: string;
	difficulty: "easy" | "medium" | "hard";
	rating: number;
	players: number;
	sets: string[];
	last: boolean;
}

/** The moves of an attempt so far. */
export interface PuzzleMoves {
	moves: string[];
}

/** The moves of an attempt so far, and a move to ask about. */
export interface PuzzleQuestion {
	moves: string[];
	move: string;
}

/** The answer to a question about a move. */
export interface Reasoned {
	reason: Message | null;
}

/** The position of a puzzle after some moves. */
export interface PuzzleAttempt {
	view: View;
	lines: LogLine[];
	ended: boolean;
	solved: boolean;
	gold: number;
	position: string;
}

/** A puzzle to solve. */
export interface PuzzleView {
	info: PuzzleInfo;
	number: number;
	setup: SetupView;
	attempt: PuzzleAttempt;
}

/** The answer to a puzzle. */
export interface PuzzleAnswer {
	turn: string[];
	gold: number;
	second: number;
	reasons: Message[];
}

/** The person at this device. */
export interface Me {
	id: string;
	name: string;
	member: boolean;
	role: string;
}

/** A passkey of a person. */
export interface PasskeyView {
	id: string;
	label: string;
	since: number;
	seen: number;
}

/** A device at which a person is signed in. */
export interface DeviceView {
	id: string;
	label: string;
	since: number;
	seen: number;
	here: boolean;
}

/** The account of the person at this device. */
export interface Account {
	me: Me;
	language: string;
	passkeys: PasskeyView[];
	codes: number;
	address: string;
	devices: DeviceView[];
	no_passkeys: Message | null;
	no_mail: Message | null;
}

/** What a person says about themselves; what is missing stays as it is. */
export interface AboutMe {
	name?: string | null;
	language?: string | null;
}

/** The answer of a browser that was asked for a passkey: a text of JSON. */
export interface PasskeyAnswer {
	answer: string;
}

/** A passkey to remove. */
export interface PasskeyChoice {
	id: string;
}

/** A code that somebody types. */
export interface TypedCode {
	code: string;
}

/** New recovery codes, which are shown once; those before them are void. */
export interface NewCodes {
	codes: string[];
}

/** Where to mail a code, and what it is for. */
export interface CodeRequest {
	address: string;
	purpose: "attach" | "sign in";
	language: string;
}

/** A code is on its way, if the address exists at all. */
export interface CodeMailed {
	address: string;
	minutes: number;
}

/** Which devices to sign out. */
export interface SignOut {
	device?: string;
	others?: boolean;
	confirmed?: boolean;
}

/** Whether somebody is sure that they want to be deleted. */
export interface Deletion {
	confirmed: boolean;
}

/** A browser that takes pushes. */
export interface PushDevice {
	id: string;
	label: string;
	since: number;
	here: boolean;
}

/** How a person can be told, and what they have chosen. */
export interface Notifications {
	push: string;
	devices: PushDevice[];
	webhooks: boolean;
	webhook: string;
	mails: boolean;
	address: string;
	mail: boolean;
}

export interface PushKeys {
	p256dh: string;
	auth: string;
}

/** Where a browser takes pushes, as it says itself. */
export interface PushSubscription {
	endpoint: string;
	keys: PushKeys;
	replaces: string;
}

/** No more pushes: to an endpoint, or to the device with an id. One of the two is given. */
export interface PushEnd {
	endpoint: string;
	device: string;
}

export interface WebhookAddress {
	url: string;
}

/** What a person wants to change; nothing else is changed. */
export interface Wishes {
	mail?: boolean | null;
	language?: "en" | "de" | "fr" | null;
}

/** A seat of a game in a list. */
export interface ListedSeat {
	name: string;
	level: string;
	person: string;
	colour: number;
	gold: number | null;
	rank: number | null;
	left: boolean;
}

/** A game in a list. */
export interface ListedGame {
	table: string;
	game: number;
	changed: number;
	clock: string;
	pool: string;
	rated: boolean;
	over: boolean;
	round: number;
	seat: number;
	deadline: number | null;
	yours: number[];
	seats: ListedSeat[];
	sets: string[];
}

/** The games of a person that run or have just ended: those where it is their turn first. */
export interface MyGames {
	games: ListedGame[];
	waiting: number;
}

/** The results of a person in short. */
export interface Bests {
	games: number;
	won: number;
	gold: number;
	mean: number;
	left: number;
}

/** Some of the finished games of a person, latest first. */
export interface History {
	games: ListedGame[];
	before: string;
	bests: Bests | null;
}

/** A rating of a person. */
export interface PoolRating {
	pool: string;
	points: number;
	provisional: boolean;
	games: number;
}

/** What everybody may know about a person. */
export interface Profile {
	id: string;
	name: string;
	since: number;
	member: boolean;
	results: Bests;
	ratings: PoolRating[];
}

/** A line of a leaderboard. */
export interface Standing {
	place: number | null;
	person: string;
	name: string;
	level: string;
	points: number;
	provisional: boolean;
	games: number;
	you: boolean;
}

/** The best of a pool, with the bots among them. */
export interface Leaderboard {
	pool: string;
	pools: string[];
	lines: Standing[];
}

/** The first message of a connection. */
export interface Hello {
	type: "hello";
	tokens: string[];
	protocol?: number;
	version?: number;
	game?: number;
	bot_speed?: "slow" | "normal" | "instant";
	visible?: boolean;
	differences?: boolean;
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

/** Take a free seat, at a table that is open to everybody or with the token of the table's link. */
export interface Sit {
	type: "sit";
	id: string;
	seat: number;
	name: string;
	colour?: number | null;
}

/** Speak to everybody at the table, with a text or a phrase. */
export interface Say {
	type: "say";
	id: string;
	text?: string;
	seat?: number | null;
	name?: string;
	phrase?: "hello" | "good-luck" | "your-turn" | "one-moment" | "thanks" | "sorry" | "well-played" | "good-game" | "rematch" | "no-rematch" | "have-to-go" | "bye" | null;
}

/** Host only: give a seat to a bot of some level, or to whoever gets its new link. */
export interface Reseat {
	type: "reseat";
	id: string;
	seat: number;
	level?: string;
}

/** Take a seat back from the bot that stands in. */
export interface TakeBack {
	type: "take-back";
	id: string;
	seat: number;
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

/** A player agrees to something that happens once all players want it, or takes that back. */
export interface Consent {
	type: "consent";
	id: string;
	to: "pause" | "resume" | "rematch";
	on?: boolean;
}

/** A player wants a bot to take the seat of somebody who has been away for long enough. */
export interface Replace {
	type: "replace";
	id: string;
	seat: number;
}

/** In a game of two: win it, since the other player has been away for long enough. */
export interface Claim {
	type: "claim";
	id: string;
}

/** Give the own seat up: in a game of two the other player wins, in all others a bot takes over. */
export interface Leave {
	type: "leave";
	id: string;
}

/** How fast bots should act: it counts if all pages of players at the table want the same. */
export interface SetBotSpeed {
	type: "bot-speed";
	id: string;
	speed: "slow" | "normal" | "instant";
}

/** Whether somebody can see the page: who has it only in the background is told that it is their turn. */
export interface Visible {
	type: "visible";
	id: string;
	on: boolean;
}

/** Look at the hand of a seat that is played here: where several people share a page, it shows none of those that
    wait. */
export interface Look {
	type: "look";
	id: string;
	seat: number;
}

/** Ask why a move, such as building on a hex, is not legal. */
export interface Why {
	type: "why";
	id: string;
	move: string;
}

/** Ask what is on a hex, or what a component means now: one of the two is given. */
export interface Explain {
	type: "explain";
	id: string;
	hex?: string;
	key?: string;
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
	clock: ClockView | null;
}

/** The game has changed. Lines with a ply greater than `since` are replaced by these. */
export interface Update {
	type: "update";
	version: number;
	since: number;
	lines: LogLine[];
	view: View;
	clock: ClockView | null;
}

/** The game has changed since the last Welcome, Update or Difference that was sent. What is as usual is left out. */
export interface Difference {
	type: "difference";
	version: number;
	view: Edit;
	lines?: (LogLine | [number, string, Edit])[];
	since?: number | null;
	spans?: number;
	clock?: Edit;
	now?: number;
}

/** Somebody came, left or changed. Coming and leaving is announced at most once a second. */
export interface Table {
	type: "table";
	version: number;
	table: TableView;
	clock: ClockView | null;
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

/** The answer to Look. */
export interface Hand {
	type: "hand";
	id: string;
	version: number;
	seat: number;
	cards: string;
}

/** The answer to Why. */
export interface Reason {
	type: "reason";
	id: string;
	version: number;
	reason: Message | null;
}

/** The answer to Explain: what is on the hex from top to bottom, or the component. */
export interface Explained {
	type: "explained";
	id: string;
	version: number;
	things: ExplanationView[];
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

/** Look for a game with others who want the same. It takes the place of the search for another live game. */
export interface Seek {
	type: "seek";
	id: string;
	clock: ClockChoice;
	least?: number;
	sets?: string[];
	rated?: boolean;
}

/** Do not look for this game any more. */
export interface Cancel {
	type: "cancel";
	id: string;
	seek: string;
}

/** Play this game with bots, at once. */
export interface Bots {
	type: "bots";
	id: string;
	seek: string;
}

/** We know of this table: do not announce it again. */
export interface Took {
	type: "took";
	id: string;
	table: string;
}

/** A seat of a table in the lobby, and who has it. */
export interface LobbySeat {
	free: boolean;
	name: string;
	level: string;
	person: string;
	colour: number;
	points: number | null;
	provisional: boolean;
}

/** An open table: with free seats to take, or with a game to look at. */
export interface LobbyTable {
	table: string;
	since: number;
	clock: ClockChoice;
	sets: string[];
	rated: boolean;
	round: number;
	seats: LobbySeat[];
}

/** Somebody who looks for a game. */
export interface LobbySeek {
	seek: string;
	since: number;
	name: string;
	person: string;
	points: number | null;
	provisional: boolean;
	clock: ClockChoice;
	least: number;
	most: number;
	sets: string[];
	rated: boolean;
}

/** The whole lobby: after Hello, and for whoever has missed some news. */
export interface Lobby {
	type: "lobby";
	online: number;
	tables: LobbyTable[];
	seeks: LobbySeek[];
}

/** What has changed in the lobby since the last message. */
export interface LobbyNews {
	type: "lobbynews";
	online: number;
	tables: LobbyTable[];
	seeks: LobbySeek[];
	gone: string[];
}

/** A game that one looks for. */
export interface OwnSeek {
	seek: string;
	waited: number;
	bots_in: number;
	clock: ClockChoice;
	least: number;
	most: number;
	sets: string[];
	rated: boolean;
}

/** What one looks for oneself. */
export interface Own {
	type: "own";
	seeks: OwnSeek[];
	can_rate: boolean;
}

/** A game has been found. It is announced until the page says with Took that it knows. */
export interface Paired {
	type: "paired";
	table: string;
	seek: string;
	live: boolean;
}

/** Somebody to block. */
export interface BlockWanted {
	person: string;
}

/** Somebody who was blocked. */
export interface Blocked {
	person: string;
	name: string;
}

/** A report of somebody at a table: a seat or a person is given. */
export interface ReportWanted {
	table: string;
	reason: "insult" | "spam" | "cheating" | "stalling" | "name" | "other";
	seat?: number | null;
	person?: string;
	text?: string;
}

/** What a table looked like at the moment of a report. */
export interface Snapshot {
	game: number;
	over: boolean;
	names: string[];
	record: string;
	position: string;
	chat: ChatLine[];
}

/** A report in the list of them. */
export interface ReportLine {
	id: string;
	at: number;
	by: string;
	by_name: string;
	person: string;
	name: string;
	table: string;
	seat: number | null;
	reason: string;
	text: string;
	closed: number;
}

/** Something that an operator did. */
export interface MeasureLine {
	at: number;
	by: string;
	what: string;
	person: string;
	why: string;
}

/** Somebody who may not speak or play among strangers. */
export interface BanLine {
	person: string;
	name: string;
	kind: string;
	until: number;
	why: string;
}

/** What an operator looks after. */
export interface AdminView {
	reports: ReportLine[];
	bans: BanLine[];
	measures: MeasureLine[];
}

/** A report with all that was attached to it, and what is known of whoever was reported. */
export interface ReportView {
	report: ReportLine;
	snapshot: Snapshot;
	others: number;
	bans: BanLine[];
}

/** Something that an operator wants to do. */
export interface MeasureWanted {
	what: "mute" | "unmute" | "ban" | "unban" | "rename" | "delete" | "grant" | "revoke" | "close";
	person: string;
	days?: number;
	why?: string;
}

/** Something that is kept about people. */
export interface KeptColumn {
	name: string;
	about: string;
}

/** A kind of data that is kept about people. */
export interface KeptRelation {
	name: string;
	about: string;
	kept: string;
	columns: KeptColumn[];
}

/** What a server keeps about people, for how long, and where it sends something. */
export interface PrivacyView {
	relations: KeptRelation[];
	keep_days: number;
	keep_reports_days: number;
	keep_guests_days: number;
	hosts: string[];
	push: boolean;
	webhooks: boolean;
}

export type AnyCommand = Hello | Play | Undo | Join | Sit | Say | Reseat | TakeBack | Agree | Renew | Hush | Rematch | Consent | Replace | Claim | Leave | SetBotSpeed | Visible | Mute | Remove | Look | Why | Explain | Scores | Ping | Hint;

export type AnyMessage = Welcome | Update | Difference | Table | Chat | Done | Refused | Hand | Reason | Explained | Breakdown | Hints | Pong;

export type AnyLobbyCommand = Hello | Seek | Cancel | Bots | Took | Ping;

export type AnyLobbyMessage = Lobby | LobbyNews | Own | Paired | Done | Refused | Pong;
