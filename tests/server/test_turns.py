"""Undo, joining, talking, and playing again, seen from the inside: the cards are drawn by script."""

import json
from random import Random

import pytest

from kingdom_builder.notation import position_of
from kingdom_builder.rules import DRAWN
from kingdom_builder.server import looking
from kingdom_builder.server.table import Table
from server.inside import Dealer, Json, Page, World, dealers, run, world

__all__ = ["dealers"]
pytestmark = pytest.mark.usefixtures("dealers")

NO_CARDS = "GGGGDDFF/CCCCTTTT/GGGGDDFF/CCCCTTTT lords - - - - 9A!/-/0/- 30:a1,b1:: 30:h4,g4::G"
FORT = "GGGGDDFF/CCCCTTTT/G1GGDDFF/CCCCTTTT(fort) lords - 1 C5F5G4T4 DDDDT 3A/G/3/- 39:a3:b3:G 40:::D"
CIRCLE = (
    "oasis'/caravan'/tower'/lighthouse farmers,merchants,knights - 222222221 C2D1F2G2T3 CDGTGFDCTC 3A/D/0/-"
    " 28:r1,c2,a3,b3,c3,a4,b4,a5,c5,a6,b6,a7,t7:e3-,n3*,r4*,c8*,h13*,m14*,e17,q17*,q7:D 34:o5,m6,n6,n7,l8,m8::F"
    " 34:s1,t1,t2,o18,o19,p19::G 34:l11,m11,n11,k12,l12,l13::F 34:b10,b11,c11,j13,k13,k14::D tasks=road"
    " nomads=q7:resettlement caves=m7,b17,s19 ships=a3"
)
"""In which one piece after the other can be chosen to be moved, forever."""

GAME = ('{"type":"welcome"', '{"type":"update"')


class Seats:
    """A table with a page of each seat, and one of the host."""

    def __init__(self, inside: World, made: Json) -> None:
        self.world = inside
        self.made = made
        self.pages: list[Page] = []
        self.host: Page
        self.table: Table

    @classmethod
    async def at(cls, inside: World, players: int = 2, kind: str = "person", **setup: object) -> "Seats":
        seats = cls(inside, await inside.make(players, kind, **setup))
        seats.table = await inside.table(seats.made)
        seats.pages = [await inside.page(token) for token in seats.made["seats"]]
        seats.host = await inside.page(seats.made["host"])
        return seats

    @property
    def acting(self) -> Page:
        return self.pages[self.table.game.state.player]

    def view(self, page: Page | None = None) -> Json:
        """The last view of the page in turn, or of another."""
        received = reversed((page or self.acting).received)
        view: Json = next(json.loads(text)["view"] for text in received if text.startswith(GAME))
        return view

    async def do(self, **command: object) -> Json:
        answer = await self.acting.ask(version=self.table.version, **command)
        assert answer["type"] == "done", answer
        for page in self.pages:
            await page.sync()
        return answer

    async def play(self, move: str) -> None:
        await self.do(type="play", move=move)

    async def refuse(self, page: Page, **command: object) -> str:
        """The code of a refusal that has changed nothing."""
        before = (self.table.version, position_of(self.table.game.state), len(self.table.game.plies))
        code = await page.refused(**command)
        assert before == (self.table.version, position_of(self.table.game.state), len(self.table.game.plies))
        return code

    async def cannot_undo(self) -> None:
        assert self.view()["undo"] is False
        for whole_turn in (False, True):
            version = self.table.version
            code = await self.refuse(self.acting, type="undo", version=version, whole_turn=whole_turn)
            assert code == "illegal"

    async def to_the_end(self, rng: Random) -> None:
        while not self.table.game.state.over:
            await self.play(rng.choice(self.view()["legal"]))


def all_messages(page: Page) -> list[Json]:
    page._read = 0
    return page.messages()


