"""What every answer has, which files are served, and where keys never turn up."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import httpx
import pytest

from kingdom_builder.server import static as page
from server.client import Client, Json, Server, kb_serve, play_on
from server.conftest import Start
from server.inside import run, world

SCRIPT = "console.log('Kingdom Builder');\n" * 200


@pytest.fixture
def static(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A built page, with things around it that are nobody's business."""
    folder = tmp_path / "static"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html>")
    (folder / "assets" / "index-abc.js").write_text(SCRIPT)
    (folder / "assets" / "index-abc.js.gz").write_bytes(gzip.compress(SCRIPT.encode()))
    (folder / "worker.js").write_text("self.addEventListener('push', () => {});")
    (folder / "manifest-en.webmanifest").write_text("{}")
    (folder / "notes.txt").write_text("secret")
    (folder / ".hidden.json").write_text("{}")
    (tmp_path / "secret.json").write_text("secret")
    (tmp_path / "static-secret.json").write_text("secret")
    (folder / "link.json").symlink_to(tmp_path / "secret.json")
    monkeypatch.setattr(page, "STATIC", folder)
    return folder


def check_headers(answer: httpx.Response) -> None:
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert "http:" not in policy
    assert "frame-ancestors 'none'" in policy
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "server" not in answer.headers


REQUESTS = [
    ("GET", "/", 200),
    ("HEAD", "/", 200),
    ("GET", "/assets/index-abc.js", 200),
    ("GET", "/api/catalogue", 200),
    ("GET", "/api/health", 200),
    ("GET", "/api/openapi.json", 200),
    ("GET", "/nothing.js", 404),
    ("GET", "/" + "a" * 3000 + ".js", 404),
    ("GET", "/%00.js", 400),
    ("GET", "/api/nothing", 404),
    ("GET", "/api/table/replay", 404),
    ("GET", "/api/picture", 422),
    ("GET", "/api/picture?position=x", 400),
    ("POST", "/", 405),
    ("DELETE", "/api/tables", 405),
    ("POST", "/api/tables", 422),
    ("POST", "/api/positions", 422),
]


@pytest.mark.usefixtures("static")
@pytest.mark.parametrize(("method", "path", "status"), REQUESTS)
def test_every_answer_has_the_headers_that_protect(method: str, path: str, status: int) -> None:
    async def test() -> None:
        async with world() as inside:
            answer = await inside.http.request(method, path)
            assert answer.status_code == status, answer.text
            check_headers(answer)
            if status >= 400:
                assert set(answer.json()) == {"code", "message", "offset"}

    run(test())


@pytest.mark.parametrize("body", [b"x" * 2000, b"[" * 900, b"\xff\xfe", b'{"seats": "\xc3"}'])
def test_a_body_that_is_too_large_or_no_json(body: bytes) -> None:
    async def test() -> None:
        async with world(max_body=1000) as inside:
            answer = await inside.http.post("/api/tables", content=body, headers={"content-type": "application/json"})
            assert answer.status_code in ((413,) if len(body) > 1000 else (400, 422)), answer.text
            assert answer.json()["code"] == ("too-large" if len(body) > 1000 else "malformed")
            check_headers(answer)

    run(test())


def test_a_body_that_is_too_large_is_not_read_to_its_end(start: Start) -> None:
    server = start(max_body=1000)
    with server.http() as http:
        try:
            answer = http.post("/api/records", content=b"x" * 50_000_000)
        except httpx.WriteError:
            return  # hung up upon
        assert answer.status_code == 413
        check_headers(answer)


def test_a_body_in_chunks_is_not_read_at_all(server: Server) -> None:
    """Each chunk costs as much as a request, be it of one byte."""

    def chunks() -> Iterator[bytes]:
        for _ in range(10_000):
            yield b"x"

    with server.http() as http:
        try:
            answer = http.post("/api/records", content=chunks())
        except httpx.WriteError:
            return  # hung up upon
        assert answer.status_code == 400


def test_a_page_of_somebody_else_cannot_make_tables() -> None:
    """Without the type of JSON a browser would send this from any page."""

    async def test() -> None:
        async with world() as inside:
            body = json.dumps({"seats": [{"kind": "person"}] * 2})
            for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
                answer = await inside.http.post("/api/tables", content=body, headers={"content-type": kind})
                assert answer.status_code == 422
                assert "access-control-allow-origin" not in answer.headers
            assert inside.tables.journal.tables == 0

    run(test())


