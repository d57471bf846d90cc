"""What the server says about hexes and components: to players, to those who look on, and for positions."""

import pytest

from kingdom_builder.hexes import hex_names
from kingdom_builder.notation import parse_position
from kingdom_builder.rules.explanations import things
from kingdom_builder.server import looking
from server.client import Server, ServerPool
from server.inside import Dealer, Json, dealers, run, world

__all__ = ["dealers"]
pytestmark = pytest.mark.usefixtures("dealers")

FARM = "GGGGDDFF/CKCCTTTT/G1GGDDFF/CCCCTTTT(farm) lords - 1 C3D3F3G3T3 - 3A/G/3/- 39:a3:b3:G 40:::T"
MOVE = "GGGGGGGG/G1GGGGGG/GGGGGGGG/GGGGGGGG(paddock) lords - 1 C3D3F3G3T3 - 3A/G/3/- 37:a1,a2,e3:b2:G 40:::T"


def texts(answer: Json) -> list[list[str]]:
    return [[thing["key"], *[line["text"] for line in thing["lines"]]] for thing in answer["things"]]


def test_a_hex_is_explained_to_each_viewer() -> None:
    async def test() -> None:
        async with world(Dealer(1)) as inside:
            made = await inside.make(2, position=FARM)
            owner, other = [await inside.page(token) for token in made["seats"]]
            watcher = await inside.page(made["watch"])
            assert texts(await owner.ask(type="explain", hex="b3")) == [
                ["farm", "You have one.", "You can use it now.", "1 tile is left to be taken."]
            ]
            takes = "Put a piece next to it and you take a tile, to use in each turn from your next one on."
            left = ["Seat A has one.", "1 tile is left to be taken."]
            assert texts(await other.ask(type="explain", hex="b3")) == [["farm", takes, *left]]
            assert texts(await watcher.ask(type="explain", hex="b3")) == [["farm", *left]]
            assert texts(await other.ask(type="explain", key="lords")) == [["lords", "It pays you 6 gold now."]]
            assert texts(await watcher.ask(type="explain", key="lords")) == [["lords"]]
            (answer,) = (await owner.ask(type="explain", hex="a3"))["things"]
            assert (answer["kind"], answer["key"], answer["rule"]) == ("piece", "settlement", "")

    run(test())


def test_what_is_not_there_is_refused_in_a_sentence() -> None:
    async def test() -> None:
        async with world(Dealer(1)) as inside:
            made = await inside.make(2, position=FARM)
            page = await inside.page(made["watch"])
            for question, sentence in (
                ({}, "Expected a hex or the key of a component, and not both."),
                ({"hex": "a1", "key": "farm"}, "Expected a hex or the key of a component, and not both."),
                ({"hex": "z99"}, "'z99' is not a hex: expected a1 to t20."),
                ({"hex": "t20"}, "t20 is not on the board."),
                ({"key": "tower"}, "'tower' is not in this game."),
            ):
                answer = await page.ask(type="explain", **question)
                assert answer["refusal"]["message"]["text"] == sentence
            answer = await page.ask(type="explain", key="k" * 2000)
            assert len(answer["refusal"]["message"]["text"]) < 100

    run(test())


def test_other_pieces_that_can_be_moved_instead() -> None:
    async def test() -> None:
        async with world(Dealer(1)) as inside:
            made = await inside.make(2, position=MOVE)
            player, other = [await inside.page(token) for token in made["seats"]]
            table = await inside.table(made)
            keys = frozenset({table.party.seats[0].token_hash})
            assert looking.view(table, keys).instead == []
            for move, instead in (("paddock", []), ("a1", ["a2", "e3"])):
                answer = await player.ask(type="play", version=table.version, move=move)
                assert answer["type"] == "done"
                assert looking.view(table, keys).instead == instead
                assert looking.view(table, frozenset({table.party.seats[1].token_hash})).instead == []
            await player.ask(type="undo", version=table.version)
            assert looking.view(table, keys).legal == ["a1", "a2", "e3"]
            assert other

    run(test())


def test_a_tile_shows_what_it_puts_on_the_board() -> None:
    async def test() -> None:
        async with world(Dealer(1)) as inside:
            made = await inside.make(2, position=FARM)
            page = await inside.page(made["seats"][0])
            table = await inside.table(made)
            await page.ask(type="play", version=table.version, move="farm")
            assert looking.view(table, frozenset()).placing == "settlement"

    run(test())


@pytest.fixture(scope="module")
def server(server_pool: ServerPool, tmp_path_factory: pytest.TempPathFactory) -> Server:
    return server_pool.start(tmp_path_factory.mktemp("explanations") / "data")


def test_a_position_is_explained(server: Server) -> None:
    with server.http() as http:
        asked = {"position": FARM, "hex": "b3", "seat": 0}
        answer = http.post("/api/explanations", json=asked).json()
        assert [line["text"] for line in answer[0]["lines"]][:1] == ["You have one."]
        answer = http.post("/api/explanations", json={**asked, "seat": None}).json()
        assert [line["text"] for line in answer[0]["lines"]][:1] == ["Seat A has one."]
        assert http.post("/api/explanations", json={**asked, "seat": 4}).json() == answer
        assert http.post("/api/explanations", json={"position": FARM, "key": "castles"}).json()[0]["key"] == "castles"
        for wrong in ({"position": FARM}, {"position": FARM, "hex": "t20"}, {"position": "nonsense", "hex": "a1"}):
            refused = http.post("/api/explanations", json=wrong)
            assert refused.status_code == 400
            assert refused.json()["message"]["text"]


def test_the_setup_says_where_things_are(server: Server) -> None:
    with server.http() as http:
        setup = http.post("/api/positions", json={"position": FARM}).json()["setup"]
        assert setup["things"] == ["b2", "b3"] == hex_names(things(parse_position(FARM).setup))
