import {
	type AnyCommand,
	type AnyMessage,
	type Breakdown,
	type Chat,
	type Difference,
	type Done,
	type Explained,
	type Hand,
	type Hello,
	type Hints,
	PROTOCOL,
	type Reason,
	type Refusal,
	type Refused,
	type Table,
	type Update,
	type Welcome,
} from "../protocol";
import { Held } from "./differences";
import { RefusalError } from "./refusal";

/** `online`: the page shows what the server has. `refused`: the server does not let us in, and retrying is no use. */
export type Status = "connecting" | "online" | "offline" | "refused" | "closed";

type Answer = Done | Hand | Reason | Explained | Breakdown | Hints;
type Asked = Exclude<AnyCommand, Hello | { type: "ping" }>;
/** A command before it gets its id. */
export type Request = Asked extends infer Each ? (Each extends { id: string } ? Omit<Each, "id"> : never) : never;

/** What the server reports about the table without being asked. */
export type State = Welcome | Update | Table | Chat;

export interface Handlers {
	receive(message: State): void;
	status(status: Status, refusal?: Refusal): void;
}

/** The part of WebSocket that is used here. */
export interface Socket {
	onopen: (() => void) | null;
	onmessage: ((event: { data: string }) => void) | null;
	onclose: ((event: { code: number }) => void) | null;
	send(data: string): void;
	close(code?: number): void;
}

export interface Settings {
	open(table: string): Socket;
	random(): number;
	newId(): string;
	/** What else the server is told at the beginning of each connection. */
	greeting(): Pick<Hello, "bot_speed" | "visible">;
	firstDelay: number;
	longestDelay: number;
	/** Milliseconds without a message after which the server is asked for a sign of life. */
	silence: number;
	/** Milliseconds to wait for that sign before another connection is made. */
	patience: number;
	/** Milliseconds to wait for the first message of a connection: slow lines need longer for it. */
	arrival: number;
}

interface Waiting {
	command: Request & { id: string };
	sent: boolean;
	resolve(answer: Answer): void;
	reject(error: RefusalError): void;
}

function socketAddress(table: string): string {
	return `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}/ws/${encodeURIComponent(table)}`;
}

/** An id that nobody else has. `crypto.randomUUID` exists only on secure pages, not for a table in the local network. */
function randomId(): string {
	return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("-");
}

const DEFAULTS: Settings = {
	open: (table) => new WebSocket(socketAddress(table)) as unknown as Socket,
	random: Math.random,
	newId: randomId,
	greeting: () => ({}),
	firstDelay: 300,
	longestDelay: 15_000,
	silence: 2500,
	patience: 6500,
	arrival: 10_000,
};

/** Codes of refusals that end a visit, at its beginning or later: another attempt would not help. */
const FAREWELLS = new Set(["unknown-key", "gone", "void-key", "removed", "damaged", "newer", "outdated"]);
/** Codes of refusals of the greeting for which another attempt would not help. */
const FINAL = new Set([...FAREWELLS, "protocol", "forbidden", "malformed"]);

/** The code with which the page says that it leaves on purpose: the others need not wait for it to come back. */
const LEFT = 1000;
/** The code with which the server closes all connections when it restarts. */
const RESTART = 1012;
/** Milliseconds over which pages come back after that, so that they do not all come at once. */
const SPREAD = 2000;
/** Milliseconds after which commands that came too fast are sent again. */
const BREATH = 1000;

/**
 * A connection to one table that survives breaks: it comes back by itself, goes on where it was, and repeats the
 * commands that were not answered, under the same ids, so that each is carried out once.
 */
export class Connection {
	private readonly table: string;
	private readonly tokens: Set<string>;
	private readonly handlers: Handlers;
	private readonly settings: Settings;
	private readonly waiting = new Map<string, Waiting>();
	private socket: Socket | undefined;
	private greeted = false;
	private attempts = 0;
	private stopped = false;
	private version = 0;
	private game = 0;
	private readonly held = new Held();
	/** Whether we ask for what has changed instead of everything. */
	private differences = true;
	private retryTimer: ReturnType<typeof setTimeout> | undefined;
	private lifeTimer: ReturnType<typeof setTimeout> | undefined;
	private breathTimer: ReturnType<typeof setTimeout> | undefined;

