import { preferences } from "../preferences.svelte";

/** A tone: pitch in hertz, when it begins and how long it lasts in seconds, how loud it is, and its colour. */
interface Tone {
	pitch: number;
	at: number;
	length: number;
	loudness: number;
	shape: OscillatorType;
	/** The pitch that it slides to. */
	glide?: number;
}

function tone(pitch: number, at: number, length: number, loudness: number, more: Partial<Tone> = {}): Tone {
	return { pitch, at, length, loudness, shape: "sine", ...more };
}

const SOUNDS = {
	build: [
		tone(210, 0, 0.09, 0.5, { shape: "triangle", glide: 90 }),
		tone(900, 0, 0.025, 0.12, { shape: "square", glide: 300 }),
	],
	move: [tone(180, 0, 0.12, 0.25, { shape: "triangle", glide: 260 }), tone(200, 0.13, 0.08, 0.4, { glide: 90 })],
	tile: [tone(784, 0, 0.12, 0.2), tone(1175, 0.07, 0.2, 0.2)],
	card: [tone(1400, 0, 0.05, 0.06, { shape: "sawtooth", glide: 500 })],
	turn: [tone(523, 0, 0.35, 0.22), tone(784, 0.13, 0.5, 0.22)],
	end: [tone(392, 0, 0.9, 0.18), tone(494, 0.12, 0.9, 0.18), tone(587, 0.24, 0.9, 0.18), tone(784, 0.36, 1.2, 0.2)],
	no: [tone(150, 0, 0.12, 0.3, { shape: "triangle", glide: 110 })],
	hurry: [0, 0.28, 0.56].map((at) => tone(988, at, 0.14, 0.2, { shape: "triangle" })),
	chat: [tone(660, 0, 0.1, 0.15), tone(880, 0.08, 0.12, 0.12)],
} satisfies Record<string, Tone[]>;

export type SoundName = keyof typeof SOUNDS;

let context: AudioContext | undefined;

/** Make a sound, if sounds are on and the browser allows it: not before somebody has touched the page. */
export function play(name: SoundName): void {
	if (!preferences.sound || typeof AudioContext === "undefined") return;
	if (navigator.userActivation?.hasBeenActive === false) return;
	context ??= new AudioContext();
	if (context.state === "suspended") void context.resume();
	for (const each of SOUNDS[name]) sing(context, each);
}

function sing(audio: AudioContext, { pitch, at, length, loudness, shape, glide }: Tone): void {
	const start = audio.currentTime + at;
	const source = audio.createOscillator();
	const volume = audio.createGain();
	source.type = shape;
	source.frequency.setValueAtTime(pitch, start);
	if (glide) source.frequency.exponentialRampToValueAtTime(glide, start + length);
	volume.gain.setValueAtTime(0, start);
	volume.gain.linearRampToValueAtTime(loudness * 0.5, start + 0.006);
	volume.gain.exponentialRampToValueAtTime(0.0005, start + length);
	source.connect(volume).connect(audio.destination);
	source.start(start);
	source.stop(start + length + 0.02);
}
