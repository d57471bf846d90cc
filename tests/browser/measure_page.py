"""Measures the page on this machine and prints it as JSON: times in milliseconds, sizes in bytes.

cd tests && ../.venv/bin/python -m browser.measure_page
"""

import json
import tempfile
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from playwright.sync_api import Browser
from server.client import Server, ServerPool

from browser.chromium import open_chromium
from browser.positions import near_the_end
from browser.users import Browsers, BrowserUser

LOADS = 5
MOVES = 30

# When the pieces on the board have been drawn for the first time.
WATCH_BOARD = """
    const watch = () => {
        if (document.querySelector('[data-testid="board"] svg use[href^="#kb-settlement"]')) {
            requestAnimationFrame(() => requestAnimationFrame(() => { window.boardDrawn = performance.now(); }));
        } else requestAnimationFrame(watch);
    };
    requestAnimationFrame(watch);
"""

LOADED = """() => ({
    paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime,
    board: window.boardDrawn,
    script: performance.getEntriesByType("resource")
        .filter(({ name }) => name.endsWith(".js")).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    all: performance.getEntriesByType("resource").reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
})"""

# From the end of a press to the frame that answers it (the piece as a shadow), and to the one in which the piece stands
# on the board, acknowledged by the server.
WATCH_MOVES = """() => {
    const board = document.querySelector('[data-testid="board"] svg');
    const count = () => board.querySelectorAll('use[href^="#kb-settlement"]:not(.ghost)').length;
    const times = { answered: [], drawn: [] };
    const waiting = new Map();
    let before = count();
    const afterFrame = (name) => {
        const start = waiting.get(name);
        if (!waiting.delete(name)) return;
        requestAnimationFrame(() => {
            const frame = new MessageChannel();
            frame.port1.onmessage = () => times[name].push(performance.now() - start);
            frame.port2.postMessage(null);
        });
    };
    document.addEventListener("pointerup", () => {
        before = count();
        waiting.set("answered", performance.now()).set("drawn", performance.now());
    }, true);
    new MutationObserver(() => {
        const isDrawn = count() > before;
        if (isDrawn || board.querySelector(".ghost.sure")) afterFrame("answered");
        if (isDrawn) afterFrame("drawn");
    }).observe(board, { childList: true, subtree: true, attributes: true, attributeFilter: ["class"] });
    window.times = times;
}"""


def measure_loading(browser: Browser, server: Server) -> dict[str, Any]:
    """A running game, opened by its link in a browser that has never seen the page."""
    made = server.make_table(position=near_the_end(supply=15).position)
    loads: list[dict[str, float]] = []
    for _ in range(LOADS):
        user = BrowserUser(browser, server, reduced_motion="no-preference")
        user.context.add_init_script(WATCH_BOARD)
        user.open(f"/seat/{made['seats'][0]}")
        user.page.wait_for_function("() => window.boardDrawn !== undefined")
        loads.append(user.page.evaluate(LOADED))
        user.close()
    return {
        "first_contentful_paint_ms": round(median(load["paint"] for load in loads)),
        "board_drawn_ms": round(median(load["board"] for load in loads)),
        "script_gzip_bytes": round(loads[0]["script"]),
        "all_resources_gzip_bytes": round(loads[0]["all"]),
    }


def measure_moves(browsers: Browsers) -> dict[str, Any]:
    user = browsers(reduced_motion="no-preference")
    user.own(user.server.make_table(board="first"), 0, 1)
    user.page.evaluate(WATCH_MOVES)
    made = 0
    while made < MOVES:
        sight = user.await_turn()
        if sight.can_end:
            user.do(sight, "end-turn")
        else:
            user.take(sight, sight.glowing[0])
            made += 1
            user.page.wait_for_function("(made) => window.times.drawn.length >= made", arg=made)
    times: dict[str, list[float]] = user.page.evaluate("() => window.times")
    return {
        "moves": made,
        **{f"click_to_{name}_p50_ms": round(median(each), 1) for name, each in times.items()},
        **{f"click_to_{name}_p95_ms": round(quantiles(each, n=20)[-1], 1) for name, each in times.items()},
    }


def main() -> None:
    server_pool = ServerPool()
    try:
        with tempfile.TemporaryDirectory() as folder, open_chromium() as browser:
            server = server_pool.start(Path(folder) / "data")
            browsers = Browsers(browser, server)
            figures = {**measure_loading(browser, server), **measure_moves(browsers)}
            browsers.close()
            print(json.dumps(figures, indent=2))
    finally:
        server_pool.close()


if __name__ == "__main__":
    main()
