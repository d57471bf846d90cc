import { type Players, pictureOf } from "../net/api";

/** Pixels of a side that no picture exceeds: enough for a screen, little enough for every browser. */
const MOST_PIXELS = 2400;

/** The picture of a result as a PNG file. */
export async function resultPicture(position: string, players: Players): Promise<File> {
	const image = new Image();
	image.src = pictureOf(position, "", players);
	await image.decode();
	const scale = Math.min(2, MOST_PIXELS / Math.max(image.naturalWidth, image.naturalHeight));
	const canvas = document.createElement("canvas");
	canvas.width = Math.round(image.naturalWidth * scale);
	canvas.height = Math.round(image.naturalHeight * scale);
	canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
	const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
	if (!blob) throw new Error("The browser made no picture.");
	return new File([blob], "kingdom-builder.png", { type: blob.type });
}
