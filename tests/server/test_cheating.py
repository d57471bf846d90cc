"""Players, hosts and watchers who cheat or annoy."""

import pytest

from kingdom_builder.notation import parse_record
from kingdom_builder.server import writing
from kingdom_builder.server.deciding import MOST_OF_A_TURN
from kingdom_builder.server.names import clean, look_alike
from server.inside import Json, run, world
from server.test_party import Trial, last_view

# ---- the door of the table ---------------------------------------------------------------------------------------


def test_watchers_cannot_keep_a_player_out_of_the_table() -> None:
    async def test() -> None:
        async with world(max_connections_per_table=6) as inside:
            made = await inside.make(2)
            watchers = [await inside.page(made["watch"], client=f"1.1.1.{number}") for number in range(8)]
            assert [page.everything()[-1].get("refusal", {}).get("code") for page in watchers[6:]] == ["full", "full"]
            player = await inside.page(made["seats"][0])
            assert player.everything()[0]["type"] == "welcome"
            host = await inside.page(made["host"])
            assert host.everything()[0]["type"] == "welcome"
            assert len((await inside.table(made)).viewers) <= 6

    run(test())


def test_a_player_cannot_keep_the_others_out_of_the_table() -> None:
    async def test() -> None:
        async with world(max_connections_per_table=6) as inside:
            made = await inside.make(2)
            other = await inside.page(made["seats"][1])
            for _ in range(10):
                await inside.page(made["seats"][0])
            assert not other.task.done()
            await other.close()
            await inside.page(made["seats"][0])
            back = await inside.page(made["seats"][1])
            assert back.everything()[0]["type"] == "welcome"

    run(test())


# ---- a full log --------------------------------------------------------------------------------------------------


def test_who_talks_without_end_does_not_take_the_table_from_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "MOST_ENTRIES", 40)

    async def test() -> None:
        async with world() as inside:
            trial = await Trial().start(inside)
            watcher = await inside.page(trial.made["watch"])
            while (await watcher.ask(type="say", text="x"))["type"] == "done":
                pass
            assert (await trial.victim.ask(type="say", text="x", seat=1))["type"] == "done"
            while (await trial.victim.ask(type="say", text="x", seat=1))["type"] == "done":
                pass
            table = trial.table
            move = last_view(trial.host)["legal"][0]
            assert (await trial.host.ask(type="play", version=table.version, move=move))["type"] == "done"
            assert (await trial.host.ask(type="undo", version=table.version))["type"] == "done"
            assert (await trial.host.ask(type="hush", on=True))["type"] == "done"
            assert (await trial.host.ask(type="reseat", seat=1))["type"] == "done"

    run(test())


# ---- names -------------------------------------------------------------------------------------------------------


def test_nobody_takes_the_name_that_another_seat_has_by_default() -> None:
    async def test() -> None:
        async with world() as inside:
            trial = await Trial().start(inside)
            assert await trial.victim.refused(type="join", seat=1, name="Player A", colour=1) == "taken"
            assert (await trial.victim.ask(type="join", seat=1, name="Player B", colour=1))["type"] == "done"

    run(test())


def test_a_player_does_not_speak_as_somebody_who_looks_on() -> None:
    async def test() -> None:
        async with world() as inside:
            trial = await Trial().start(inside)
            await trial.victim.ask(type="say", text="Ada cheats", name="Zoe")
            assert [(line.role, line.name) for line in trial.table.party.chat] == [("player", "Player B")]

    run(test())


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Ivan", "I\u03bdan"),
        ("Yves", "\u03a5ves"),
        ("Ann", "\u13aann"),
        ("Bob", "\ua4d0ob"),
        ("Anna", "A\u03b7\u03b7a"),
        ("\U0001f642", "\U0001f642\ufe0f"),
        ("Ann", "A\u034fnn"),
        ("Ada", "\u2c80da"),
        ("Sam", "\u054fam"),
    ],
)
def test_names_that_look_alike(name: str, other: str) -> None:
    assert look_alike(name, other)


@pytest.mark.parametrize("text", ["\u034f", "\ufe0f\ufe0f", "\U000e0101", "\u180b", " \u034f "])
def test_invisible_marks_are_not_text(text: str) -> None:
    assert clean(text, 24) == ""


# ---- records -----------------------------------------------------------------------------------------------------


def test_names_do_not_break_records() -> None:
    async def test() -> None:
        async with world() as inside:
            trial = await Trial().start(inside)
            for seat, (page, name) in enumerate(zip((trial.host, trial.victim), ('"] [Start "', "\\"), strict=True)):
                done = await page.ask(type="join", seat=seat, name=name, colour=seat)
                assert done["type"] == "done", done
            record = parse_record((await inside.get("/api/table/record", trial.made["watch"])).text)
            assert (record.tags["NameA"], record.tags["NameB"]) == ('"] [Start "', "\\")

    run(test())


def test_a_turn_without_end_is_stopped_and_a_bot_can_end_it() -> None:
    """Some actions can be begun again and again: nobody keeps the others waiting by that forever."""
    line = "GGGG/NGGG/GGGG - - 0 C5D5F5G4T5 - 2A/G/0/- 9:a1,d3:a2:G 9::: nomads=a2:resettlement"

    async def test() -> None:
        async with world() as inside:
            made = await inside.make(position=line)
            table = await inside.table(made)
            page, host = await inside.page(made["seats"][0]), await inside.page(made["host"])
            for move in ("resettlement", "a1", "b1"):
                assert (await page.ask(type="play", version=table.version, move=move))["type"] == "done"
            answer: Json = {"type": "done"}
            number = 0
            while answer["type"] == "done":
                move = ("d3", "b1")[number % 2]
                number += 1
                answer = await page.ask(type="play", version=table.version, move=move)
            assert answer["refusal"]["code"] == "full"
            assert len(table.game.plies) == MOST_OF_A_TURN
            await host.ask(type="reseat", seat=0, level="greedy")
            await host.until(lambda message: message["type"] == "update" and message["view"]["player"] == 1)

    run(test())
