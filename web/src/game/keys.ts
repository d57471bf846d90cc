/** What the keys of a page do, by the name of the key: `e`, `Escape`, `ArrowLeft`, `Ctrl+z`. */
export type KeyActions = Record<string, (event: KeyboardEvent) => void>;

/** The name of a key. Shift counts only with arrows: characters such as `?` need it on some keyboards only. */
function keyName({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): string {
	const name = key.length === 1 ? key.toLowerCase() : key;
	if (ctrlKey || metaKey) return `Ctrl+${name}`;
	if (altKey) return `Alt+${name}`;
	return shiftKey && key.startsWith("Arrow") ? `Shift+${name}` : name;
}

function isTyping(target: EventTarget | null): boolean {
	return target instanceof HTMLElement && target.matches("input, textarea, select");
}

/** What takes all keys while it is open: dialogs, and popovers such as the settings, which Esc closes. */
const IN_FRONT = 'dialog[open], [popovertarget][aria-expanded="true"]';

/** Does what a key stands for, unless somebody types or a dialog is open; `lensKey` gets the keys without an action. */
export function pressKey(event: KeyboardEvent, actions: KeyActions, lensKey: (event: KeyboardEvent) => boolean): void {
	if (event.defaultPrevented || isTyping(event.target) || document.querySelector(IN_FRONT)) return;
	const name = keyName(event);
	const action = actions[name];
	if (action) action(event);
	else if (name.startsWith("Ctrl+") || name.startsWith("Alt+") || !lensKey(event)) return;
	event.preventDefault();
}
