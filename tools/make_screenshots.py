"""Draws the pictures in docs/screenshots, and the matrix in build/screenshots: the page as people see it.

Run by `make screenshots`. The matrix is the table at its great moments at each size, to look at; it is not kept.
The same games each time: the server draws its cards by a seed, and greedy bots choose the moves.
"""

import base64
import os
import re
import struct
import sys
import threading
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, Literal

import uvicorn
from browser.chromium import open_chromium
from browser.positions import first_uses, full_table
from browser.users import Browsers, BrowserUser
from playwright.sync_api import Error, Page, expect
from server.client import Client, Server

from kingdom_builder.server.app import make_app
from kingdom_builder.server.desk import bot_turn as think
from kingdom_builder.server.settings import Settings
from kingdom_builder.server.tables import Tables

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "screenshots"
MATRIX = ROOT / "build" / "screenshots"
HANDHELD = ((360, 640), (390, 844), (667, 375), (844, 390), (820, 1180))
DESKS = ((1280, 720), (1440, 900), (1920, 1080), (3840, 2160))
NAMES = ("Ann", "Ben", "Cleo")
FIVE = ("Ann", "Ben", "Cleo", "Dominic", "Elisabeth")
MIDDLE = 8
"""The round in which the pictures of a game are taken."""

SETUP = {"board": "oracle/paddock'/tower/harbor", "cards": ["fishermen", "merchants", "knights"], "seed": "7"}
MOVES_A_PIECE = ("paddock", "harbor", "barn")

# The colours of a picture, reduced to 256 by median cut; returned as the palette and the pixels, both in base64.
REDUCE = """async (data) => {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    const pen = canvas.getContext("2d", { willReadFrequently: true });
    pen.drawImage(picture, 0, 0);
    const pixels = pen.getImageData(0, 0, picture.width, picture.height).data;
    const bins = new Map();
    const binOf = (i) => ((pixels[i] >> 2) << 12) | ((pixels[i + 1] >> 2) << 6) | (pixels[i + 2] >> 2);
    for (let i = 0; i < pixels.length; i += 4) {
        const key = binOf(i);
        const bin = bins.get(key);
        if (bin) bin.count += 1;
        else bins.set(key, { key, count: 1, colour: [pixels[i], pixels[i + 1], pixels[i + 2]] });
    }
    const size = (box) => box.reduce((sum, { count }) => sum + count, 0);
    const mean = (box, c) => Math.round(box.reduce((sum, { count, colour }) => sum + count * colour[c], 0) / size(box));
    const widest = (box) => {
        const spans = [0, 1, 2].map((c) => {
            const values = box.map(({ colour }) => colour[c]);
            return values.reduce((a, b) => Math.max(a, b)) - values.reduce((a, b) => Math.min(a, b));
        });
        const span = Math.max(...spans);
        return { box, span, channel: spans.indexOf(span), weight: span * Math.sqrt(size(box)) };
    };
    const boxes = [widest([...bins.values()])];
    while (boxes.length < 256) {
        boxes.sort((a, b) => b.weight - a.weight);
        const { box, channel, span } = boxes[0];
        if (span === 0) break;
        box.sort((a, b) => a.colour[channel] - b.colour[channel]);
        const half = size(box) / 2;
        let cut = 1;
        let sum = box[0].count;
        while (cut < box.length - 1 && sum + box[cut].count <= half) sum += box[cut++].count;
        boxes.splice(0, 1, widest(box.slice(0, cut)), widest(box.slice(cut)));
    }
    const palette = [];
    const indexOf = new Map();
    boxes.forEach(({ box }, index) => {
        for (const c of [0, 1, 2]) palette.push(mean(box, c));
        for (const { key } of box) indexOf.set(key, index);
    });
    const indices = new Uint8Array(pixels.length / 4);
    for (let i = 0; i < indices.length; i += 1) indices[i] = indexOf.get(binOf(4 * i));
    const text = (list) => {
        let out = "";
        for (let i = 0; i < list.length; i += 8192) out += String.fromCharCode(...list.slice(i, i + 8192));
        return btoa(out);
    };
    return [picture.width, picture.height, text(palette), text(indices)];
}"""