def test_undo_goes_back_action_by_action_or_to_the_beginning_of_the_turn() -> None:
    async def test() -> None:
        async with world(Dealer(1)) as inside:
            seats = await Seats.at(inside)
            await seats.cannot_undo()
            positions = [position_of(seats.table.game.state)]
            for _ in range(3):
                await seats.play(seats.view()["legal"][0])
                positions.append(position_of(seats.table.game.state))
                assert seats.view()["undo"]
            assert not seats.view(seats.pages[1])["undo"]
            for expected in reversed(positions[:-1]):
                await seats.do(type="undo")
                assert position_of(seats.table.game.state) == expected
            await seats.cannot_undo()
            for _ in range(3):
                await seats.play(seats.view()["legal"][0])
            await seats.do(type="undo", whole_turn=True)
            assert position_of(seats.table.game.state) == positions[0]
            await seats.cannot_undo()

    run(test())


def test_undo_never_crosses_the_end_of_a_turn() -> None:
    async def test() -> None:
        async with world(Dealer(1)) as inside:
            seats = await Seats.at(inside, 3)
            for _ in range(9):
                player = seats.table.game.state.player
                while player == seats.table.game.state.player:
                    await seats.play(seats.view()["legal"][-1])
                version = seats.table.version
                assert not seats.view(seats.pages[player])["undo"]
                code = await seats.refuse(seats.pages[player], type="undo", version=version, whole_turn=True)
                assert code == "forbidden"
                await seats.cannot_undo()

    run(test())


def test_undo_never_crosses_the_end_of_a_turn_without_a_draw() -> None:
    async def test() -> None:
        async with world(Dealer(1)) as inside:
            seats = await Seats.at(inside, 2, position=NO_CARDS)
            await seats.play(".")
            assert not any(action in DRAWN for _, action in seats.table.game.plies)
            await seats.cannot_undo()
            await seats.play(seats.view()["legal"][0])
            await seats.do(type="undo", whole_turn=True)
            assert seats.table.game.state.player == 1
            await seats.cannot_undo()
            await seats.to_the_end(Random(1))
            version = seats.table.version
            for page in [*seats.pages, seats.host]:
                assert await seats.refuse(page, type="undo", version=version) in ("illegal", "forbidden")

    run(test())


@pytest.mark.parametrize("seed", range(6))
def test_undo_is_offered_for_own_decisions_only_also_when_silos_are_built_at_the_end(seed: int) -> None:
    async def test() -> None:
        async with world(Dealer(seed)) as inside:
            made = await inside.make(3, sets=["base", "harvest", "crossroads"], seed=str(seed))
            table = await inside.table(made)
            page = await inside.page(*made["seats"])
            rng = Random(seed)
            finales = 0
            while not table.game.state.over:
                view = looking.view(table, frozenset({table.party.seats[table.game.state.player].token_hash}))
                before, action = table.game.plies[-1]
                own = before.player == view.player and action not in DRAWN
                assert own or not view.undo
                assert view.undo or not own or view.acting == "silo"
                finales += view.acting == "silo"
                await page.ask(type="play", version=table.version, move=rng.choice(view.legal))
            assert finales or seed

    run(test())


def test_undo_never_takes_back_a_card_drawn_within_a_turn() -> None:
    async def test() -> None:
        async with world(Dealer(1)) as inside:
            seats = await Seats.at(inside, 2, position=FORT)
            for _ in range(3):
                await seats.play(seats.view()["legal"][0])
            await seats.play("fort")
            assert seats.table.game.plies[-1][1] in DRAWN
            await seats.cannot_undo()
            await seats.play(seats.view()["legal"][0])
            await seats.do(type="undo", whole_turn=True)
            assert seats.table.game.plies[-1][1] in DRAWN
            await seats.cannot_undo()

    run(test())


