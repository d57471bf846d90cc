import { getMe } from "../net/api";
import type { Me } from "../protocol";

/** The person at this device, as the server knows them. */
class Myself {
	/** Nothing before the server has answered, or if it could not be asked. */
	known = $state.raw<Me>();
	#asking: Promise<Me | undefined> | undefined;

	/** Who is at this device; asks the server once. Games by link need no answer. */
	ask(): Promise<Me | undefined> {
		this.#asking ??= getMe().then(
			(me) => {
				this.known = me;
				return me;
			},
			() => {
				this.#asking = undefined;
				return undefined;
			},
		);
		return this.#asking;
	}

	/** Asks the server again, since this device was signed out. */
	askAgain(): Promise<Me | undefined> {
		this.#asking = undefined;
		return this.ask();
	}

	/** Takes over what the server says after a change. */
	take(me: Me): void {
		this.known = me;
		this.#asking = Promise.resolve(me);
	}
}

export const myself = new Myself();
