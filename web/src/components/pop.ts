import { cubicOut } from "svelte/easing";
import { prefersReducedMotion } from "svelte/motion";
import type { TransitionConfig } from "svelte/transition";

/** A transition for something small that appears. */
export function pop(_node: Element): TransitionConfig {
	if (prefersReducedMotion.current) return { duration: 0 };
	return { duration: 220, easing: cubicOut, css: (time) => `scale: ${0.4 + 0.6 * time}; opacity: ${time}` };
}
