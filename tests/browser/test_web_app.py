"""The page as a web app: installed, without a network, told of turns, and replaced by a new build."""

import json
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession, Worker, expect
from server.client import Server

from browser.test_trouble import BROKEN
from browser.users import PATIENCE, Browsers, BrowserUser, browsers
from kingdom_builder.server import static
from kingdom_builder.server.middleware import HEADERS
from kingdom_builder.server.static import page_file

READY = "async () => (await navigator.serviceWorker.ready).active && navigator.serviceWorker.controller !== null"
# What the worker counts on the icon. Asking the browser for the notices while one is being shown would lose that one.
NOTE_BADGES = """() => {
    self.badges = [];
    navigator.setAppBadge = async (count) => { self.badges.push(count); };
}"""


class Front(ThreadingHTTPServer):
    """Stands before a server with a page that can be changed; it can be taken off the network."""

    daemon_threads = True

    def __init__(self, server: Server) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.http = server.http()
        self.is_lost = False
        self.address = f"http://127.0.0.1:{self.server_port}/"

    def handle_error(self, request: object, client_address: object) -> None:
        """Browsers hang up on answers that they no longer want."""


class _Answer(BaseHTTPRequestHandler):
    @property
    def front(self) -> Front:
        assert isinstance(self.server, Front)
        return self.server

    def do_GET(self) -> None:
        if self.front.is_lost:
            self.close_connection = True
            return
        status, headers, body = self._found()
        self.send_response(status)
        for header in {**headers, **HEADERS, "content-length": str(len(body))}.items():
            self.send_header(*header)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_HEAD = do_POST = do_GET  # noqa: N815

    def _found(self) -> tuple[int, dict[str, str], bytes]:
        if self.path.startswith("/api/"):
            answer = self.front.http.get(self.path, headers={"accept-encoding": "identity"})
            return answer.status_code, {"content-type": answer.headers["content-type"]}, answer.content
        file = page_file(self.path.lstrip("/") or "index.html", zipped=False)
        return file.status_code, dict(file.headers), bytes(file.body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Tests are quiet."""


@contextmanager
def front_of(server: Server) -> Iterator[Front]:
    front = Front(server)
    thread = threading.Thread(target=front.serve_forever)
    thread.start()
    try:
        yield front
    finally:
        front.shutdown()
        front.server_close()
        front.http.close()
        thread.join()


def until(user: BrowserUser, question: str) -> None:
    """Wait until a function of the page, which may be async, says yes."""
    answer = user.page.evaluate(
        """async ([question, patience]) => {
            const ask = eval?.(`(${question})`);
            const end = performance.now() + patience;
            while (!(await ask()) && performance.now() < end) await new Promise((done) => setTimeout(done, 20));
            return Boolean(await ask());
        }""",
        [question, PATIENCE],
    )
    assert answer, question


def installed(user: BrowserUser) -> Worker:
    """The worker of a user's page, once it serves it."""
    until(user, READY)
    return user.context.service_workers[-1]


def test_what_is_on_the_device_opens_without_a_server_and_a_new_build_replaces_the_old(
    browser: Browser, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = shutil.copytree(static.STATIC, tmp_path / "static")
    monkeypatch.setattr(static, "STATIC", folder)
    with front_of(server) as front, browsers(browser, server) as house:
        user = house(Server(server.pid, front.address, server.output), service_workers="allow")
        user.allow(BROKEN)
        user.open()
        worker = installed(user)
        kept = worker.evaluate(KEPT)
        assert "/" in kept
        assert {path for path in kept if path.startswith("/api/")} == {"/api/catalogue", "/api/lessons", "/api/picture"}
        # The browsers of tests keep nothing, which is the only thing in the way.
        errors = user.context.new_cdp_session(user.page).send("Page.getInstallabilityErrors")["installabilityErrors"]
        assert {error["errorId"] for error in errors} <= {"in-incognito"}

        front.is_lost = True
        user.page.reload()
        expect(user.find("play-now")).to_be_visible()
        expect(user.find("offline")).to_contain_text("The server does not answer")
        user.press("play-now")
        expect(user.page.get_by_role("alert")).to_contain_text("The server does not answer")
        user.open("/rules")
        expect(user.page.locator("[id^=rule-]").first).to_be_visible()
        user.open("/lessons")
        expect(user.page.locator("[data-testid^=lesson-]").first).to_be_visible()
        user.open("/history")
        expect(user.find("no-games")).to_be_visible()

        front.is_lost = False
        _build_again(folder)
        user.page.reload()
        expect(user.page.locator("meta[name=build]")).to_have_count(1)
        expect(user.find("offline")).to_have_count(0)
        until(user, "async () => Boolean(await (await caches.open('kb-shell-another')).match('/'))")
        until(user, REPLACED)
        front.is_lost = True
        user.page.reload()
        expect(user.page.locator("meta[name=build]")).to_have_count(1)
        expect(user.find("offline")).to_be_visible()


REPLACED = """async () => {
    const { active, installing, waiting } = await navigator.serviceWorker.getRegistration();
    return !installing && !waiting && active.state === "activated";
}"""
KEPT = """async () => {
    const names = await caches.keys();
    const requests = (await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))).flat();
    return requests.map(({ url }) => new URL(url).pathname);
}"""


def _build_again(folder: Path) -> None:
    """Change the page as a new build would."""
    index = folder / "index.html"
    index.write_text(index.read_text().replace("<title>", '<meta name="build" content="another"><title>'))
    worker = folder / "worker.js"
    text = worker.read_text()
    version = text.partition("version:`")[2].partition("`")[0]
    assert version
    worker.write_text(text.replace(version, "another"))


def test_a_push_is_shown_and_leads_to_the_table(visit: Browsers) -> None:
    user = visit(service_workers="allow", permissions=["notifications"]).open("/about")
    worker = installed(user)
    worker.evaluate(NOTE_BADGES)
    push = pushes(user)
    push({"title": "Your turn", "body": "Ann has played.", "url": "/#/table/abc", "tag": "abc"})
    push({"title": "x" * 500, "body": "Again", "url": "https://example.org/#/table/abc", "tag": "elsewhere"})
    push("no json")
    wait_for_badges(user, worker, 3)
    shown = worker.evaluate(
        """async () => (await self.registration.getNotifications())
            .map(({ title, body, tag, data }) => [title, body, tag, data.url])"""
    )
    address = user.server.address
    assert sorted(shown) == [
        ["Kingdom Builder", "", "", address],
        ["Your turn", "Ann has played.", "abc", f"{address}#/table/abc"],
        ["x" * 80, "Again", "elsewhere", address],
    ]

    opened = worker.evaluate(CLICK, "abc")
    assert opened == [f"{address}#/table/abc"]
    user.open("/table/abc/whatever")
    assert worker.evaluate(CLICK, "elsewhere") == [address], "the page of a table is not the start page"
    worker.evaluate(NOTE_BADGES)
    push({"title": "Your turn", "url": "/#/table/abc", "tag": "abc"})
    wait_for_badges(user, worker, 1)
    assert worker.evaluate(CLICK, "abc") == ["focus"], "the open page is shown instead of one more"


def wait_for_badges(user: BrowserUser, worker: Worker, pushes: int) -> None:
    """Wait until the worker has shown this many pushes: it counts the notices after each."""
    end = time.monotonic() + PATIENCE / 1000
    while len(badges := worker.evaluate("() => self.badges")) < pushes:
        assert time.monotonic() < end, badges
        user.settle()


# A browser opens and shows windows for real clicks only.
CLICK = """async (tag) => {
    const done = [];
    self.clients.openWindow = async (url) => { done.push(url); };
    WindowClient.prototype.focus = async () => { done.push("focus"); };
    const [notification] = await self.registration.getNotifications({ tag });
    const waits = [];
    const event = new NotificationEvent("notificationclick", { notification });
    event.waitUntil = (work) => waits.push(work);
    self.dispatchEvent(event);
    await Promise.all(waits);
    return done;
}"""


def pushes(user: BrowserUser) -> Callable[[object], None]:
    """Sends what a push service would deliver."""
    session: CDPSession = user.context.new_cdp_session(user.page)
    found: list[str] = []

    def note(event: dict[str, Any]) -> None:
        found.extend(
            each["registrationId"] for each in event["registrations"] if each["scopeURL"] == user.server.address
        )

    session.on("ServiceWorker.workerRegistrationUpdated", note)
    session.send("ServiceWorker.enable")
    user.settle()
    assert found

    def push(said: object) -> None:
        data = said if isinstance(said, str) else json.dumps(said)
        origin = user.server.address.rstrip("/")
        session.send("ServiceWorker.deliverPushMessage", {"origin": origin, "registrationId": found[-1], "data": data})

    return push
