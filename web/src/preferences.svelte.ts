import type { SetBotSpeed } from "./protocol";
import { device, isRecord } from "./storage";

export type Theme = "auto" | "light" | "dark";
export type BotSpeed = SetBotSpeed["speed"];
export const BOT_SPEEDS: readonly BotSpeed[] = ["slow", "normal", "instant"];

export interface Preferences {
	theme: Theme;
	/** The code of a language, or `auto` for that of the browser. */
	language: string;
	sound: boolean;
	/** A small letter on each hex for its terrain. */
	letters: boolean;
	/** Names of columns and rows along the rim of the board. */
	coordinates: boolean;
	/** Whether the turn of the next person at this device stays covered until that person has it in hand. */
	handOver: boolean;
	/** How fast bots act. */
	botSpeed: BotSpeed;
	/** The name of the person at this device. */
	name: string;
}

const SHELF = "kb-preferences";
const DEFAULTS: Preferences = {
	theme: "auto",
	language: "auto",
	sound: true,
	letters: false,
	coordinates: false,
	handOver: true,
	botSpeed: "normal",
	name: "",
};

function stored(): Preferences {
	const kept = device.readJson(SHELF);
	const result: Record<string, unknown> = { ...DEFAULTS };
	if (isRecord(kept)) {
		for (const [key, usual] of Object.entries(DEFAULTS)) {
			if (typeof kept[key] === typeof usual) result[key] = kept[key];
		}
	}
	if (!BOT_SPEEDS.some((speed) => speed === result.botSpeed)) result.botSpeed = DEFAULTS.botSpeed;
	return result as unknown as Preferences;
}

export const preferences: Preferences = $state(stored());

/** Keeps the preferences and puts the theme on the page; returns a function that stops it. */
export function followPreferences(): () => void {
	return $effect.root(() => {
		$effect(() => device.writeJson(SHELF, preferences));
		$effect(() => {
			if (preferences.theme === "auto") delete document.documentElement.dataset.theme;
			else document.documentElement.dataset.theme = preferences.theme;
		});
	});
}
