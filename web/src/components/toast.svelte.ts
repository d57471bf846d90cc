const SHOWN_MS = 5000;

class Toasts {
	text = $state("");
	#timer: ReturnType<typeof setTimeout> | undefined;

	show(text: string): void {
		clearTimeout(this.#timer);
		this.text = text;
		this.#timer = setTimeout(() => this.hide(), SHOWN_MS);
	}

	hide(): void {
		clearTimeout(this.#timer);
		this.text = "";
	}
}

export const toasts = new Toasts();

/** Shows and speaks a short sentence for a few seconds. */
export function toast(text: string): void {
	toasts.show(text);
}
