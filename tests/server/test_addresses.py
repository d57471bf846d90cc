"""Where others reach a server, and what a second server says about the first one."""

import os
import pty
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from kingdom_builder.cli.serve import command_for_all
from kingdom_builder.server import addresses
from kingdom_builder.server.addresses import Listening, is_loopback, qr_code
from kingdom_builder.server.serve import greeting
from server.client import PATIENCE, ServerPool, kb_serve
from server.conftest import Start

LAN, LAN6 = "192.168.7.5", "2001:db8:7::5"


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> dict[socket.AddressFamily, str]:
    """The addresses of this machine in its networks. Its name is an alias of the loopback address, as on Debian."""
    routes: dict[socket.AddressFamily, str] = {}
    monkeypatch.setattr(addresses, "_address_towards", lambda family, far: routes.get(family))
    monkeypatch.setattr(socket, "gethostbyname", lambda name: "127.0.1.1")
    return routes


@pytest.mark.parametrize("host", ["0.0.0.0", "::", ""])
def test_a_server_for_everybody_has_an_address_that_others_reach(
    host: str, network: dict[socket.AddressFamily, str]
) -> None:
    network[socket.AF_INET] = LAN
    assert Listening(host, 8000).shared_address() == f"http://{LAN}:8000/"


def test_an_ipv6_address_is_used_where_there_is_no_other(network: dict[socket.AddressFamily, str]) -> None:
    network[socket.AF_INET6] = LAN6
    assert Listening("::", 8000).shared_address() == f"http://[{LAN6}]:8000/"
    assert Listening("0.0.0.0", 8000).shared_address() is None  # it does not listen there
    network[socket.AF_INET] = "127.0.1.1"
    assert Listening("::", 8000).shared_address() == f"http://[{LAN6}]:8000/"


@pytest.mark.parametrize("useless", ["127.0.1.1", "169.254.3.4", "0.0.0.0"])
def test_addresses_that_lead_nowhere_are_not_given_to_friends(
    useless: str, network: dict[socket.AddressFamily, str]
) -> None:
    network[socket.AF_INET] = useless
    place = Listening("0.0.0.0", 8000)
    assert place.shared_address() is None
    assert place.address() == "http://127.0.0.1:8000/"


def test_the_own_browser_keeps_its_address_in_every_network(network: dict[socket.AddressFamily, str]) -> None:
    network[socket.AF_INET] = LAN
    assert Listening("0.0.0.0", 81).address() == "http://127.0.0.1:81/"
    assert Listening("::", 81).address() == "http://[::1]:81/"


def test_a_server_for_one_address_keeps_to_it() -> None:
    assert Listening(LAN, 8000).shared_address() == f"http://{LAN}:8000/"
    assert Listening("127.0.0.1", 8000).shared_address() is None
    assert Listening("::1", 8000).address() == "http://[::1]:8000/"


def test_looking_for_the_address_sends_nothing_and_never_fails() -> None:
    for family, far in addresses.FAR_AWAY.items():
        found = addresses._address_towards(family, far)
        assert found is None or socket.inet_pton(family, found)