def test_a_replay_knows_nothing_of_what_was_undone() -> None:
    async def test() -> None:
        async with world(Dealer(1)) as inside:
            seats = await Seats.at(inside)
            rng = Random(1)
            for _ in range(80):
                if seats.view()["undo"] and rng.random() < 0.3:
                    await seats.do(type="undo", whole_turn=rng.random() < 0.3)
                else:
                    await seats.play(rng.choice(seats.view()["legal"]))
            for page, token in zip(seats.pages, seats.made["seats"], strict=True):
                lines: list[Json] = []
                for message in all_messages(page):
                    if message["type"] == "update":
                        lines = lines[: message["since"]]
                    lines += message.get("lines", [])
                replay = (await inside.get("/api/table/replay", token)).json()
                assert [frame["line"] for frame in replay["frames"][1:]] == lines

    run(test())


def test_names_and_colours_are_chosen_on_joining() -> None:
    async def test() -> None:
        async with world(Dealer(1)) as inside:
            seats = await Seats.at(inside, 2, "open")
            page, other = seats.pages
            join = {"type": "join", "seat": 0, "name": "  Ann\n\u202e\x00 <b>  ", "colour": 3}
            assert (await page.ask(**join))["type"] == "done"
            assert seats.table.party.names()[0] == "Ann <b>"
            await other.sync()
            shown = [message["table"]["seats"] for message in all_messages(other) if "table" in message][-1]
            assert [seat["kind"] for seat in shown] == ["person", "open"]
            assert [seat["colour"] for seat in shown] == [3, 1]
            assert await seats.refuse(other, type="join", seat=1, name="Bob", colour=3) == "taken"
            assert await seats.refuse(other, type="join", seat=0, name="Bob", colour=4) == "forbidden"
            assert await seats.refuse(seats.host, type="join", seat=0, name="Bob", colour=4) == "forbidden"
            for colour in (-1, 5, 10**30):
                assert await seats.refuse(other, type="join", seat=1, name="Bob", colour=colour) == "malformed"
            for seat in (-1, 2, 10**30):
                assert await seats.refuse(other, type="join", seat=seat, name="Bob", colour=4) == "malformed"
            assert await seats.refuse(other, type="join", seat=1, name="B" * 25, colour=4) == "too-large"
            assert (await page.ask(**{**join, "name": ""}))["type"] == "done"
            assert seats.table.party.names()[0] == "Player A"

    run(test())


def test_a_move_has_few_steps() -> None:
    async def test() -> None:
        async with world(Dealer(1)) as inside:
            seats = await Seats.at(inside, 5, position=CIRCLE)
            many, few = ("resettlement:r1-q1" + "-c2-b4-a6" * times for times in (7, 5))
            for kind in ("why", "play"):
                answer = await seats.acting.ask(type=kind, move=many, **({"version": 1} if kind == "play" else {}))
                message = answer["reason"] if kind == "why" else answer["refusal"]["message"]
                assert message["text"] == "A move of 24 steps: expected at most 20."
            assert (await seats.acting.ask(type="play", version=1, move=few))["type"] == "done"

    run(test())


def test_what_people_say_reaches_everybody() -> None:
    async def test() -> None:
        async with world(Dealer(1)) as inside:
            seats = await Seats.at(inside)
            watcher = await inside.page(seats.made["watch"])
            for page, command in (
                (seats.pages[1], {"seat": 1, "text": "Hello <script>alert(1)</script>"}),
                (watcher, {"text": "Hi", "name": "Zoe"}),
                (watcher, {"text": "a\nb\tc\x07d"}),
                (seats.host, {"text": "x" * 300, "name": "Host"}),
            ):
                assert (await page.ask(type="say", **command))["type"] == "done"
            assert await seats.refuse(seats.pages[1], type="say", text="x", seat=0) == "forbidden"
            assert await seats.refuse(watcher, type="say", text="x", seat=0) == "forbidden"
            assert await seats.refuse(watcher, type="say", text=" \n\u200b ") == "malformed"
            assert await seats.refuse(watcher, type="say", text="x" * 301) == "too-large"
            assert await seats.refuse(watcher, type="say", text="x", name="n" * 25) == "too-large"
            said = [
                ("Player B", "Hello <script>alert(1)</script>"),
                ("Zoe", "Hi"),
                ("Watcher", "a b c d"),
                ("Host", "x" * 300),
            ]
            newcomer = await inside.page(seats.made["watch"])
            for page in (*seats.pages, watcher, seats.host, newcomer):
                await page.sync()
                lines = [line for message in all_messages(page) for line in message.get("chat", [])]
                for message in all_messages(page):
                    lines += message["lines"] if message["type"] == "chat" else []
                assert [(line["name"], line["text"]) for line in lines] == said
                assert [line["role"] for line in lines] == ["player", "watcher", "watcher", "host"]

    run(test())


