import { cubicOut } from "svelte/easing";
import { prefersReducedMotion } from "svelte/motion";
import type { TransitionConfig } from "svelte/transition";
import type { Happening } from "../protocol";
import { centreOf } from "./hexes";

const BUILD_TIME = 200;
const GLIDE_TIME = 250;
/** Pieces that come in quick succession arrive one after the other, but nobody waits longer than this. */
const STAGGER = 110;
const LONGEST_WAIT = 450;

let nextArrival = 0;

function waitForTurn(): number {
	const now = performance.now();
	const delay = nextArrival - now > LONGEST_WAIT ? 0 : Math.max(0, nextArrival - now);
	nextArrival = now + delay + STAGGER;
	return delay;
}

export interface Arrival {
	hex: string;
	/** The hex that the piece comes from; nothing if it is new. */
	from?: string | undefined;
	/** Whether it was just put there; otherwise it only comes into view. */
	isNews: boolean;
}

/** A piece glides to its hex from where it was, or drops on it. */
export function arrive(_node: Element, { hex, from, isNews }: Arrival): TransitionConfig {
	if (prefersReducedMotion.current || !isNews) return { duration: 0 };
	if (from) {
		const start = centreOf(from);
		const end = centreOf(hex);
		const [dx, dy] = [start.x - end.x, start.y - end.y];
		return {
			delay: waitForTurn(),
			duration: GLIDE_TIME,
			easing: cubicOut,
			css: (time, rest) =>
				`transform: translate(${dx * rest}px, ${dy * rest - 26 * Math.sin(Math.PI * Math.min(1, time))}px)`,
		};
	}
	return {
		delay: waitForTurn(),
		duration: BUILD_TIME,
		easing: cubicOut,
		css: (time, rest) =>
			`transform: translate(0, ${-20 * rest}px) scale(${1 + 0.2 * rest}); opacity: ${Math.min(1, time * 2)}`,
	};
}

/** The hex that a piece came from before some events, in which it may have moved several times. */
export function originOf(happenings: readonly Happening[], hex: string): string | undefined {
	let from: string | undefined;
	for (const { kind, hexes } of [...happenings].reverse()) {
		if (kind === "moved" && hexes[1] === (from ?? hex)) from = hexes[0];
	}
	return from === hex ? undefined : from;
}
