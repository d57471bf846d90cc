"""Writes a data folder for tests/server/test_old_folders.py, by playing at a real server.

    PYTHONPATH=src:tests python tools/make_data_folder.py tests/data/folder-vN

makes a folder as the checked out version writes it; N is the number of the database's format. Do that before the format
changes, and keep the folder for good. To let an older version write one, name its `src` and `tests` in PYTHONPATH.
"""

import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import Any

from server.client import Client, Server, ServerPool, play_on

Json = dict[str, Any]
Choose = Callable[[Json], bool]
DATABASE = "games.sqlite"
ALL_SETS = ["base", "nomads", "crossroads", "harvest", "capitol", "caves"]

DRAWN_MAP = (
    "GGGGGGGG/G1GGGGNG/GGGGGGG3/4GKGWW2G/GGGGWWVG/CCCGGGNG/CCCAAGGI(quarry,cathedral,crossroads,barracks)"
    " families,mayors siloLive 122110 C4D4F4G3T4 - 5A/G/3/- 27:a1,b1,c1,d1,f2,h5,b5,c5,a6,c6,a7,b7,b6:b2,g6:?G"
    " 36:f1,g1,h1,d4:g4:? tasks=road,advance nomads=g2:sword,g6:outpost capitols=c4 cathedral=0,2 chosen=1"
    " families=2,0 mayors=1,0 walls=c2,d2 warriors=h5"
)
"""A small map with a bit of everything; two hidden cards are dealt by the server."""


class Made:
    """A table that was made, with the tokens that are valid in the end."""

    def __init__(self, server: Server, about: str, seats: list[Json], **setup: Any) -> None:
        self.server = server
        self.about = about
        with server.http() as http:
            answer = http.post("/api/tables", json={"seats": seats, "setup": setup})
        assert answer.status_code == 200, answer.text
        self.tokens: Json = answer.json()
        self.repeated: list[Json] = []
        """Commands of the host that make a token, with that token: whoever repeats one gets the same answer."""

    @contextmanager
    def pages(self) -> Iterator[list[Client]]:
        """A page for each seat of a person; the first is the host's too."""
        with ExitStack() as stack:
            tokens = [[token] for token in self.tokens["seats"] if token]
            tokens[0].append(self.tokens["host"])
            yield [stack.enter_context(Client(self.server, *each)) for each in tokens]

    def make_token(self, host: Client, **command: Any) -> str:
        """Let the host carry out a command that makes a token."""
        command = {"id": f"repeated {len(self.repeated)}", **command}
        done = host.ask(**command)
        host.reach(done["version"])
        token: str = done["token"]
        self.repeated.append({"command": command, "token": token})
        return token

    def expected(self) -> Json:
        """What everybody sees of the table, as far as it must look the same for ever."""
        viewers = [token for token in self.tokens["seats"] if token] + [self.tokens["watch"]]
        with Client(self.server, self.tokens["watch"]) as page:
            games = page.game
            found = {
                "about": self.about,
                **self.tokens,
                "version": page.version,
                "game": page.game,
                "over": page.view["over"],
                "names": [seat["name"] for seat in page.table["seats"]],
                "chat": [[line["role"], line["name"], line["text"]] for line in page.chat],
                "notices": [[notice["kind"], notice["seat"], notice["name"]] for notice in page.table["notices"]],
                "repeated": self.repeated,
            }
        found["finished"] = [self._record(self.tokens["watch"], game) for game in range(1, games)]
        found["views"] = {token: self._view(token) for token in viewers}
        return found

    def _view(self, token: str) -> Json:
        with Client(self.server, token) as page, self.server.http(token) as http:
            return {
                "seats": page.table["yours"],
                "position": http.get("/api/table/replay").json()["frames"][-1]["position"],
                "record": self._record(token),
                "hands": page.view["hands"],
                "legal": page.view["legal"],
                "undo": page.view["undo"],
            }

    def _record(self, token: str, game: int = 0) -> str:
        """The record of a game; empty if the whole of it is still hidden."""
        with self.server.http(token) as http:
            answer = http.get("/api/table/record", params={"game": game})
        assert answer.status_code == 200 or answer.json()["code"] == "hidden", answer.text
        return answer.text if answer.status_code == 200 else ""


def people(*names: str) -> list[Json]:
    return [{"kind": "person", "name": name} for name in names]


def play_until(pages: list[Client], rng: Random, wanted: Choose) -> bool:
    """Random moves until the seat in turn is a person's and sees what is wanted; False if the game ends before that."""
    while True:
        latest = max(page.version for page in pages)
        for page in pages:
            page.reach(latest)
        acting = next((page for page in pages if page.in_turn), None)
        if acting is not None and wanted(acting.view):
            return True
        if play_on(pages, rng, 1) == 0:
            return False


