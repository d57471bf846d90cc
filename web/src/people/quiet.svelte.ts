/** The people whose lines this browser does not show. Nobody else learns of it; a block does more, and is kept by the server. */

import { device } from "../storage";

const SHELF = "kb-quiet";
const MOST = 200;

class Quiet {
	#persons = $state.raw<ReadonlySet<string>>(read());

	has(person: string): boolean {
		return person !== "" && this.#persons.has(person);
	}

	/** Shows the lines of somebody again, or not any more. */
	set(person: string, on: boolean): void {
		const others = [...this.#persons].filter((each) => each !== person);
		this.#persons = new Set(on ? [...others, person].slice(-MOST) : others);
		device.writeJson(SHELF, [...this.#persons]);
	}
}

function read(): ReadonlySet<string> {
	const kept = device.readJson(SHELF);
	return new Set(Array.isArray(kept) ? kept.filter((each) => typeof each === "string") : []);
}

export const quiet = new Quiet();
