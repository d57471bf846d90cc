import type { About } from "../game/explaining.svelte";
import { HintState } from "../game/hintState.svelte";
import { Connection, type Request, type Settings, type State, type Status } from "../net/connection";
import { RefusalError } from "../net/refusal";
import type { BotSpeed } from "../preferences.svelte";
import type {
	ChatLine,
	Done,
	ExplanationView,
	Happening,
	LogLine,
	Message,
	Refusal,
	ScoreLine,
	SetupView,
	TableView,
	View,
} from "../protocol";
import { Clocks } from "./clocks.svelte";
import type { News } from "./news.svelte";
import type { PhraseKey } from "./phrases";

/** A command for which it is enough to know whether it was carried out. */
type Order = Exclude<Request, { type: "why" | "explain" | "scores" | "hint" | "look" }>;

/** What all players have to want. */
export type Wish = Extract<Request, { type: "consent" }>["to"];

/** The most chat lines that are kept here. */
const MOST_CHAT = 300;

type OnNews = (news: News, before: View | undefined) => void;

/** One table as it is seen here: everything the server sent, and the commands that can be given. */
export class TableState {
	status = $state<Status>("connecting");
	/** Why the server does not let us in. */
	turnedAway = $state.raw<Refusal>();
	table = $state.raw<TableView>();
	setup = $state.raw<SetupView>();
	view = $state.raw<View>();
	lines = $state.raw<LogLine[]>([]);
	chat = $state.raw<ChatLine[]>([]);
	version = $state(0);
	/** The hex of a move that is on its way. */
	pending = $state<string>();
	/** Why the last command was not carried out. */
	refusal = $state.raw<RefusalError>();
	/** What scores, if it was asked for in this version. */
	scores = $state.raw<{ ply: number; lines: ScoreLine[] }>();
	readonly clocks = new Clocks();
	readonly hints = new HintState();
	/** What happened last, for animations. */
	happenings = $state.raw<Happening[]>([]);

	readonly yours = $derived(this.table?.yours ?? []);
	readonly myTurn = $derived(this.view !== undefined && !this.view.over && this.yours.includes(this.view.player));
	/** The seat whose perspective this page has: the current one if it is played here. */
	readonly me = $derived(this.myTurn ? this.view?.player : this.yours[0]);
	readonly watching = $derived(this.yours.length === 0);

	private readonly connection: Connection;
	private readonly reasons = new Map<string, Promise<Message | null>>();
	private readonly onnews: OnNews;
	private queue: Promise<unknown> = Promise.resolve();
	private scoresAsked = -1;

	constructor(table: string, tokens: string[], onnews: OnNews, settings: Partial<Settings> = {}) {
		this.onnews = onnews;
		this.connection = new Connection(
			table,
			tokens,
			{
				receive: (message) => this.receive(message),
				status: (status, refusal) => {
					this.status = status;
					if (status !== "connecting") this.turnedAway = refusal;
					if (status === "refused") this.standBy();
				},
			},
			settings,
		);
	}

	start(): void {
		this.connection.start();
	}

	close(): void {
		this.connection.close();
	}

	wake(): void {
		this.connection.wake();
	}

	doubt(): void {
		this.connection.doubt();
	}

	/** Make a move. Moves made in quick succession wait for each other. */
	play(move: string): Promise<boolean> {
		return this.inOrder(() => {
			this.pending = move;
			return this.command({ type: "play", version: this.version, move });
		});
	}

	undo(wholeTurn = false): Promise<boolean> {
		return this.inOrder(() => this.command({ type: "undo", version: this.version, whole_turn: wholeTurn }));
	}

	/** Move another piece than the one that was chosen. */
	async choose(piece: string): Promise<boolean> {
		return (await this.undo()) && this.play(piece);
	}

	join(seat: number, name: string, colour: number): Promise<boolean> {
		return this.command({ type: "join", seat, name, colour });
	}

	/** Take a free seat; returns its token if this device needs one, an empty text if it does not, and null if it failed. */
	async sit(seat: number, name: string, colour: number): Promise<string | null> {
		const done = await this.order({ type: "sit", seat, name, colour });
		if (done?.token) this.connection.keep(done.token);
		return done && (done.token ?? "");
	}

	say(text: string, seat: number | null, name: string, phrase: PhraseKey | null = null): Promise<boolean> {
		return this.command({ type: "say", text, seat, name, phrase });
	}

	rematch(sameBoard: boolean): Promise<boolean> {
		return this.command({ type: "rematch", same_board: sameBoard });
	}

	/** Want something that happens once all players want it, or take that back. */
	consent(to: Wish, on = true): Promise<boolean> {
		return this.command({ type: "consent", to, on });
	}

	/** Want a bot to take the seat of somebody who has been away for long enough. */
	replace(seat: number): Promise<boolean> {
		return this.command({ type: "replace", seat });
	}

	/** Win a game of two, since the other player has been away for long enough. */
	claim(): Promise<boolean> {
		return this.command({ type: "claim" });
	}

	/** Give the own seat up. */
	leave(): Promise<boolean> {
		return this.command({ type: "leave" });
	}

	/** The hand of a seat that is played here; nothing if the server refuses. */
	async look(seat: number): Promise<string | undefined> {
		this.refusal = undefined;
		try {
			return (await this.connection.request({ type: "look", seat })).cards;
		} catch (error) {
			this.takeRefusal(error);
			return undefined;
		}
	}

	/** Let bots act faster or slower. */
	hurry(speed: BotSpeed): Promise<boolean> {
		return this.command({ type: "bot-speed", speed });
	}

	/** Tell whether somebody can see the page: if nobody can, the server tells them of their turn. */
	tellVisible(on: boolean): void {
		this.connection.request({ type: "visible", on }).catch(() => undefined);
	}

