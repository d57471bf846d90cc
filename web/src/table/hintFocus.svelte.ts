import type { HintState } from "../game/hintState.svelte";

/** Moves the keyboard focus of somebody who followed a hint once there are no more hints. */
export function focusAfterHints(hints: HintState, focus: () => void): void {
	let followedByKey = false;
	$effect.pre(() => {
		void hints.turns;
		followedByKey = document.activeElement?.matches(".suggestion") ?? false;
	});
	$effect(() => {
		if (hints.turns.length === 0 && followedByKey) focus();
	});
}