def save(page: Page, name: str, reducer: Page) -> None:
    """Write what a page shows as a PNG of at most 256 colours."""
    page.evaluate("() => document.activeElement?.blur()")
    page.wait_for_timeout(600)
    data = base64.b64encode(page.screenshot(animations="disabled")).decode()
    width, height, palette, indices = reducer.evaluate(REDUCE, data)
    pixels = base64.b64decode(indices)
    rows = b"".join(b"\0" + pixels[row * width : (row + 1) * width] for row in range(height))
    chunks = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        (b"PLTE", base64.b64decode(palette)),
        (b"IDAT", zlib.compress(rows, 9)),
        (b"IEND", b""),
    )
    png = b"\x89PNG\r\n\x1a\n"
    for kind, content in chunks:
        png += struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
    (FOLDER / f"{name}.png").write_bytes(png)


@contextmanager
def serving() -> Iterator[Server]:
    """A server in this process that draws cards by a seed."""
    ready = threading.Event()
    tables = Tables(Settings(messages_per_second=100_000), Random("screenshots"))
    server = uvicorn.Server(
        uvicorn.Config(make_app(tables, ready.set), port=0, log_level="warning", ws="websockets-sansio")
    )
    thread = threading.Thread(target=server.run)
    thread.start()
    ready.wait()
    while not server.started:
        ready.wait(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield Server(os.getpid(), f"http://127.0.0.1:{port}/", Path(os.devnull))
    finally:
        server.should_exit = True
        thread.join()


class Game:
    """A game that bots play until a picture of it is wanted."""

    def __init__(self, server: Server) -> None:
        seats = [{"kind": "person", "name": name} for name in NAMES]
        self.server = server
        with server.http() as http:
            self.made: dict[str, Any] = http.post("/api/tables", json={"seats": seats, "setup": SETUP}).json()

    def play(self, client: Client) -> None:
        """One action as a bot would choose it."""
        with self.server.http(self.made["seats"][client.view["player"]]) as http:
            position = http.get("/api/table/replay").json()["frames"][-1]["position"]
        for move in think("greedy", position, position).moves:
            client.play(move)

    def play_until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        with Client(self.server, *self.made["seats"]) as client:
            while not client.view["over"] and not wanted(client.view):
                self.play(client)
            return client.view


def draw(browsers: Browsers, server: Server, reducer: Page) -> None:
    desk = browsers()
    save(desk.open().page, "start", reducer)
    draw_set_up(desk, reducer)
    desk.open("/rules/building")
    expect(desk.page.locator("main img").first).to_be_visible()
    save(desk.page, "rules", reducer)

    game = Game(server)
    game.play_until(lambda view: view["round"] == MIDDLE and view["player"] == 0)
    schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for scheme in schemes:
        user = browsers(color_scheme=scheme)
        user.own(game.made, 0)
        sight = user.await_turn()
        if scheme == "light":
            user.take(sight, sight.glowing[0])
        x, y = user.pixel(user.look().glowing[-1])
        user.page.mouse.move(x, y)
        save(user.page, "game" if scheme == "light" else "dark", reducer)
    phone = browsers.phone()
    phone.own(game.made, 0)
    save(phone.page, "phone", reducer)

    draw_tile(browsers, game, reducer)
    game.play_until(lambda view: False)
    user = browsers().own(game.made, 0)
    expect(user.find("final").get_by_role("figure")).to_be_visible()
    save(user.page, "final", reducer)
    user.press("replay")
    expect(user.find("replay-slider")).to_be_visible()
    length = int(user.find("replay-slider").get_attribute("max") or 0)
    user.find("replay-slider").fill(str(length * 2 // 3))
    save(user.page, "replay", reducer)


def draw_set_up(user: BrowserUser, reducer: Page) -> None:
    user.open("/new")
    expect(user.find("seed")).not_to_have_value("")
    for box in ("nomads", "crossroads"):
        user.press(f"set-{box}")
    user.find("seed").fill("2026")
    user.page.keyboard.press("Tab")
    user.press("board-hand")
    for place, section in enumerate(("oracle", "garden", "monastery", "tavern")):
        user.find(f"slot-{place}").select_option(section)
        if user.find(f"turn-{place}").get_attribute("aria-pressed") == "true":
            user.press(f"turn-{place}")
    user.press("turn-3")
    preview = user.find("preview").get_by_role("img")
    expect(preview).to_have_attribute("aria-label", re.compile("oracle/garden/monastery/tavern'"))
    user.page.mouse.move(5, 5)
    save(user.page, "set-up", reducer)


def draw_tile(browsers: Browsers, game: Game, reducer: Page) -> None:
    """Somebody moves a piece: the source is chosen, the pointer is on a target."""
    view = game.play_until(lambda view: view["round"] > MIDDLE and any(key in view["legal"] for key in MOVES_A_PIECE))
    user = browsers().own(game.made, view["player"])
    sight = user.await_turn()
    key = next(key for key in MOVES_A_PIECE if key in sight.tiles)
    sight = user.do(sight, f"tile-{key}")
    sight = user.take(sight, sight.glowing[len(sight.glowing) // 2])
    x, y = user.pixel(sight.glowing[-1])
    user.page.mouse.move(x, y)
    save(user.page, "tile", reducer)
    user.press("restart")
    user.moved_from(sight.ply)


class Lens:
    """Takes pictures of one page at several sizes, as `moment-1440x900.png`."""

    def __init__(self, folder: Path, user: BrowserUser, sizes: Sequence[tuple[int, int]]) -> None:
        self.folder = folder
        self.user = user
        self.sizes = sizes

    def shoot(self, moment: str, prepare: Callable[[], bool] = lambda: True) -> None:
        """A picture at each size at which the page can be prepared for it."""
        for width, height in self.sizes:
            self.user.page.set_viewport_size({"width": width, "height": height})
            self.user.settle()
            if prepare():
                self.user.page.wait_for_timeout(300)
                path = self.folder / f"{moment}-{width}x{height}.png"
                self.user.page.screenshot(path=path, animations="disabled")


def draw_matrix(browsers: Browsers, server: Server, folder: Path, scheme: Literal["light", "dark"] = "light") -> None:
    """The table at its great moments, at each size."""
    folder.mkdir(parents=True, exist_ok=True)
    over = Game(server)
    over.play_until(lambda view: False)
    draw_moments(browsers, over, folder, HANDHELD, has_touch=True, is_mobile=True, color_scheme=scheme)
    draw_moments(browsers, over, folder, DESKS, color_scheme=scheme)


def draw_moments(
    browsers: Browsers, over: Game, folder: Path, sizes: Sequence[tuple[int, int]], **options: Any
) -> None:
    server = over.server

    def sit(made: dict[str, Any], seat: int = 0) -> Lens:
        user = browsers(viewport={"width": sizes[0][0], "height": sizes[0][1]}, **options)
        user.own(made, seat)
        return Lens(folder, user, sizes)

    game = Game(server)
    lens = sit(game.made)
    lens.user.await_turn()
    lens.shoot("first")
    with Client(server, game.made["watch"]) as client:
        location = next(iter(client.setup["locations"]))
    lens.shoot("explanation", lambda: explain(lens.user, location))

    people = [{"kind": "person", "name": name} for name in FIVE]
    with server.http() as http:
        table = {"seats": people, "setup": {"position": full_table().position}}
        lens = sit(http.post("/api/tables", json=table).json())
    lens.user.await_turn()
    lens.shoot("full")

    moment = first_uses()["paddock"]
    lens = sit(server.make_table(["person"] * moment.players, position=moment.position), moment.player)
    sight = lens.user.do(lens.user.await_turn(), "tile-paddock")
    lens.user.take(sight, sight.glowing[0])
    lens.shoot("tile")

    lens = sit(over.made)
    expect(lens.user.find("final").get_by_role("figure")).to_be_visible()
    lens.shoot("final")


def explain(user: BrowserUser, hex_name: str) -> bool:
    """Point at a hex; whether a card that explains it opens."""
    user.page.mouse.move(0, 0)
    x, y = user.pixel(hex_name)
    user.page.mouse.move(x, y)
    try:
        user.find("explanation").wait_for(timeout=1500)
    except Error:
        return False
    return True


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with serving() as server, open_chromium() as browser:
        browsers = Browsers(browser, server)
        draw(browsers, server, browser.new_page())
        draw_matrix(browsers, server, MATRIX)
        complaints = browsers.close()
        if complaints:
            sys.exit("\n".join(complaints))


if __name__ == "__main__":
    main()