	/** Without a token, the server has to know the person at this device. */
	constructor(table: string, tokens: string[], handlers: Handlers, settings: Partial<Settings> = {}) {
		this.table = table;
		this.tokens = new Set(tokens);
		this.handlers = handlers;
		this.settings = { ...DEFAULTS, ...settings };
	}

	start(): void {
		this.connect();
	}

	/** Leave for good. */
	close(): void {
		this.stopped = true;
		this.drop(LEFT);
		clearTimeout(this.retryTimer);
		this.rejectAll(new RefusalError("closed"));
		this.handlers.status("closed");
	}

	/** Show another token too, from the next connection on: this one has it already. */
	keep(token: string): void {
		this.tokens.add(token);
	}

	/** Ask for something; the answer comes even if the connection breaks in between. */
	request(request: Extract<Request, { type: "why" }>): Promise<Reason>;
	request(request: Extract<Request, { type: "explain" }>): Promise<Explained>;
	request(request: Extract<Request, { type: "scores" }>): Promise<Breakdown>;
	request(request: Extract<Request, { type: "hint" }>): Promise<Hints>;
	request(request: Extract<Request, { type: "look" }>): Promise<Hand>;
	request(request: Exclude<Request, { type: "why" | "explain" | "scores" | "hint" | "look" }>): Promise<Done>;
	request(request: Request): Promise<Answer> {
		return new Promise((resolve, reject) => {
			const command = { ...request, id: this.settings.newId() };
			const waiting: Waiting = { command, sent: false, resolve, reject };
			if (this.stopped) {
				reject(new RefusalError("closed"));
				return;
			}
			this.waiting.set(command.id, waiting);
			this.transmit(waiting);
		});
	}

	/** Make the next attempt at once: the network is back, or somebody looks. */
	wake(): void {
		if (this.stopped) return;
		if (!this.socket) this.retryNow();
		else if (this.greeted) this.askForLife();
	}

	/** The network says that it is gone: do not wait for the socket to notice. */
	doubt(): void {
		if (!this.stopped && this.socket) this.lost();
	}

	private retryNow(): void {
		this.drop();
		clearTimeout(this.retryTimer);
		this.attempts = 0;
		this.connect();
	}

	private connect(): void {
		if (this.stopped) return;
		this.handlers.status("connecting");
		let socket: Socket;
		try {
			socket = this.settings.open(this.table);
		} catch {
			this.lost();
			return;
		}
		this.socket = socket;
		this.greeted = false;
		socket.onopen = () => {
			const { version, game, differences } = this;
			const tokens = [...this.tokens];
			const greeting = this.settings.greeting();
			const hello: Hello = { type: "hello", tokens, protocol: PROTOCOL, version, game, differences, ...greeting };
			socket.send(JSON.stringify(hello));
		};
		socket.onmessage = ({ data }) => {
			this.watchLife();
			this.receive(JSON.parse(data) as AnyMessage);
		};
		socket.onclose = ({ code }) => this.lost(undefined, code);
		this.expect(this.settings.arrival);
	}

	/** Forget the socket without waiting for its close, which may take minutes on a dead line. */
	private drop(code?: number): void {
		clearTimeout(this.lifeTimer);
		clearTimeout(this.breathTimer);
		const socket = this.socket;
		this.socket = undefined;
		this.greeted = false;
		for (const waiting of this.waiting.values()) waiting.sent = false;
		if (!socket) return;
		socket.onopen = socket.onmessage = socket.onclose = null;
		socket.close(code);
	}

	private lost(refusal?: Refusal, code?: number): void {
		this.drop();
		if (this.stopped) return;
		this.handlers.status("offline", refusal);
		const pause = code === RESTART && this.attempts === 0 ? SPREAD * this.settings.random() : this.nextPause();
		this.attempts += 1;
		clearTimeout(this.retryTimer);
		this.retryTimer = setTimeout(() => this.connect(), pause);
	}

