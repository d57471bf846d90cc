/** Texts kept in the browser. A browser that forbids it, or is full, keeps them until the page is closed. */
export class Shelf {
	readonly #storage: () => Storage;
	readonly #memory = new Map<string, string>();

	constructor(storage: () => Storage) {
		this.#storage = storage;
	}

	read(key: string): string | null {
		const kept = this.#memory.get(key);
		if (kept !== undefined) return kept;
		try {
			return this.#storage().getItem(key);
		} catch {
			return null;
		}
	}

	write(key: string, text: string): void {
		try {
			this.#storage().setItem(key, text);
			this.#memory.delete(key);
		} catch {
			this.#memory.set(key, text);
		}
	}

	readJson(key: string): unknown {
		try {
			return JSON.parse(this.read(key) ?? "null");
		} catch {
			return null;
		}
	}

	writeJson(key: string, value: unknown): void {
		this.write(key, JSON.stringify(value));
	}
}

export const device = new Shelf(() => window.localStorage);
export const session = new Shelf(() => window.sessionStorage);

export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
