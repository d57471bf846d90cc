import { toast } from "../components/toast.svelte";
import { t } from "../i18n/index.svelte";
import { saySentence } from "../i18n/say";
import type { TableState } from "./table.svelte";

/** Why something was not done at a table, in words. */
export class Refusals {
	/** Why something cannot be done, where the server was not asked to do it. */
	reason = $state("");
	/** Why the server did not do what it was asked to do. */
	readonly byServer = $derived.by(() => {
		const { refusal, table } = this.#tableState;
		if (!refusal) return "";
		if (refusal.code === "stale") return t("game.stale");
		if (refusal.code === "muted") return t(table?.hushed ? "game.chat.hushed" : "game.chat.muted");
		return refusal.reason ? saySentence(refusal.reason, table?.seats) : "";
	});
	readonly words = $derived(this.reason || this.byServer);

	readonly #tableState: TableState;

	constructor(tableState: TableState) {
		this.#tableState = tableState;
	}

	/** Why the last command was not carried out; it is shown once. */
	take(): string {
		const said = this.byServer;
		this.#tableState.refusal = undefined;
		return said;
	}

	/** Shows why a command from a dialog was not carried out: the panel that normally says so is behind the dialog. */
	async toast<T>(command: Promise<T>): Promise<T> {
		const answer = await command;
		if (this.#tableState.refusal) toast(this.take());
		return answer;
	}
}
