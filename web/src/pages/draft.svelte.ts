import { t } from "../i18n/index.svelte";
import { characterName, componentOf, loaded } from "../net/catalogue.svelte";
import { allSections, type OwnMap, ownMaps, withOwnSections } from "../net/maps.svelte";
import { easyLevel, FIRST_GAME, ownName } from "../net/tables";
import type { ClockChoice, ComponentInfo, NewTable, Preview, SeatChoice, SectionInfo, SetupChoice } from "../protocol";
import { boardOf, onlyOffered, SLOTS, type Slot, slotsOf, swapped, withSection } from "./boards";

/** Who sits there: `me`, somebody else `here`, a `friend` by link, or the level of a bot behind `bot:`. */
export type Sitter = "me" | "here" | "friend" | `bot:${string}`;

export interface DraftSeat {
	/** Stays the same when seats change places. */
	id: number;
	sitter: Sitter;
	name: string;
	colour: number;
}

export const NO_CLOCK: ClockChoice = { kind: "none", start: 0, add: 0 };

export type BoardMode = "first" | "random" | "hand" | "drawn";

/** A setup in preparation, before a table is made from it. */
export class Draft {
	seats = $state<DraftSeat[]>([]);
	shuffle = $state(false);
	sets = $state<string[]>(baseBox());
	boardMode = $state<BoardMode>("random");
	slots = $state.raw<Slot[]>([]);
	/** The name of the own board of mode `drawn`. */
	drawn = $state(ownMaps.boards[0]?.name ?? "");
	pickCards = $state(false);
	cards = $state<string[]>([]);
	options = $state<string[]>([]);
	/** Empty for a new random one. */
	seed = $state("");
	/** Whether the table is open to everybody; otherwise it takes a link. */
	open = $state(false);
	clock = $state.raw<ClockChoice>(NO_CLOCK);
	wantsRating = $state(false);

	#lastId = 0;

	constructor(friends: boolean, open = false) {
		this.open = open;
		this.addSeat("me");
		this.addSeat(friends ? "friend" : `bot:${easyLevel()}`);
		const { wanted } = ownMaps;
		ownMaps.wanted = undefined;
		if (wanted) this.#takeMap(wanted);
	}

