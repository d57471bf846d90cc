import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { hintsAt } from "../src/net/api";
import { explain } from "../src/net/explain";
import { patiently } from "../src/net/patience";
import { RefusalError } from "../src/net/refusal";
import { plain } from "./messages";

afterEach(() => vi.unstubAllGlobals());

describe("a server with too much to do", () => {
	beforeEach(() => vi.useFakeTimers());
	afterEach(() => vi.useRealTimers());

	test.each(["busy", "too-fast"])("is asked again after a while: %s", async (code) => {
		const attempt = vi.fn().mockRejectedValueOnce(new RefusalError(code)).mockResolvedValue("here");
		const answer = patiently(attempt);
		await vi.advanceTimersByTimeAsync(400);
		expect(attempt).toHaveBeenCalledTimes(1);
		await vi.advanceTimersByTimeAsync(1200);
		await expect(answer).resolves.toBe("here");
		expect(attempt).toHaveBeenCalledTimes(2);
	});

	test("is not asked for ever", async () => {
		const attempt = vi.fn().mockRejectedValue(new RefusalError("busy"));
		const answer = patiently(attempt).catch((error: unknown) => error);
		await vi.advanceTimersByTimeAsync(60_000);
		expect(await answer).toBeInstanceOf(RefusalError);
		expect(attempt).toHaveBeenCalledTimes(4);
	});

	test("is left alone if it said no for another reason", async () => {
		const attempt = vi.fn().mockRejectedValue(new RefusalError("malformed", plain("No.")));
		await expect(patiently(attempt)).rejects.toThrow("No.");
		expect(attempt).toHaveBeenCalledTimes(1);
	});
});

test.each([
	[429, "That was too much at once"],
	[503, "does not answer"],
	[500, "Something went wrong"],
])("a refusal without words, status %i, is told kindly", async (status, words) => {
	vi.stubGlobal("fetch", () => Promise.resolve(new Response("<html>", { status })));
	const error: unknown = await hintsAt("position").catch((reason: unknown) => reason);
	expect(explain(error)).toContain(words);
});

test("a refusal is told in the server's words if it has some, a damaged log in those of the page", () => {
	expect(explain(new RefusalError("busy", plain("Too many ask now.")))).toBe("Too many ask now.");
	expect(explain(new RefusalError("busy"))).toContain("a lot to do");
	expect(explain(new RefusalError("damaged", plain("checksum of entry 7")))).toContain("damaged");
});
