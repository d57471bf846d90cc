import { currentLocale, t } from "../i18n/index.svelte";

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
	["day", 86_400_000],
	["hour", 3_600_000],
	["minute", 60_000],
];
const MONTH = 30 * 86_400_000;

/** When something happened, as in "3 minutes ago"; as a date if it was long ago. */
export function timeAgo(moment: number, now = Date.now()): string {
	const passed = Math.max(0, now - moment);
	if (passed > MONTH) return new Intl.DateTimeFormat(currentLocale().tag, { dateStyle: "medium" }).format(moment);
	const words = new Intl.RelativeTimeFormat(currentLocale().tag, { numeric: "auto" });
	for (const [unit, length] of UNITS) {
		if (passed >= length) return words.format(-Math.floor(passed / length), unit);
	}
	return t("pages.justNow");
}