	/** Begins with a map from the workshop. */
	#takeMap({ name, section }: OwnMap): void {
		if (!section) {
			this.boardMode = "drawn";
			this.drawn = name;
			return;
		}
		if (!this.sets.includes(section.set)) this.sets = [...this.sets, section.set];
		const others = this.sections.filter(({ key }) => key !== section.key);
		this.slots = [section, ...others].slice(0, SLOTS).map(({ key }) => ({ key, turned: false }));
		this.boardMode = "hand";
	}

	readonly sections: SectionInfo[] = $derived(allSections().filter(({ set }) => this.sets.includes(set)));
	readonly cardsOffered: ComponentInfo[] = $derived(
		loaded().components.filter(({ kind, set }) => kind === "card" && this.sets.includes(set)),
	);
	readonly picksCards: boolean = $derived(this.pickCards && this.boardMode !== "first");
	readonly cardsMissing: number = $derived(this.picksCards ? loaded().limits.cards - this.cards.length : 0);
	/** Whether the boxes have enough sections. */
	readonly hasBoard: boolean = $derived(
		this.boardMode === "first" || this.boardMode === "drawn" || this.sections.length >= SLOTS,
	);
	/** What has to be chosen before the game can start. */
	readonly obstacle: string = $derived.by(() => {
		if (!this.hasBoard) return t("pages.sets.few");
		return this.cardsMissing > 0 ? t("pages.cards.missing", { n: this.cardsMissing }) : "";
	});
	readonly withFriends: boolean = $derived(this.seats.some(({ sitter }) => sitter === "friend"));

	readonly choice: SetupChoice = $derived.by(() => {
		const choice: SetupChoice = { sets: [...this.sets], options: [...this.options], seed: this.seed.trim() || null };
		if (this.boardMode === "first") return { ...choice, sets: baseBox(), board: FIRST_GAME };
		if (this.boardMode === "hand" && this.slots.length > 0) choice.board = boardOf(this.slots);
		if (this.boardMode === "drawn")
			choice.board = ownMaps.boards.find(({ name }) => name === this.drawn)?.board ?? null;
		if (this.pickCards && this.cardsMissing === 0) choice.cards = [...this.cards];
		return withOwnSections(choice);
	});

	/** Whether the server would rate such a game: with a clock, one person here, and a setup left to chance. */
	readonly canBeRated: boolean = $derived(
		loaded().limits.can_rate &&
			this.clock.kind !== "none" &&
			this.seats.filter(({ sitter }) => sitter === "me" || sitter === "here").length <= 1 &&
			!this.choice.sections,
	);

	readonly isRated: boolean = $derived(this.wantsRating && this.canBeRated);

	addSeat(sitter: Sitter): void {
		this.#lastId += 1;
		const colour = this.#freeColours()[0] ?? 0;
		this.seats.push({ id: this.#lastId, sitter, name: sitter === "me" ? ownName() : "", colour });
	}

	removeSeat(seat: DraftSeat): void {
		this.seats = this.seats.filter(({ id }) => id !== seat.id);
	}

	moveSeat(from: number, to: number): void {
		this.seats = swapped(this.seats, from, to);
	}

	/** Gives a seat a colour; the seat that had it gets the other colour. */
	paint(seat: DraftSeat, colour: number): void {
		const other = this.seats.find((each) => each.colour === colour);
		if (other) other.colour = seat.colour;
		seat.colour = colour;
	}

	toggleSet(key: string): void {
		this.sets = toggled(this.sets, key);
		this.slots = onlyOffered(
			this.slots,
			this.sections.map((section) => section.key),
		);
		this.cards = this.cards.filter((card) => this.sets.includes(componentOf(card)?.set ?? ""));
	}

	toggleCard(key: string): void {
		this.cards = toggled(this.cards, key);
	}

	toggleOption(key: string): void {
		this.options = toggled(this.options, key);
	}

	/** Switches to a board made by hand, beginning with the current one. */
	takeBoard(preview: Preview | undefined): void {
		const known = new Set(allSections().map(({ key }) => key));
		const shown = preview && slotsOf(preview.setup.sections?.join("/") ?? "", known);
		if (shown) this.slots = shown;
		this.boardMode = "hand";
	}

	putSection(at: number, key: string): void {
		this.slots = withSection(this.slots, at, key);
	}

	swapSections(one: number, other: number): void {
		this.slots = swapped(this.slots, one, other);
	}

	turnSection(at: number): void {
		this.slots = this.slots.map((slot, place) => (place === at ? { ...slot, turned: !slot.turned } : slot));
	}

	/** The name of the bot at a seat if the name is left empty. */
	botName(seat: DraftSeat): string {
		const character = isBot(seat.sitter) ? characterName(levelOf(seat.sitter)) : "";
		const alike = this.seats.filter(({ sitter }) => (character ? sitter === seat.sitter : isBot(sitter)));
		const n = alike.findIndex(({ id }) => id === seat.id) + 1;
		if (character) return alike.length > 1 ? `${character} ${n}` : character;
		return alike.length > 1 ? t("pages.seat.botNumber", { n }) : t("pages.seat.bot");
	}

	table(): NewTable {
		const seats = this.seats.map((seat) => this.#seatChoice(seat));
		const rated = this.isRated;
		return {
			seats: this.shuffle ? inAnyOrder(seats) : seats,
			// Nobody may know the setup of a rated game beforehand.
			setup: rated ? { ...this.choice, seed: null } : this.choice,
			clock: this.clock,
			rated,
			open: this.open,
		};
	}

	#seatChoice(seat: DraftSeat): SeatChoice {
		const name = seat.name.trim();
		const { colour } = seat;
		if (isBot(seat.sitter)) {
			return { kind: "bot", name: name || this.botName(seat), colour, level: levelOf(seat.sitter) };
		}
		return { kind: seat.sitter === "friend" ? "open" : "person", name, colour };
	}

	#freeColours(): number[] {
		return loaded()
			.colours.map((_, colour) => colour)
			.filter((colour) => this.seats.every((seat) => seat.colour !== colour));
	}
}

/** The box that all others add to comes first in the catalogue. */
function baseBox(): string[] {
	return loaded()
		.sets.slice(0, 1)
		.map(({ key }) => key);
}

export function isBot(sitter: Sitter): sitter is `bot:${string}` {
	return sitter.startsWith("bot:");
}

function levelOf(sitter: `bot:${string}`): string {
	return sitter.slice("bot:".length);
}

function toggled(list: readonly string[], item: string): string[] {
	return list.includes(item) ? list.filter((each) => each !== item) : [...list, item];
}

/** Shuffles the seats here and not at the server, since the tokens of the seats come in the order that was sent. */
function inAnyOrder<T>(list: readonly T[]): T[] {
	const result = [...list];
	for (let last = result.length - 1; last > 0; last--) {
		const other = Math.floor(Math.random() * (last + 1));
		[result[last], result[other]] = [result[other] as T, result[last] as T];
	}
	return result;
}