def test_only_the_last_hundred_lines_of_talk_are_kept() -> None:
    async def test() -> None:
        async with world(Dealer(1)) as inside:
            seats = await Seats.at(inside)
            for number in range(130):
                await seats.host.ask(type="say", text=str(number))
            chat = seats.table.party.chat
            assert [line.text for line in chat] == [str(number) for number in range(30, 130)]

    run(test())


@pytest.mark.parametrize("same_board", [True, False])
def test_a_rematch_moves_the_seats_up_and_keeps_the_earlier_game(same_board: bool) -> None:
    async def test() -> None:
        async with world(Dealer(1)) as inside:
            seats = await Seats.at(inside, 3, seed="5")
            for seat, page in enumerate(seats.pages):
                answer = await page.ask(type="join", seat=seat, name=f"Name{seat}", colour=(4, 1, 3)[seat])
                assert answer["type"] == "done", answer
            assert await seats.refuse(seats.host, type="rematch", same_board=same_board) == "illegal"
            await seats.to_the_end(Random(1))
            token = seats.made["seats"][0]
            record = (await inside.get("/api/table/record", token)).text
            replay = (await inside.get("/api/table/replay", token)).json()
            assert await seats.refuse(seats.pages[0], type="rematch", same_board=same_board) == "forbidden"
            answer = await seats.host.ask(type="rematch", same_board=same_board)
            assert answer["type"] == "done"
            for seat, page in enumerate(seats.pages):
                await page.sync()
                welcome = all_messages(page)[-2]
                assert welcome["type"] == "welcome"
                assert welcome["version"] == answer["version"]
                assert welcome["table"]["game"] == 2
                assert welcome["table"]["yours"] == [(seat - 1) % 3]
                names = [each["name"] for each in welcome["table"]["seats"]]
                assert names == ["Name1", "Name2", "Name0"]
                assert [each["colour"] for each in welcome["table"]["seats"]] == [1, 3, 4]
                assert welcome["view"]["round"] == 1
                assert len(welcome["lines"]) == 3
                same = welcome["setup"]["board"] == replay["setup"]["board"]
                assert same == same_board
                assert (welcome["table"]["seed"] == "5") == same_board
            seats.pages = [*seats.pages[1:], seats.pages[0]]
            await seats.play(seats.view()["legal"][0])
            for path, expected in (("record", record), ("replay", replay)):
                for key in (token, seats.made["watch"]):
                    earlier = await inside.get(f"/api/table/{path}?game=1", key)
                    assert (earlier.text if path == "record" else earlier.json()) == expected
            now = (await inside.get("/api/table/replay?game=2", token)).json()
            assert now["names"] == ["Name1", "Name2", "Name0"]
            assert len(now["frames"]) == len(seats.table.game.plies) + 1
            for game in (3, 1_000_000):
                unknown = await inside.get(f"/api/table/record?game={game}", token)
                assert (unknown.status_code, unknown.json()["code"]) == (404, "unknown-game")
            await seats.to_the_end(Random(2))
            assert (await seats.host.ask(type="rematch"))["type"] == "done"
            assert seats.table.party.names() == ["Name2", "Name0", "Name1"]
            assert (await inside.get("/api/table/record?game=1", token)).text == record

    run(test())