@pytest.mark.usefixtures("static")
def test_the_browser_keeps_files_only_if_their_name_changes_with_their_content() -> None:
    async def test() -> None:
        async with world() as inside:
            page = await inside.http.get("/")
            assert page.headers["cache-control"] == "no-cache"
            assert page.headers["content-type"] == "text/html; charset=utf-8"
            for encoding in ("gzip", "identity"):
                script = await inside.http.get("/assets/index-abc.js", headers={"accept-encoding": encoding})
                assert script.headers["cache-control"] == "public, max-age=31536000, immutable"
                assert script.headers["content-type"] == "text/javascript; charset=utf-8"
                assert "accept-encoding" in script.headers["vary"].lower()
                assert script.headers.get("content-encoding", "identity") == encoding
                assert script.text == SCRIPT
                assert "service-worker-allowed" not in script.headers
            catalogue = await inside.http.get("/api/catalogue")
            tag = catalogue.headers["etag"]
            again = await inside.http.get("/api/catalogue", headers={"if-none-match": tag})
            assert (again.status_code, again.content) == (304, b"")

    run(test())


@pytest.mark.usefixtures("static")
def test_the_worker_is_asked_for_again_and_may_serve_every_address() -> None:
    """A browser that keeps an old worker would show an old page for as long."""

    async def test() -> None:
        async with world() as inside:
            worker = await inside.http.get("/worker.js")
            assert worker.headers["cache-control"] == "no-cache"
            assert worker.headers["content-type"] == "text/javascript; charset=utf-8"
            assert worker.headers["service-worker-allowed"] == "/"
            assert "worker-src 'self';" in worker.headers["content-security-policy"]
            manifest = await inside.http.get("/manifest-en.webmanifest")
            assert manifest.headers["cache-control"] == "no-cache"
            assert manifest.headers["content-type"] == "application/manifest+json"

    run(test())


@pytest.mark.usefixtures("static")
@pytest.mark.parametrize(
    "path",
    [
        "/../secret.json",
        "/..%2fsecret.json",
        "/%2e%2e/secret.json",
        "/assets/..%2f..%2fsecret.json",
        "/..%5csecret.json",
        "/../static-secret.json",
        "/..%2fstatic-secret.json",
        "//etc/passwd",
        "/%2fetc/passwd.json",
        "/link.json",
        "/notes.txt",
        "/assets",
        "/assets/",
        "/assets/index-abc.js.gz",
        "/~root/.json",
    ],
)
def test_no_other_file_is_served(path: str) -> None:
    async def test() -> None:
        async with world() as inside:
            request = httpx.Request("GET", "http://test/")
            request.url = request.url.copy_with(raw_path=path.encode())
            answer = await inside.http.send(request)
            assert answer.status_code == 404
            assert answer.json()["code"] == "not-found"

    run(test())


# ---- keys ------------------------------------------------------------------------------------------------------------


def secrets_of(made: Json) -> list[str]:
    tokens = [made["host"], made["watch"], *[token for token in made["seats"] if token]]
    return [token.partition(".")[2] for token in tokens]


def use(server: Server, made: Json) -> list[str]:
    """Everything that has to do with keys; the secrets that must not be found anywhere."""
    secrets = secrets_of(made)
    with Client(server, *made["seats"], made["host"]) as client, server.http(made["watch"]) as http:
        play_on([client], Random(1), most=20)
        token = client.do("reseat", seat=1)["token"]
        secrets.append(token.partition(".")[2])
        with Client(server, token) as new:
            new.do("join", seat=1, name="Bob", colour=4)
        client.socket.send(json.dumps({"type": "hello", "tokens": made["seats"]}))
        client.socket.send(f'{{"type": "say", "id": "{secrets[0]}", "text": 1}}')
        client.sync()
        for path in ("/api/table/replay", "/api/table/record", "/api/table/record?game=7", "/nothing"):
            http.get(path)
        http.get("/api/table/replay", headers={"authorization": made["host"] + "wrong"})
    with Client(server, greet=False) as stranger:
        stranger.send(type="hello", tokens=[made["host"], "x.y"])
        stranger.closed()
    return secrets


def test_no_key_is_in_what_the_program_writes_or_stores(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with kb_serve(data, "--messages-per-second", "1000") as server:
        made = server.make_table(["person", "open"])
        secrets = use(server, made)
        files = [path.read_bytes() for path in data.iterdir()]
    files += [path.read_bytes() for path in data.iterdir()]
    assert any(made["id"].encode() in content for content in files)
    for secret in secrets:
        assert len(secret) >= 20
        assert secret not in server.log()
        for content in files:
            assert secret.encode() not in content


def test_no_key_is_sent_to_anybody_but_who_made_the_table_or_the_seat(server: Server) -> None:
    made = server.make_table(["person", "open"])
    with Client(server, made["watch"]) as watcher, Client(server, made["seats"][0]) as player:
        secrets = use(server, made)
        watcher.sync()
        player.sync()
        for text in watcher.received + player.received:
            assert not [secret for secret in secrets if secret in text]
