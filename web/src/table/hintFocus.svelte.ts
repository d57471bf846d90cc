import type { HintState } from "../game/hintState.svelte";

/** Whoever followed a hint by keyboard goes on elsewhere when there is none any more. */
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
