import { tableRecord } from "../net/api";
import { tableOf } from "../net/keyring";

/** Lets the browser save the record of a game at a table as a file; 0 is the current game. */
export async function downloadRecord(tokens: string[], game = 0): Promise<void> {
	const text = await tableRecord(tokens, game);
	const table = tableOf(tokens[0] ?? "").slice(0, 6);
	download(text, `kingdom-builder-${table}${game > 0 ? `-${game}` : ""}.kbr`);
}

function download(text: string, name: string): void {
	const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
	const link = document.createElement("a");
	link.href = address;
	link.download = name;
	link.click();
	setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
