import { RefusalError } from "../net/refusal";
import {
	type AnyLobbyCommand,
	type AnyLobbyMessage,
	type Hello,
	type Lobby,
	type LobbyNews,
	type Own,
	type Paired,
	PROTOCOL,
	type Refusal,
} from "../protocol";

/** `refused`: the server does not let us in, and another attempt would not help. */
export type LineStatus = "connecting" | "online" | "offline" | "refused";

/** What the server reports without being asked. */
export type Report = Lobby | LobbyNews | Own | Paired;

type Asked = Exclude<AnyLobbyCommand, Hello | { type: "ping" }>;
/** A command before it gets its id. */
export type Wanted = Asked extends infer Each ? (Each extends { id: string } ? Omit<Each, "id"> : never) : never;

export interface LineHandlers {
	receive(report: Report): void;
	status(status: LineStatus, refusal?: Refusal): void;
}

/** The part of WebSocket that is used here. */
export interface Wire {
	onopen: (() => void) | null;
	onmessage: ((event: { data: string }) => void) | null;
	onclose: (() => void) | null;
	send(data: string): void;
	close(): void;
}

interface Waiting {
	command: Wanted & { id: string };
	resolve(): void;
	reject(error: RefusalError): void;
}

/** Milliseconds: before the first further attempt, and at most. */
const FIRST_DELAY = 400;
const LONGEST_DELAY = 10_000;
/** Milliseconds of silence after which the server is asked for a sign of life, and how long it has for that. */
const SILENCE = 10_000;
const PATIENCE = 8_000;

function open(): Wire {
	const scheme = location.protocol === "https:" ? "wss:" : "ws:";
	return new WebSocket(`${scheme}//${location.host}/ws/lobby`) as unknown as Wire;
}

/** A connection to the lobby. It comes back by itself, and repeats what was not answered: commands may come twice. */
export class Line {
	private readonly handlers: LineHandlers;
	private readonly open: () => Wire;
	private readonly waiting = new Map<string, Waiting>();
	private wire: Wire | undefined;
	private stopped = false;
	private greeted = false;
	private attempts = 0;
	private number = 0;
	private timer: ReturnType<typeof setTimeout> | undefined;

	constructor(handlers: LineHandlers, openWire = open) {
		this.handlers = handlers;
		this.open = openWire;
	}

	start(): void {
		if (this.stopped) return;
		this.handlers.status("connecting");
		const wire = this.open();
		this.wire = wire;
		this.greeted = false;
		wire.onopen = () => wire.send(JSON.stringify({ type: "hello", tokens: [], protocol: PROTOCOL } satisfies Hello));
		wire.onmessage = ({ data }) => this.take(JSON.parse(data) as AnyLobbyMessage);
		wire.onclose = () => this.lost();
		this.expect();
	}

	close(): void {
		this.stopped = true;
		this.drop();
		for (const { reject } of this.waiting.values()) reject(new RefusalError("closed"));
		this.waiting.clear();
	}

	/** Asks for something; resolves when it is done, even if the connection breaks in between. */
	ask(wanted: Wanted): Promise<void> {
		this.number += 1;
		const command = { ...wanted, id: String(this.number) };
		return new Promise((resolve, reject) => {
			this.waiting.set(command.id, { command, resolve, reject });
			if (this.greeted) this.wire?.send(JSON.stringify(command));
		});
	}

	/** Somebody looks again, or the network is back. */
	wake(): void {
		if (this.stopped) return;
		if (this.wire) this.askForLife();
		else {
			this.attempts = 0;
			clearTimeout(this.timer);
			this.start();
		}
	}

	private drop(): void {
		clearTimeout(this.timer);
		const { wire } = this;
		this.wire = undefined;
		this.greeted = false;
		if (!wire) return;
		wire.onopen = wire.onmessage = wire.onclose = null;
		wire.close();
	}

	private lost(refusal?: Refusal): void {
		this.drop();
		if (this.stopped) return;
		this.handlers.status("offline", refusal);
		const pause = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** this.attempts) * (0.5 + Math.random() / 2);
		this.attempts += 1;
		this.timer = setTimeout(() => this.start(), pause);
	}

	private expect(): void {
		clearTimeout(this.timer);
		this.timer = setTimeout(() => this.lost(), PATIENCE);
	}

	private askForLife(): void {
		if (!this.greeted) return;
		this.wire?.send(JSON.stringify({ type: "ping", id: "life" }));
		this.expect();
	}

	private take(message: AnyLobbyMessage): void {
		clearTimeout(this.timer);
		this.timer = setTimeout(() => this.askForLife(), SILENCE);
		switch (message.type) {
			case "pong":
				break;
			case "done":
				this.answered(message.id)?.resolve();
				break;
			case "refused":
				this.refused(message.id, message.refusal);
				break;
			default:
				this.handlers.receive(message);
				if (!this.greeted) this.begin();
		}
	}

	private begin(): void {
		this.greeted = true;
		this.attempts = 0;
		this.handlers.status("online");
		for (const { command } of this.waiting.values()) this.wire?.send(JSON.stringify(command));
	}

	private refused(id: string, refusal: Refusal): void {
		const error = new RefusalError(refusal.code, refusal.message);
		const waiting = this.answered(id);
		if (waiting) waiting.reject(error);
		else if (refusal.code === "protocol") {
			this.stopped = true;
			this.drop();
			this.handlers.status("refused", refusal);
		} else if (!this.greeted || refusal.code === "full") this.lost(refusal);
	}

	private answered(id: string): Waiting | undefined {
		const waiting = this.waiting.get(id);
		this.waiting.delete(id);
		return waiting;
	}
}
