/** What the server is told about where this browser takes pushes. */

const ROUTE = "/api/me/push";

async function send(method: "POST" | "DELETE", body: object): Promise<void> {
	const headers = { "Content-Type": "application/json" };
	const response = await fetch(ROUTE, { method, headers, body: JSON.stringify(body) });
	if (!response.ok) throw new Error(`${ROUTE} is answered with ${response.status}.`);
}

/** Tells the server where to send pushes, in place of another endpoint if there was one. */
export async function sendSubscription(subscription: PushSubscription, replaces = ""): Promise<void> {
	const { endpoint, keys } = subscription.toJSON();
	await send("POST", { endpoint, keys, replaces });
}

/** Tells the server to send no more pushes to an endpoint. */
export async function sendUnsubscription(endpoint: string): Promise<void> {
	await send("DELETE", { endpoint });
}
