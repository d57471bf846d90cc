import { afterEach, expect, test, vi } from "vitest";
import { filesOf, LOCALES } from "./locales";

const registration = vi.hoisted(() => ({ worker: {} as object | undefined }));
vi.mock("../src/webApp.svelte", () => ({ registerWorker: async () => registration.worker }));
const { findObstacle, subscribe, unsubscribe } = await import("../src/people/push");

const KEY = "BAEC-_8";

interface World {
	permission?: NotificationPermission;
	asked?: NotificationPermission;
	before?: string;
	status?: number;
}

/** A browser that can take pushes; what it and the server were told. */
function browser({ permission = "default", asked = "granted", before, status = 200 }: World = {}): string[] {
	const told: string[] = [];
	const made = (endpoint: string) => ({
		endpoint,
		toJSON: () => ({ endpoint, keys: { p256dh: "p", auth: "a" } }),
		unsubscribe: async () => void told.push(`unsubscribe ${endpoint}`),
	});
	let current = before ? made(before) : null;
	const pushManager = {
		getSubscription: async () => current,
		subscribe: async ({ applicationServerKey }: { applicationServerKey: Uint8Array }) => {
			told.push(`subscribe ${[...applicationServerKey]}`);
			current = made("https://push/new");
			return current;
		},
	};
	registration.worker = { pushManager };
	vi.stubGlobal("isSecureContext", true);
	vi.stubGlobal("PushManager", class {});
	vi.stubGlobal("Notification", { permission, requestPermission: async () => asked });
	vi.stubGlobal("navigator", {
		userAgent: "",
		serviceWorker: { ready: { pushManager }, getRegistration: async () => registration.worker },
	});
	vi.stubGlobal("fetch", async (path: string, { method, body }: { method: string; body: string }) => {
		told.push(`${method} ${path} ${body}`);
		return new Response("", { status });
	});
	return told;
}

afterEach(() => vi.unstubAllGlobals());

test("what stands in the way is found without asking", () => {
	vi.stubGlobal("isSecureContext", false);
	expect(findObstacle()).toBe("insecure");
	vi.stubGlobal("isSecureContext", true);
	expect(findObstacle()).toBe("unsupported");
	vi.stubGlobal("matchMedia", () => ({ matches: false }));
	vi.stubGlobal("navigator", { userAgent: "iPhone", serviceWorker: {} });
	expect(findObstacle()).toBe("install");
	browser({ permission: "denied" });
	expect(findObstacle()).toBe("denied");
	browser();
	expect(findObstacle()).toBeUndefined();
});

test("every obstacle has words in every language", () => {
	for (const [code] of LOCALES) expect(Object.keys(filesOf(code).parts.push ?? {})).toHaveLength(6);
});

test("a subscription goes to the server, in place of the one before", async () => {
	const told = browser({ before: "https://push/old" });
	expect(await subscribe(KEY)).toBeUndefined();
	expect(told).toEqual([
		"unsubscribe https://push/old",
		"subscribe 4,1,2,251,255",
		`POST /api/me/push ${JSON.stringify({ endpoint: "https://push/new", keys: { p256dh: "p", auth: "a" }, replaces: "https://push/old" })}`,
	]);
});

test.each([
	["denied", "denied"],
	["default", "unanswered"],
] as const)("a person who answers %s is not subscribed", async (asked, obstacle) => {
	const told = browser({ asked });
	expect(await subscribe(KEY)).toBe(obstacle);
	expect(told).toEqual([]);
});

test("a subscription that the server does not take is ended", async () => {
	const told = browser({ status: 503 });
	await expect(subscribe(KEY)).rejects.toThrow("503");
	expect(told.at(-1)).toBe("unsubscribe https://push/new");
});

test("the browser forgets first, then the server is told", async () => {
	const told = browser({ before: "https://push/old" });
	await unsubscribe();
	expect(told).toEqual(["unsubscribe https://push/old", 'DELETE /api/me/push {"endpoint":"https://push/old"}']);
});