def finished(server: Server, rng: Random) -> Made:
    made = Made(server, "a finished first game of two at one device", people("Ann", "Ben"), board="first")
    with made.pages() as pages:
        play_on(pages, rng)
        pages[0].do("say", text="Well played!", seat=0)
    return made


def in_mid_turn(server: Server, rng: Random) -> Made:
    seats = [{"kind": "person", "name": "Cleo"}, {"kind": "open"}]
    made = Made(server, "the base game of two at two devices, in mid-turn", seats, options=["lordsNeedPresence"])
    with made.pages() as pages:
        pages[1].do("join", seat=1, name="Dora", colour=3)
        assert play_until(pages, rng, lambda view: view["round"] == 6 and view["undo"])
    return made


def with_all_boxes(server: Server, rng: Random) -> Made:
    bots = [{"kind": "bot", "level": level} for level in ("greedy", "random", "hard")]
    seats = [*people("Eve"), bots[0], {"kind": "open"}, *bots[1:]]
    made = Made(server, "all boxes, five seats, three of them bots, in an extra action", seats, sets=ALL_SETS)
    with made.pages() as pages:
        pages[1].do("join", seat=2, name="Finn", colour=2)
        assert play_until(pages, rng, lambda view: view["round"] >= 4 and view["acting"] and view["undo"])
    return made


def with_much_to_tell(server: Server, rng: Random) -> Made:
    seats = [*people("Gil"), *({"kind": "open"} for _ in range(3))]
    made = Made(
        server,
        "the second game at a table with chat, undone moves, seats given away, a veiled hand and a new link to watch",
        seats,
        sets=["base", "crossroads"],
        cards=["miners", "lords", "knights"],
    )
    with made.pages() as pages:
        for seat, name in ((1, "Hugo"), (2, "Ida"), (3, "Jo")):
            pages[seat].do("join", seat=seat, name=name, colour=seat)
        play_on(pages, rng)
        host = pages[0]
        host.do("rematch", same_board=False)
        for page in pages:
            page.reach(host.version)
        assert play_until(pages, rng, lambda view: view["round"] == 2 and view["undo"])
        acting = next(page for page in pages if page.in_turn)
        acting.do("undo", version=acting.version)
        assert play_until(pages, rng, lambda view: view["round"] == 3 and view["undo"])
        acting = next(page for page in pages if page.in_turn)
        acting.do("undo", version=acting.version, whole_turn=True)
        for page in pages:
            page.reach(acting.version)
        host.do("say", text="Grüße an alle, 你好", seat=host.table["yours"][0])
        host.do("say", text="The host speaks", name="The host")
        with Client(server, made.tokens["watch"]) as watcher:
            watcher.do("say", text="Nice board", name="Kim")
        host.do("hush", on=True)
        made.tokens["watch"] = made.make_token(host, type="renew")
        # Everybody has moved up: Hugo, Ida, Jo, Gil.
        assert play_until(pages, rng, lambda view: view["round"] == 4 and view["player"] == 3)
        made.tokens["seats"][3] = made.make_token(host, type="reseat", seat=2)
        with Client(server, made.tokens["seats"][3]) as new:
            new.do("join", seat=2, name="Lea", colour=3)
        pages[2].do("agree", seat=2)
        host.do("reseat", seat=0, level="greedy")
        made.tokens["seats"][1] = ""
    return made


def among_the_silos(server: Server, rng: Random) -> Made:
    made = Made(
        server,
        "three seats after the last round, where one has used its silos and another has begun to",
        people("Mia", "Ned", "Ole"),
        sets=["base", "harvest"],
        board="bazaar/mountain-station/cathedral/university",  # a silo on each
    )
    with made.pages() as pages:
        first: list[int] = []

        def second_seat_has_begun(view: Json) -> bool:
            if view["acting"] == "silo" and not first:
                first.append(view["player"])
            return bool(first) and view["player"] != first[0] and view["undo"]

        while not play_until(pages, rng, second_seat_has_begun):
            pages[0].do("rematch")
            first.clear()
    return made


def from_a_position(server: Server, rng: Random) -> Made:
    made = Made(server, "a game from a position with a drawn map", people("Pia", "Quin"), position=DRAWN_MAP)
    with made.pages() as pages:
        play_on(pages, rng, 2)
    return made


TABLES = (finished, in_mid_turn, with_all_boxes, with_much_to_tell, among_the_silos, from_a_position)


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    server_pool = ServerPool()
    try:
        with tempfile.TemporaryDirectory() as scratch:
            data = Path(scratch) / "data"
            server = server_pool.start(data)
            expected = [make(server, Random(make.__name__)).expected() for make in TABLES]
            server.stop()
            assert not (data / f"{DATABASE}-wal").exists(), "the server has not written everything to one file"
            shutil.copyfile(data / DATABASE, folder / DATABASE)
    finally:
        server_pool.close()
    text = json.dumps(expected, indent=2, ensure_ascii=False)
    (folder / "expected.json").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
