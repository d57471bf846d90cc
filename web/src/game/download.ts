/** Let the browser save a text as a file. */
export function download(text: string, name: string): void {
	const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
	const link = document.createElement("a");
	link.href = address;
	link.download = name;
	link.click();
	setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