	/** Take a seat back from the bot that stands in. */
	takeBack(seat: number): Promise<boolean> {
		return this.command({ type: "take-back", seat });
	}

	/** Let the new player of a seat see its hand. */
	agree(seat: number): Promise<boolean> {
		return this.command({ type: "agree", seat });
	}

	/** Let spectators speak, or not. */
	hush(on: boolean): Promise<boolean> {
		return this.command({ type: "hush", on });
	}

	/** Let one spectator speak, or not. */
	mute(watcher: number, on: boolean): Promise<boolean> {
		return this.command({ type: "mute", watcher, on });
	}

	/** Send a spectator away. */
	remove(watcher: number): Promise<boolean> {
		return this.command({ type: "remove", watcher });
	}

	/** Give a seat to a bot, or with an empty level to a person; returns the token of the seat for a person. */
	reseat(seat: number, level: string): Promise<string | null> {
		return this.newKey({ type: "reseat", seat, level });
	}

	/** Make and return a new token for spectators; the old one is no longer valid. */
	renew(): Promise<string | null> {
		return this.newKey({ type: "renew" });
	}

	private async newKey(request: Extract<Request, { type: "reseat" | "renew" }>): Promise<string | null> {
		return (await this.order(request))?.token ?? null;
	}

	/** Why a move is not legal now. */
	why(move: string): Promise<Message | null> {
		let reason = this.reasons.get(move);
		if (!reason) {
			reason = this.connection.request({ type: "why", move }).then(
				(answer) => answer.reason,
				() => null,
			);
			this.reasons.set(move, reason);
		}
		return reason;
	}

	/** What is on a hex, or what a component means now. */
	async explain({ hex = "", key = "" }: About): Promise<ExplanationView[]> {
		return (await this.connection.request({ type: "explain", hex, key })).things;
	}

	/** Ask for the hexes that score, once in each position. */
	askScores(): void {
		const { view, version } = this;
		if (!view || this.scoresAsked === version) return;
		this.scoresAsked = version;
		this.connection.request({ type: "scores" }).then(
			({ lines }) => {
				if (this.view === view) this.scores = { ply: view.ply, lines };
			},
			() => {
				this.scoresAsked = -1;
			},
		);
	}

	/** Ask for hints; they are of use only in the position that they were asked for. */
	async askHint(): Promise<void> {
		const { view } = this;
		if (this.hints.asking) return;
		this.refusal = undefined;
		this.hints.asking = true;
		try {
			const { hints } = await this.connection.request({ type: "hint" });
			if (this.view === view) this.hints.take(hints);
		} catch (error) {
			if (this.view === view) this.takeRefusal(error);
		} finally {
			this.hints.asking = false;
		}
	}

	private inOrder(task: () => Promise<boolean>): Promise<boolean> {
		const result = this.queue.then(task).then((isDone) => {
			if (!isDone) this.pending = undefined;
			return isDone;
		});
		this.queue = result;
		return result;
	}

	private async command(request: Order): Promise<boolean> {
		return (await this.order(request)) !== null;
	}

	/** Give a command; nothing if it was not carried out. */
	private async order(request: Order): Promise<Done | null> {
		this.refusal = undefined;
		try {
			const done = await this.connection.request(request);
			this.version = Math.max(this.version, done.version);
			return done;
		} catch (error) {
			this.takeRefusal(error);
			return null;
		}
	}

	private takeRefusal(error: unknown): void {
		if (!(error instanceof RefusalError)) throw error;
		if (error.code !== "closed") this.refusal = error;
	}

	/** Nothing can be done here any more: the board is for looking at. */
	private standBy(): void {
		this.pending = undefined;
		this.hints.drop();
		if (this.view)
			this.view = {
				...this.view,
				legal: [],
				draws: [],
				cards: [],
				choices: [],
				why_not_end: null,
				undo: false,
				instead: [],
			};
		if (this.table)
			this.table = { ...this.table, yours: [], host: false, hints: false, watcher_list: [], agreeable: [], free: [] };
		this.clocks.take(null);
	}

	private receive(message: State): void {
		const before = this.view;
		if (message.type !== "chat") this.clocks.take(message.clock);
		switch (message.type) {
			case "welcome":
				this.table = message.table;
				this.setup = message.setup;
				this.chat = message.chat;
				this.hints.drop();
				this.take(message.version, message.view, message.lines, []);
				this.onnews({ lines: [], jumped: true }, before);
				break;
			case "update": {
				const kept = this.lines.filter(({ ply }) => ply <= message.since);
				const jumped = kept.length < this.lines.length;
				const happenings = jumped ? [] : message.lines.flatMap((line) => line.happenings);
				const moves = message.lines.map(({ move }) => move);
				if (jumped) this.hints.drop();
				else this.hints.follow(moves);
				this.take(message.version, message.view, [...kept, ...message.lines], happenings);
				this.onnews({ lines: message.lines, jumped }, before);
				break;
			}
			case "table":
				this.version = Math.max(this.version, message.version);
				this.table = message.table;
				break;
			case "chat": {
				this.version = Math.max(this.version, message.version);
				const heard = this.chat.at(-1)?.version ?? 0;
				this.chat = [...this.chat, ...message.lines.filter(({ version }) => version > heard)].slice(-MOST_CHAT);
				break;
			}
		}
	}

	private take(version: number, view: View, lines: LogLine[], happenings: Happening[]): void {
		this.version = version;
		this.happenings = happenings;
		this.pending = undefined;
		this.view = view;
		this.lines = lines;
		this.scores = undefined;
		this.reasons.clear();
	}
}