	private nextPause(): number {
		const { firstDelay, longestDelay, random } = this.settings;
		return Math.min(longestDelay, firstDelay * 2 ** this.attempts) * (0.5 + random() / 2);
	}

	/** Wait for a message; without one the connection counts as dead. */
	private expect(patience = this.settings.patience): void {
		clearTimeout(this.lifeTimer);
		this.lifeTimer = setTimeout(() => this.lost(), patience);
	}

	private watchLife(): void {
		clearTimeout(this.lifeTimer);
		this.lifeTimer = setTimeout(() => this.askForLife(), this.settings.silence);
	}

	private askForLife(): void {
		this.socket?.send(JSON.stringify({ type: "ping", id: this.settings.newId() }));
		this.expect();
	}

	private receive(message: AnyMessage): void {
		switch (message.type) {
			case "welcome":
				this.game = message.table.game;
				this.takeState(message);
				break;
			case "update":
			case "table":
			case "chat":
				this.takeState(message);
				break;
			case "difference":
				this.takeDifference(message);
				break;
			case "refused":
				this.takeRefusal(message);
				break;
			case "done":
			case "hand":
			case "reason":
			case "explained":
			case "breakdown":
			case "hints":
				this.answer(message.id)?.resolve(message);
				break;
			case "pong":
				break;
		}
	}

	private takeDifference(message: Difference): void {
		let update: Update;
		try {
			update = this.held.updated(message);
		} catch {
			this.startOver();
			return;
		}
		this.takeState(update);
	}

	/** Ask for everything again, and for no more differences. */
	private startOver(): void {
		this.differences = false;
		this.version = this.game = 0;
		this.retryNow();
	}

	private takeState(message: State): void {
		if (message.type === "welcome" || message.type === "update") this.held.take(message);
		this.version = message.type === "welcome" ? message.version : Math.max(this.version, message.version);
		this.handlers.receive(message);
		if (this.greeted) return;
		this.greeted = true;
		this.attempts = 0;
		this.handlers.status("online");
		for (const waiting of this.waiting.values()) this.transmit(waiting);
	}

	private takeRefusal({ id, refusal }: Refused): void {
		const { code } = refusal;
		if (this.waiting.has(id)) this.answer(id)?.reject(new RefusalError(code, refusal.message));
		else if (this.greeted ? FAREWELLS.has(code) : FINAL.has(code)) this.turnedAway(refusal);
		else if (!this.greeted) this.lost(refusal);
		else if (code === "full") this.makeRoom(refusal);
		else if (code === "too-fast") this.takeBreath();
	}

	private turnedAway(refusal: Refusal): void {
		this.stopped = true;
		this.drop();
		this.rejectAll(new RefusalError(refusal.code, refusal.message));
		this.handlers.status("refused", refusal);
	}

	/** Another page got our place: coming back at once would only push out yet another one. */
	private makeRoom(refusal: Refusal): void {
		this.attempts = Number.POSITIVE_INFINITY;
		this.lost(refusal);
	}

	/** A command came too fast to be read, and nobody knows which one: send all commands without an answer again. */
	private takeBreath(): void {
		clearTimeout(this.breathTimer);
		this.breathTimer = setTimeout(() => {
			for (const waiting of this.waiting.values()) {
				waiting.sent = false;
				this.transmit(waiting);
			}
		}, BREATH);
	}

	private transmit(waiting: Waiting): void {
		if (!this.greeted || waiting.sent || !this.socket) return;
		waiting.sent = true;
		this.socket.send(JSON.stringify(waiting.command));
		this.expect();
	}

	private answer(id: string): Waiting | undefined {
		const waiting = this.waiting.get(id);
		this.waiting.delete(id);
		return waiting;
	}

	private rejectAll(error: RefusalError): void {
		for (const { reject } of this.waiting.values()) reject(error);
		this.waiting.clear();
	}
}