def test_which_hosts_are_this_machine() -> None:
    assert all(map(is_loopback, ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1", "localhost"]))
    assert not any(map(is_loopback, [LAN, LAN6, "::", "example.org", ""]))


def test_a_server_for_everybody_greets_with_a_code_for_phones(network: dict[socket.AddressFamily, str]) -> None:
    everywhere = Listening("0.0.0.0", 8000)
    said = greeting(everywhere, draw_code=True)
    assert said[0].startswith("Kingdom Builder is at http://127.0.0.1:8000/ ")
    assert said[1] == "This computer is in no network now: only its own browser reaches the page."
    network[socket.AF_INET] = LAN
    said = greeting(everywhere, draw_code=True)
    assert said[1:] == [f"Friends in your network reach it at http://{LAN}:8000/", qr_code(f"http://{LAN}:8000/")]
    assert greeting(everywhere, draw_code=False) == said[:2]
    assert len(greeting(Listening("127.0.0.1", 8000), draw_code=True)) == 1


def test_the_code_in_the_terminal_has_its_own_colours_and_a_quiet_zone() -> None:
    lines = qr_code(f"http://{LAN}:8000/").split("\n")
    assert all(line.startswith("\x1b[97;40m") and line.endswith("\x1b[0m") for line in lines)
    bare = [re.sub(r"\x1b\[[\d;]*m", "", line) for line in lines]
    assert len({len(line) for line in bare}) == 1
    assert len(bare[0]) < 60  # it fits in the narrowest terminal
    assert set(bare[0]) == {"█"}
    assert all(line.startswith("██") or set(line) == {"▀"} for line in bare)


# ---- the command for a whole network -----------------------------------------------------------------------------


def test_the_command_is_what_the_user_can_type() -> None:
    assert command_for_all(["/x/.venv/bin/kb", "serve", "--open"], "make play") == "make play ARGS='--host 0.0.0.0'"
    given = ["/x/.venv/bin/kb", "serve", "--open", "--port", "81", "--host", "127.0.0.1", "--data", "my games"]
    assert (
        command_for_all(given, "make play") == """make play ARGS='--port 81 --data '"'"'my games'"'"' --host 0.0.0.0'"""
    )
    assert command_for_all([*given[:2], "--host=::1"], "") == "/x/.venv/bin/kb serve --host 0.0.0.0"
    module = command_for_all(["/x/kingdom_builder/__main__.py", "serve"], "")
    assert module.endswith(" -m kingdom_builder serve --host 0.0.0.0")


def test_the_command_has_no_path_if_the_program_is_on_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "kb"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert command_for_all([str(program), "serve"], "") == "kb serve --host 0.0.0.0"


# ---- what the page is told ---------------------------------------------------------------------------------------


def test_only_pages_on_the_same_machine_are_told(tmp_path: Path) -> None:
    with kb_serve(tmp_path / "data") as server, server.http() as http:
        told = http.get("/api/address").json()
        assert told["address"] is None
        assert not told["everywhere"]
        assert told["command"].endswith(f"serve --port 0 --data {tmp_path / 'data'} --host 0.0.0.0")
        nothing = {"address": None, "command": "", "everywhere": False}
        for stranger in ({"Host": "example.org"}, {"X-Forwarded-For": "203.0.113.7"}, {"Forwarded": "for=_x"}):
            assert http.get("/api/address", headers=stranger).json() == nothing


# ---- a second server ---------------------------------------------------------------------------------------------


def serve_again(tmp_path: Path, *arguments: str) -> tuple["subprocess.CompletedProcess[str]", str]:
    """Start another server as `make play` does; returns what it said and the address that it opened in the browser."""
    opened = tmp_path / "opened"
    browser = tmp_path / "browser.sh"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > {opened}\n')
    browser.chmod(0o755)
    done = subprocess.run(
        [sys.executable, "-m", "kingdom_builder", "serve", *arguments],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        env={**os.environ, "BROWSER": f"{browser} %s"},
    )
    return done, opened.read_text() if opened.exists() else ""


def test_a_second_server_on_the_same_folder_leads_to_the_first(tmp_path: Path) -> None:
    with kb_serve(tmp_path / "data") as server:
        done, opened = serve_again(tmp_path, "--open", "--data", str(tmp_path / "data"))
        assert done.returncode == 0, done.stderr
        assert done.stdout == f"Kingdom Builder already runs at {server.address}\n"
        assert opened == server.address
        server.make_table()


def test_a_second_server_for_the_network_says_how_to_let_others_in(tmp_path: Path) -> None:
    with kb_serve(tmp_path / "data") as server:
        done, _ = serve_again(tmp_path, "--open", "--host", "0.0.0.0", "--data", str(tmp_path / "data"))
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith(f"Kingdom Builder already runs at {server.address}, for this computer only:")


def test_a_second_server_at_the_same_port_leads_to_the_first(tmp_path: Path) -> None:
    with kb_serve(tmp_path / "data") as server:
        arguments = ("--port", str(server.port), "--data", str(tmp_path / "other"))
        done, opened = serve_again(tmp_path, "--open", *arguments)
        assert done.returncode == 0, done.stderr
        assert opened == server.address
        done, _ = serve_again(tmp_path, *arguments)
        assert done.returncode == 2
        assert done.stderr == f"kb serve: Kingdom Builder already runs at {server.address}\n"


def test_a_port_of_another_program_is_an_error(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        other.settimeout(PATIENCE)
        process = subprocess.Popen(
            [sys.executable, "-m", "kingdom_builder", "serve", "--port", str(port), "--data", str(tmp_path / "data")],
            stderr=subprocess.PIPE,
            text=True,
        )
        caller, _ = other.accept()
        caller.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]")
        caller.close()
        _, complaint = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2
    assert "Address already in use" in complaint
    assert complaint.count("\n") == 1


def test_a_folder_whose_server_does_not_answer_is_an_error(
    start: Start, server_pool: ServerPool, tmp_path: Path
) -> None:
    server = start()
    data = server.output.with_name("data")
    (data / "server.lock").write_text('["127.0.0.1", 1]')
    done, opened = serve_again(tmp_path, "--open", "--data", str(data))
    assert done.returncode == 2
    assert "are in use by another server" in done.stderr
    assert not opened
    for nonsense in ("", "{", "[1, 2]", "x" * 5_000):
        (data / "server.lock").write_text(nonsense)
        assert (
            server_pool.try_to_start(data)
            == f"The games in {data} are in use by another server: choose another folder."
        )


def test_the_code_is_drawn_only_in_a_terminal_and_only_for_others(tmp_path: Path) -> None:
    """At a loopback address it would be of no use: nobody else can open it."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "kingdom_builder", "serve", "--port", "0", "--data", str(tmp_path / "data")],
        stdout=theirs,
    )
    try:
        said = os.read(ours, 10_000).decode()
        assert said.startswith("Kingdom Builder is at http://127.0.0.1:")
        assert "█" not in said
    finally:
        process.kill()
        process.wait()
        os.close(ours)
        os.close(theirs)
