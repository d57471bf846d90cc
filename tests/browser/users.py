"""People at their browsers: what a page shows them, what they do with it, and what no page may do."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import Any, Literal
from urllib.parse import urldefrag, urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, Request, ViewportSize, expect
from server.client import Server

PATIENCE = 30_000
"""Milliseconds after which something that a test waits for will not come any more: the machine may be busy."""

expect.set_options(timeout=PATIENCE)

DESKTOP: ViewportSize = {"width": 1440, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}
FOUR_K = {"width": 3840, "height": 2160}

# What glows on the board and what can be pressed.
LOOK = """() => {
    const at = (testid) => [...document.querySelectorAll(`[data-testid^="${testid}-"]`)];
    const on = (buttons) => buttons.filter((each) => each.getAttribute("aria-disabled") !== "true" && !each.disabled);
    const keys = (testid, buttons) => buttons.map((each) => each.dataset.testid.slice(testid.length + 1));
    const game = document.querySelector('[data-testid="game"]');
    const glow = document.querySelector(".legal .ring")?.getAttribute("d") ?? "";
    const glowing = [...glow.matchAll(/M([\\d.]+) ([-\\d.]+)/g)].map(([, x, y]) => {
        const row = Math.round((Number(y) + 19 - 24) / 36);
        const col = Math.round((Number(x) / 21 - 1 - (row % 2)) / 2);
        return String.fromCharCode(97 + col) + (row + 1);
    });
    const end = document.querySelector('[data-testid="end-turn"]');
    return {
        ply: Number(game.dataset.ply),
        my_turn: game.dataset.myTurn === "true",
        over: document.querySelector('[data-testid="final"]') !== null,
        glowing,
        tiles: keys("tile", on(at("tile"))),
        choices: keys("choice", on(at("choice"))),
        acting: at("tile").filter((each) => each.classList.contains("acting")).length > 0,
        can_end: end !== null && on([end]).length > 0,
        step: document.querySelector('[data-testid="step"]')?.textContent.trim() ?? "",
    };
}"""

# The pixel of the middle of a hex, when the board has stopped moving: on a phone its size changes with the panel below.
PIXEL = """async ([row, col]) => {
    const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const place = () => {
        const plane = document.querySelector('[data-testid="board"] svg').getScreenCTM();
        const { x, y } = new DOMPoint(21 * (2 * col + 1 + (row % 2)), 24 + 36 * row).matrixTransform(plane);
        return [x, y];
    };
    let before = place();
    for (;;) {
        await frame();
        const now = place();
        if (now[0] === before[0] && now[1] === before[1]) return now;
        before = now;
    }
}"""

PIECES = """() => [...document.querySelectorAll('[data-testid="board"] svg use')]
    .filter((each) => /^#kb-(settlement|warriors|wagons|ships|scouts|city-hall)/.test(each.getAttribute("href")))
    .filter((each) => !each.classList.contains("ghost"))
    .map((each) => {
        const place = each.closest("[transform]").getAttribute("transform");
        const [x, y] = place.match(/[-\\d.]+/g).map(Number);
        const row = Math.round((y - 24) / 36);
        const col = Math.round((x / 21 - 1 - (row % 2)) / 2);
        return each.getAttribute("href").slice(4) + " " + String.fromCharCode(97 + col) + (row + 1);
    }).sort()"""

SCORES = """() => [...document.querySelectorAll('[data-testid^="score-"], [data-testid^="total-"]')]
    .map((cell) => [cell.dataset.testid.replace("score-", ""), cell.textContent.trim()])"""

OVERFLOW = "() => document.scrollingElement.scrollWidth - window.innerWidth"


@dataclass(frozen=True)
class Sight:
    """A table as a person sees it."""

    ply: int
    my_turn: bool
    over: bool
    glowing: list[str]
    """Hexes that can be chosen."""
    tiles: list[str]
    """Keys of the tiles that can be used."""
    choices: list[str]
    acting: bool
    can_end: bool
    step: str
    """What comes next, in words."""


class BrowserUser:
    """Somebody with a browser of their own. Whatever they do, the page has to behave: see `complaints`."""

    def __init__(self, browser: Browser, server: Server, **options: Any) -> None:
        self.server = server
        self.touches = bool(options.get("has_touch"))
        # The worker of the page would fetch all of its files for each user; tests of the worker allow it.
        usual = {"viewport": DESKTOP, "reduced_motion": "reduce", "accept_downloads": True, "service_workers": "block"}
        options = {**usual, **options}
        self.context: BrowserContext = browser.new_context(**options)
        self.context.set_default_timeout(PATIENCE)
        self._allowed: list[str] = ["Service Worker registration blocked by Playwright"]
        self._complaints: list[str] = []
        self._addresses: set[str] = set()
        self.tokens: set[str] = set()
        """Keys that this user has been given."""
        self.context.on("console", self._heard)
        self.context.on("weberror", lambda error: self._complaints.append(f"error: {error.error}"))
        self.context.on("request", self._requested)
        self.page: Page = self.context.new_page()

    # ---- what no page may do

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._complaints.append(f"console: {message.text} ({message.location.get('url', '')})")

    def _requested(self, request: Request) -> None:
        self._addresses.add(urldefrag(request.url).url)

    def allow(self, pattern: str) -> None:
        """Let the browser complain about what this test brings about."""
        self._allowed.append(pattern)

    def complaints(self) -> list[str]:
        """What the pages of this user did wrong: errors, requests to strangers, keys in addresses."""
        self._keep_tokens()
        own = urlsplit(self.server.address).netloc
        wrong = [each for each in self._complaints if not any(re.search(pattern, each) for pattern in self._allowed)]
        for address in sorted(self._addresses):
            parts = urlsplit(address)
            if parts.scheme in ("http", "https", "ws", "wss") and parts.netloc != own:
                wrong.append(f"request to a stranger: {address}")
            wrong += [f"a key in {address}" for token in self.tokens if token.rpartition(".")[2] in address]
        return wrong

    def _keep_tokens(self) -> None:
        shelves = "JSON.stringify([{...localStorage}, {...sessionStorage}])"
        for page in self.context.pages:
            if page.url.startswith("http"):
                kept = json.dumps(page.evaluate(shelves))
                self.tokens.update(re.findall(r"[\w-]{8,}\.[\w-]{16,}", kept))

    def close(self) -> None:
        self.context.close()

    # ---- going somewhere

    def open(self, path: str = "") -> "BrowserUser":
        """Open an address behind the `#`, such as `/rules`: a page that is open already changes without a reload."""
        self.page.goto(f"{self.server.address}#{path}" if path else self.server.address)
        return self

    def sit(self, token: str) -> "BrowserUser":
        """Come to a table by the link of a seat."""
        return self._come("seat", token)

    def watch(self, token: str) -> "BrowserUser":
        return self._come("watch", token)

    def _come(self, how: str, token: str) -> "BrowserUser":
        self.tokens.add(token)
        self.open(f"/{how}/{token}")
        self.page.wait_for_function(
            "(id) => location.hash === `#/table/${id}` && document.querySelector('[data-testid=board] svg use')",
            arg=token.partition(".")[0],
        )
        self.settle()
        return self

    def settle(self) -> None:
        """Wait until what is there has been drawn."""
        self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def own(self, made: dict[str, Any], *seats: int) -> "BrowserUser":
        """Come to a table as the host who plays some seats on this device: with the keys that its page would keep."""
        keys = {"host": made["host"], "watch": made["watch"], "seats": {seat: made["seats"][seat] for seat in seats}}
        self.open("/about")
        self.page.evaluate(
            """([id, keys]) => localStorage.setItem("kb-tables", JSON.stringify({
                [id]: { id, ...keys, invites: {}, title: "", updated: 1, finished: false },
            }))""",
            [made["id"], keys],
        )
        self.open(f"/table/{made['id']}")
        self.find("board").wait_for()
        self.settle()
        return self

    def another_tab(self) -> "BrowserUser":
        """The same person with one more page."""
        tab = object.__new__(type(self))
        tab.__dict__ = {**self.__dict__, "page": self.context.new_page()}
        return tab

    # ---- seeing

    def find(self, testid: str) -> Locator:
        return self.page.get_by_test_id(testid)

    def look(self) -> Sight:
        return Sight(**self.page.evaluate(LOOK))

    def pieces(self) -> list[str]:
        """Everything that stands on the board, such as `settlement-1 k7`."""
        found: list[str] = self.page.evaluate(PIECES)
        return found

    def map(self) -> str:
        """What is printed on the board, as drawn."""
        return self.page.locator('[data-testid="board"] svg > g').first.inner_html()

    def words(self) -> str:
        """Everything that can be read."""
        return self.page.locator("body").inner_text()

    def log(self) -> str:
        return self.find("log").inner_text()

    def scores(self) -> dict[str, int]:
        """The numbers in the table of scores, by `seat-card`, and `total-seat`, when they have stopped counting."""
        before: list[list[str]] = []
        while (cells := self.page.evaluate(SCORES)) != before:
            before = cells
            self.settle()
        return {key: int(text) for key, text in cells}

    def pixel(self, hex_name: str) -> tuple[float, float]:
        x, y = self.page.evaluate(PIXEL, [int(hex_name[1:]) - 1, ord(hex_name[0]) - ord("a")])
        return x, y

    # ---- acting

    def press(self, testid: str) -> None:
        button = self.find(testid)
        if self.touches:
            button.tap()
        else:
            button.click()

    def point(self, hex_name: str) -> None:
        """Press a hex."""
        x, y = self.pixel(hex_name)
        if self.touches:
            self.page.touchscreen.tap(x, y)
        else:
            self.page.mouse.click(x, y)

    def moved_from(self, ply: int) -> None:
        """Wait until the page shows another moment than this."""
        self.page.wait_for_function(
            "(ply) => document.querySelector('[data-testid=game]')?.dataset.ply !== String(ply)", arg=ply
        )

    def reaches(self, ply: int) -> None:
        self.page.wait_for_function(
            "(ply) => document.querySelector('[data-testid=game]')?.dataset.ply === String(ply)", arg=ply
        )

    def await_turn(self) -> Sight:
        """Wait until this page may act, or the game is over; whoever is next at a shared device takes it."""
        self.page.wait_for_function(
            """() => document.querySelector('[data-testid=game]')?.dataset.myTurn === "true"
                || document.querySelector('[data-testid=final], [data-testid=take-device]')"""
        )
        if self.find("take-device").count():
            self.press("take-device")
            self.settle()
        return self.look()

    def take(self, sight: Sight, hex_name: str) -> Sight:
        """Press a hex that glows, and see what comes of it."""
        assert hex_name in sight.glowing
        self.point(hex_name)
        self.moved_from(sight.ply)
        return self.look()

    def do(self, sight: Sight, testid: str) -> Sight:
        """Press a button that makes a move, and see what comes of it."""
        self.press(testid)
        self.moved_from(sight.ply)
        return self.look()

    def act(self, sight: Sight, rng: Random, tiles: bool = True) -> Sight:
        """One decision of somebody who does not think much."""
        if tiles and sight.tiles and not sight.acting and rng.random() < 0.5:
            return self.do(sight, f"tile-{rng.choice(sight.tiles)}")
        if sight.glowing:
            return self.take(sight, rng.choice(sight.glowing))
        if sight.can_end:
            return self.do(sight, "end-turn")
        if sight.choices:
            return self.do(sight, f"choice-{rng.choice(sight.choices)}")
        assert sight.tiles, sight
        return self.do(sight, f"tile-{rng.choice(sight.tiles)}")

    def play_turn(self, rng: Random, tiles: bool = True) -> Sight:
        """A whole turn; what is seen right after it."""
        sight = self.await_turn()
        while sight.my_turn and not sight.can_end:
            sight = self.act(sight, rng, tiles)
        return self.do(sight, "end-turn") if sight.my_turn else sight

    def build_all(self) -> Sight:
        """Build what is due, on the first hexes that glow."""
        sight = self.await_turn()
        while not sight.can_end:
            sight = self.take(sight, sight.glowing[0])
        return sight


class Browsers:
    """Lets users in, and says at the end what their pages did wrong."""

    def __init__(self, browser: Browser, server: Server) -> None:
        self._browser = browser
        self._server = server
        self._guests: list[BrowserUser] = []

    def __call__(self, server: Server | None = None, **options: Any) -> BrowserUser:
        user = BrowserUser(self._browser, server or self._server, **options)
        self._guests.append(user)
        return user

    def phone(self, **options: Any) -> BrowserUser:
        return self(viewport=PHONE, has_touch=True, is_mobile=True, device_scale_factor=2, **options)

    def close(self) -> list[str]:
        complaints = [each for user in self._guests for each in user.complaints()]
        for user in self._guests:
            user.close()
        return complaints


Scheme = Literal["light", "dark"]


@contextmanager
def browsers(browser: Browser, server: Server) -> Iterator[Browsers]:
    """An browsers whose users must have had no trouble."""
    house = Browsers(browser, server)
    yield house
    complaints = house.close()
    assert not complaints, "\n".join(complaints)
