import type { Box, Point, Size } from "./hexes";

const MOST = 8;
/** How far a pointer may stray before a press becomes a drag, in pixels. */
const SLACK = 7;
const SETTLE = 300;
/** How far a key pans, in pixels, and how much it zooms. */
const KEY_PAN = 80;
const KEY_ZOOM = 1.3;
const PANS: Record<string, [number, number]> = {
	ArrowLeft: [KEY_PAN, 0],
	ArrowRight: [-KEY_PAN, 0],
	ArrowUp: [0, KEY_PAN],
	ArrowDown: [0, -KEY_PAN],
};

/** The part of a picture that a window shows: the whole, or a zoomed and moved part. */
export class PanZoom {
	scale = $state(1);
	x = $state(0);
	y = $state(0);
	/** True while the picture is moved or zoomed. */
	moving = $state(false);
	dragging = $state(false);
	window = $state.raw<Size>({ width: 0, height: 0 });
	box = $state.raw<Box>({ x: 0, y: 0, width: 1, height: 1 });

	readonly fitted: Size = $derived.by(() => {
		const ratio = Math.min(this.window.width / this.box.width, this.window.height / this.box.height) || 0;
		return { width: this.box.width * ratio, height: this.box.height * ratio };
	});
	/** Pixels for each unit of the picture. */
	readonly pixels = $derived((this.fitted.width * this.scale) / this.box.width);

	private readonly pointers = new Map<number, Point>();
	private pressed: Point | undefined;
	private settleTimer: ReturnType<typeof setTimeout> | undefined;

	resize(window: Size, box: Box): void {
		const before = this.window.width > 0 ? this.toPicture(this.middle()) : undefined;
		this.window = window;
		this.box = box;
		if (this.scale === 1 || !before) this.fit();
		else this.lookAt(before);
	}

	fit(): void {
		this.scale = 1;
		this.x = 0;
		this.y = 0;
		this.keepInside();
	}

	pan(dx: number, dy: number): void {
		this.x += dx;
		this.y += dy;
		this.keepInside();
		this.stir();
	}

	zoom(factor: number, at: Point = this.middle()): void {
		const scale = Math.min(MOST, Math.max(1, this.scale * factor));
		this.x = at.x - ((at.x - this.x) * scale) / this.scale;
		this.y = at.y - ((at.y - this.y) * scale) / this.scale;
		this.scale = scale;
		this.keepInside();
		this.stir();
	}

	/** Zoom and pan by keys; true if the key was one of those. */
	pressKey(event: KeyboardEvent): boolean {
		const pan = event.shiftKey ? PANS[event.key] : undefined;
		if (pan) this.pan(...pan);
		else if (event.key === "+" || event.key === "=") this.zoom(KEY_ZOOM);
		else if (event.key === "-") this.zoom(1 / KEY_ZOOM);
		else if (event.key === "0") this.fit();
		else return false;
		return true;
	}

	/** The point of the picture at a point of the window, and the other way round. */
	toPicture({ x, y }: Point): Point {
		return { x: (x - this.x) / this.pixels + this.box.x, y: (y - this.y) / this.pixels + this.box.y };
	}

	toWindow({ x, y }: Point): Point {
		return { x: (x - this.box.x) * this.pixels + this.x, y: (y - this.box.y) * this.pixels + this.y };
	}

	/** Bring a point of the picture into the window if it is not there. */
	show(point: Point, border: number): void {
		const { x, y } = this.toWindow(point);
		const { width, height } = this.window;
		const dx = Math.max(0, border - x) - Math.max(0, x - (width - border));
		const dy = Math.max(0, border - y) - Math.max(0, y - (height - border));
		if (dx || dy) this.pan(dx, dy);
	}

	press(id: number, at: Point): void {
		this.pointers.set(id, at);
		this.pressed = this.pointers.size === 1 ? at : undefined;
	}

	/** Whether a single pointer presses, and has not moved. */
	get isPressed(): boolean {
		return this.pressed !== undefined;
	}

	/** A pointer has moved; true while it drags or pinches the picture. */
	drag(id: number, at: Point): boolean {
		const before = this.pointers.get(id);
		if (!before) return false;
		if (this.pointers.size > 1) {
			this.pinch(id, before, at);
		} else {
			if (this.pressed && Math.hypot(at.x - this.pressed.x, at.y - this.pressed.y) > SLACK) this.pressed = undefined;
			if (!this.pressed) this.pan(at.x - before.x, at.y - before.y);
		}
		if (this.pressed) return false;
		this.dragging = true;
		this.pointers.set(id, at);
		return true;
	}

	/** A pointer was lifted; true if it only pressed. */
	release(id: number): boolean {
		const wasPress = this.pressed !== undefined && this.pointers.has(id);
		this.pointers.delete(id);
		this.pressed = undefined;
		if (this.pointers.size === 0) this.dragging = false;
		return wasPress;
	}

	private pinch(id: number, before: Point, at: Point): void {
		const other = [...this.pointers].find(([key]) => key !== id)?.[1];
		if (!other) return;
		const reach = Math.hypot(before.x - other.x, before.y - other.y);
		if (reach > 0) this.zoom(Math.hypot(at.x - other.x, at.y - other.y) / reach, other);
	}

	private middle(): Point {
		return { x: this.window.width / 2, y: this.window.height / 2 };
	}

	private lookAt(point: Point): void {
		const { x, y } = this.middle();
		this.x = x - (point.x - this.box.x) * this.pixels;
		this.y = y - (point.y - this.box.y) * this.pixels;
		this.keepInside();
	}

	private keepInside(): void {
		this.x = clamp(this.x, this.window.width, this.fitted.width * this.scale);
		this.y = clamp(this.y, this.window.height, this.fitted.height * this.scale);
	}

	private stir(): void {
		this.moving = true;
		clearTimeout(this.settleTimer);
		this.settleTimer = setTimeout(() => {
			this.moving = false;
		}, SETTLE);
	}
}

/** Where the picture begins: in the middle if it is smaller than the window, else without a gap at its sides. */
function clamp(start: number, window: number, picture: number): number {
	if (picture <= window) return (window - picture) / 2;
	return Math.min(0, Math.max(window - picture, start));
}
