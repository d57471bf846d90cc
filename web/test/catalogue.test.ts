import { afterEach, beforeEach, expect, test } from "vitest";
import { loadLanguage } from "../src/i18n/index.svelte";
import { catalogue, speakOfMap, textOf } from "../src/net/catalogue.svelte";
import { preferences } from "../src/preferences.svelte";
import type { Catalogue } from "../src/protocol";

const CATALOGUE = {
	components: [
		{ key: "workers", name: "Workers", text: "1 gold next to a {special}." },
		{ key: "toll", name: "Toll", text: "2 gold for each {special}." },
	],
	pieces: [],
	terrain: {},
	special: { 1: "location", K: "castle", N: "nomad space", I: "silo" },
} as unknown as Catalogue;

beforeEach(() => {
	preferences.language = "en";
	catalogue.value = CATALOGUE;
	speakOfMap(undefined);
});

afterEach(() => {
	preferences.language = "en";
	catalogue.value = undefined;
	speakOfMap(undefined);
});

test("outside a game a text names all kinds of special hexes", () => {
	expect(textOf("workers")).toBe("1 gold next to a location, castle, nomad space or silo.");
});

test("in a game it names those on the map", () => {
	speakOfMap(["GG1", "K2G"]);
	expect(textOf("workers")).toBe("1 gold next to a location or castle.");
	speakOfMap(["GGN"]);
	expect(textOf("workers")).toBe("1 gold next to a nomad space.");
	speakOfMap(["GGG"]);
	expect(textOf("toll")).toBe("2 gold for each location, castle, nomad space or silo.");
});

test("translations have their own words and forms; what has no translation stays English", async () => {
	preferences.language = "fr";
	await loadLanguage();
	speakOfMap(["GG1", "K2I"]);
	expect(textOf("workers")).toBe("1 pièce d’or pour chacune de vos cités à côté d’un lieu, d’un château ou d’un silo.");
	expect(textOf("toll")).toBe("2 gold for each location, castle or silo.");
	preferences.language = "de";
	await loadLanguage();
	expect(textOf("workers")).toBe("1 Gold für jede deiner Siedlungen neben Ort, Burg oder Silo.");
});
