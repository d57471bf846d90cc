import type { LessonPlace, StepInfo } from "../protocol";

/**
 * The steps that can be shown now, from the first to the last: what they say is true in this position. The last is the
 * one that the game waits for; those before it are to be read.
 */
export function stepsNow(
	steps: readonly StepInfo[],
	{ step, begun }: Pick<LessonPlace, "step" | "begun">,
): [number, number] {
	const last = Math.min(step, steps.length - 1);
	let first = last;
	while (!begun && first > 0 && steps[first - 1]?.kind === "read") first -= 1;
	return [first, last];
}

/**
 * The step to show to somebody who was at `before` last: the nearest that can be shown now. Whoever has gone on begins to
 * read there; whoever has taken something back does not read it again.
 */
export function stepToShow(
	steps: readonly StepInfo[],
	place: Pick<LessonPlace, "step" | "begun">,
	before: string | undefined,
): number {
	const [first, last] = stepsNow(steps, place);
	const at = steps.findIndex(({ key }) => key === before);
	return Math.min(Math.max(at, first), last);
}
