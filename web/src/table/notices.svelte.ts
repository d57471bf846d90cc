import { untrack } from "svelte";
import { toast } from "../components/toast.svelte";
import { noticeWords } from "../game/words";
import { t } from "../i18n/index.svelte";
import type { TableState } from "./table.svelte";

/** Shows for a moment what happens to the people: the log may be out of sight. */
export function showNotices(tableState: TableState): void {
	let noticed: number | undefined;
	$effect(() => {
		const { table } = tableState;
		if (!table) return;
		const latest = table.notices.at(-1);
		if (latest && noticed !== undefined && latest.version > noticed)
			untrack(() => toast(noticeWords(latest, table.notices, table.seats)));
		noticed = latest?.version ?? 0;
	});

	let hadSeat = false;
	$effect(() => {
		if (tableState.status === "refused") return;
		const mayReturn = (tableState.table?.stand_ins.length ?? 0) > 0;
		if (hadSeat && tableState.watching && !mayReturn) toast(t("game.lostSeat"));
		hadSeat = !tableState.watching;
	});
}
