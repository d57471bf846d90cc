import { tableRecord } from "../net/api";

/** Lets the browser save the record of a game at a table as a file; 0 is the current game. */
export async function downloadRecord(table: string, tokens: string[], game = 0): Promise<void> {
	const text = await tableRecord(table, tokens, game);
	download(text, `kingdom-builder-${table.slice(0, 6)}${game > 0 ? `-${game}` : ""}.kbr`);
}

/** Lets the browser save a text or a file. */
export function download(content: string | Blob, name: string): void {
	const address = URL.createObjectURL(
		typeof content === "string" ? new Blob([content], { type: "text/plain" }) : content,
	);
	const link = document.createElement("a");
	link.href = address;
	link.download = name;
	link.click();
	setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
