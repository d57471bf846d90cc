"""Deleting oneself, taking everything along, and guests who never came back."""

import asyncio
import json
import sqlite3
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from kingdom_builder.notation import parse_record
from kingdom_builder.server import entries, erasure, export, looking, projector
from kingdom_builder.server import tables as tables_module
from kingdom_builder.server.database import DATABASE
from kingdom_builder.server.delivery.mail import read_mail_settings
from kingdom_builder.server.erasure import Erased, Expired
from kingdom_builder.server.export import EXPORT_FORMAT, exported
from kingdom_builder.server.messages import SetupChoice
from kingdom_builder.server.pairing import Wish
from kingdom_builder.server.persons import DAY, insert_guest
from kingdom_builder.server.projector import rebuild
from kingdom_builder.server.reports import find_report, list_reports
from kingdom_builder.server.schema import OF_A_PERSON, OF_A_TABLE, PERSON, RELATIONS, WAYS, insert
from kingdom_builder.server.seeks import Seek, put
from kingdom_builder.server.store import Sql, Steps
from kingdom_builder.server.tables import Player
from server.hand_clock import HandClock
from server.inside import Dealer, Json, World, dealers, run, world
from server.mail_server import MailServer
from server.members import Visitor, visitor
from server.strangers import LIVE, change, meet
from server.test_game_lists import enter
from server.test_mailed_codes import attach
from server.test_reports import send
from server.test_secrets import forge

__all__ = ["dealers"]

NAME, OTHER_NAME, LINE, ADDRESS = "Unmistakable", "Onceuponatime", "A sentence to find", "whoever@example.org"


def texts_in(folder: Path) -> str:
    """Every value in the database, as text."""
    database = sqlite3.connect(folder / DATABASE)
    names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    found = repr([database.execute(f"SELECT * FROM {name}").fetchall() for name in names])
    database.close()
    return found


async def settle_in(inside: World, mails: MailServer) -> tuple[Visitor, Json]:
    """Somebody who has been everywhere, and the table where they have played, at two devices."""
    ann, laptop, ben = await visitor(inside), await visitor(inside), await visitor(inside)
    made = await inside.make(3)
    page = await ann.sit(made["seats"][0])
    await page.ask(type="join", seat=0, name=OTHER_NAME, colour=0)
    await page.ask(type="join", seat=0, name=NAME, colour=0)
    await page.ask(type="say", text=LINE, seat=0)
    host = await inside.page(made["host"], cookie=ben.cookie)
    await host.ask(type="reseat", seat=0, level="easy")  # the host writes down the name of another
    await page.ask(type="take-back", seat=0)
    late = await laptop.sit(made["seats"][2])
    await late.ask(type="say", text=LINE, seat=2)
    await ann.do("/about", name=NAME, language="fr")
    await ann.register()
    await ann.do("/codes")
    await attach(ann, mails, ADDRESS)
    await laptop.sign_in(ann.passkey)
    await inside.tables.projector.flush()
    return ann, made


def test_nothing_personal_is_left_of_somebody_who_deletes_themselves(tmp_path: Path) -> None:
    async def test() -> None:
        with MailServer() as mails:
            settings = read_mail_settings(f"smtp+plain://127.0.0.1:{mails.port}", "games@example.org")
            async with world(data=tmp_path, mail=settings) as inside:
                ann, made = await settle_in(inside, mails)
                me = (await ann.ask())["id"]
                secrets = [NAME, OTHER_NAME, LINE, ADDRESS, NAME.lower()]
                before = texts_in(tmp_path)
                assert all(each in before for each in secrets[:-1])
                watching = await inside.page(made["watch"])
                assert await ann.refused("", "DELETE") == "unconfirmed"
                answer = await ann.send("DELETE", "", {"confirmed": True})
                assert answer.status_code == 200
                assert ann.cookie == ""
                await watching.ended()  # and comes back by itself
                again = await inside.page(made["watch"])
                assert not any(each in text for text in again.received for each in secrets)
                assert (await inside.http.get(f"/api/persons/{me}")).status_code == 404
                await inside.tables.projector.flush()
                for _ in range(2):
                    after = texts_in(tmp_path)
                    assert not [each for each in secrets if each in after]
                    await rebuild(inside.tables.journal)
            files = b"".join(file.read_bytes() for file in tmp_path.iterdir())
            assert me.encode() in files, "the games are still there"

    run(test())


def test_what_people_wrote_about_their_maps_gets_into_no_log(tmp_path: Path) -> None:
    rows = ["GC1FTGCDFT", *["GCDFTGCDFT"] * 9]
    maps = "\n".join(["kingdom-builder-maps 1", "; by Ann Smith", "# my-isle: farm | own | own", *rows])

    async def test() -> None:
        async with world(data=tmp_path) as inside:
            made = await inside.make(sets=["own", "base"], sections=maps)
            table = await inside.table(made)
            assert "my-isle" in table.choice.sections
        assert b"Ann Smith" not in b"".join(file.read_bytes() for file in tmp_path.iterdir())

    run(test())


def test_reports_stay_without_what_they_said_of_somebody_who_deletes_themselves(tmp_path: Path) -> None:
    """Reports of them, by them, and of others at the same table, also when that table is gone."""

    async def test() -> None:
        async with world(data=tmp_path) as inside:
            ann, ben, cleo = [await meet(inside, name, member=True) for name in (NAME, "Ben", "Cleo")]
            players = [
                Player(each.id, name) for each, name in zip((ann, ben, cleo), (NAME, "Ben", "Cleo"), strict=True)
            ]
            tables = [
                await inside.tables.make_for(players, SetupChoice(board="first"), LIVE, rated=False) for _ in range(2)
            ]
            for number, table in enumerate(tables):
                for seat, each in enumerate((ann, ben)):
                    page = await each.page(table)
                    await page.ask(type="say", text=f"{LINE} {seat} {number}", seat=seat)
                    if seat == 0:
                        legal = page.everything()[0]["view"]["legal"]
                        await page.ask(type="play", version=1, move=legal[0])
                await inside.tables.projector.flush()
                assert await send(ann, table, seat=1, text=OTHER_NAME) == (200, "")
                assert await send(ben, table, seat=0, text="He was rude.") == (200, "")
                assert await send(cleo, table, seat=1, text="So was he.") == (200, "")
            assert OTHER_NAME in texts_in(tmp_path)
            for relation in OF_A_TABLE:
                await change(inside, f"DELETE FROM {relation.name} WHERE id = ?", tables[1])
            answer = await ann.ask("DELETE", "/api/me", {"confirmed": True})
            assert answer.status_code == 200
            found = await inside.tables.journal.read(list_reports)
            assert len(found) == 6
            for line in found:
                view = await inside.tables.journal.read(find_report, line.id, 0)
                assert view is not None
                said = msgspec.json.encode(view).decode()
                assert not [each for each in (NAME, OTHER_NAME, f"{LINE} 0", ann.id) if each in said]
                assert f"{LINE} 1" in said, "what others said stays"
                assert view.snapshot.names == ["Player A", "Ben", "Cleo"]
            assert sorted(line.by_name for line in found) == ["", "", "Ben", "Ben", "Cleo", "Cleo"]
            assert sorted(line.name for line in found) == ["", "", *["Ben"] * 4]
            assert sorted(line.text for line in found) == ["", "", "He was rude.", "He was rude.", *["So was he."] * 2]

    run(test())


def test_others_play_on_where_somebody_was_deleted() -> None:
    async def test() -> None:
        async with world() as inside:
            ann, ben = await visitor(inside), await visitor(inside)
            made = await inside.make()
            page = await ann.sit(made["seats"][0])
            await page.ask(type="join", seat=0, name=NAME, colour=0)
            other = await ben.sit(made["seats"][1])
            await other.ask(type="join", seat=1, name="Ben", colour=1)
            await ann.send("DELETE", "", {"confirmed": True})
            await other.ended()
            await page.ended()
            assert await ben.seats_at(made["id"]) == [1]
            back = await inside.page(made["host"], made["seats"][0], cookie=ben.cookie)
            (welcome,) = [each for each in back.everything() if each["type"] == "welcome"]
            assert [seat["name"] for seat in welcome["table"]["seats"]] == ["", "Ben"]
            move = welcome["view"]["legal"][0]
            assert (await back.ask(type="play", version=welcome["version"], move=move))["type"] == "done"
            (game,) = (await ben.ask("/games"))["games"]
            assert [seat["name"] for seat in game["seats"]] == ["", "Ben"]
            assert game["seats"][0]["person"] == ""

    run(test())


def test_a_game_that_was_on_its_way_into_the_list_does_not_bring_a_name_back() -> None:
    async def test() -> None:
        async with world() as inside:
            ann, ben = await visitor(inside), await visitor(inside)
            made = await inside.make()
            page, other = await ann.sit(made["seats"][0]), await ben.sit(made["seats"][1])
            await page.ask(type="join", seat=0, name=NAME, colour=0)
            await other.ask(type="join", seat=1, name="Ben", colour=1)
            before = projector.listed(await inside.table(made))
            assert before is not None
            await ann.send("DELETE", "", {"confirmed": True})
            await inside.tables.journal.write(projector.put, [before], inside.tables.projector.also)
            (game,) = (await ben.ask("/games"))["games"]
            assert [seat["name"] for seat in game["seats"]] == ["", "Ben"]

    run(test())


def test_words_said_while_somebody_is_deleted_are_deleted_too() -> None:
    """Moves, names and lines that come at the same moment neither fail the server nor bring a name back."""

    async def test() -> None:
        async with world() as inside:
            ann, ben = await visitor(inside), await visitor(inside)
            made = await inside.make()
            page, other = await ann.sit(made["seats"][0]), await ben.sit(made["seats"][1])
            await page.ask(type="join", seat=0, name=NAME, colour=0)
            for number in range(20):
                page.send(type="join", seat=0, name=f"{NAME} {number}", colour=0)
                other.send(type="say", text="Hello", seat=1)
            await asyncio.gather(ann.send("DELETE", "", {"confirmed": True}), *[asyncio.sleep(0) for _ in range(5)])
            await page.ended()
            await inside.tables.projector.flush()

            def names() -> Steps[list[Any]]:
                words = yield Sql("SELECT text FROM words")
                players = yield Sql("SELECT name FROM players")
                return words + players

            assert NAME not in repr(await inside.tables.journal.read(names))
            assert await ben.seats_at(made["id"]) == [1]

    run(test())


def test_every_relation_with_a_person_is_deleted_or_kept_with_the_table() -> None:
    for relation in RELATIONS:
        if PERSON.name in relation.column_names().split():
            assert relation in OF_A_PERSON or relation.kept == "as long as the table"


# ---- taking everything along


def test_the_file_has_all_that_is_mine_and_nothing_of_others() -> None:
    async def test() -> None:
        async with world() as inside:
            ann, ben = await visitor(inside), await visitor(inside)
            made = await inside.make()
            page, other = await ann.sit(made["seats"][0]), await ben.sit(made["seats"][1])
            await page.ask(type="join", seat=0, name=NAME, colour=0)
            await page.ask(type="say", text=LINE, seat=0)
            await other.ask(type="join", seat=1, name=OTHER_NAME, colour=1)
            await other.ask(type="say", text="What I say", seat=1)
            await ann.register()
            laptop = await visitor(inside)
            await laptop.sign_in(ann.passkey)
            answer = await laptop.send("GET", "/export")
            assert "attachment" in answer.headers["content-disposition"]
            found = answer.json()
            assert found["format"] == EXPORT_FORMAT
            data = found["data"]
            assert {row["text"] for row in data["words"]} == {NAME, LINE}
            assert [row["name"] for row in data["players"]] == [NAME]
            assert [row["id"] for row in data["games"]] == [made["id"]]
            assert (len(data["devices"]), len(data["passkeys"]), len(data["persons"])) == (2, 1, 2)
            for secret in (OTHER_NAME, "What I say", await ben.id, ann.cookie, "_hash"):
                assert secret not in answer.text

    run(test())


def test_the_file_has_my_reports_and_my_finished_games_but_nothing_of_others_and_no_secret(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def test() -> None:
        async with world() as inside:
            ann, ben = await meet(inside), await meet(inside)
            players = [Player(ann.id, NAME), Player(ben.id, OTHER_NAME)]
            made = [await inside.tables.make_for(players, SetupChoice(), LIVE, rated=False) for _ in range(3)]
            for table in made[:2]:
                assert (await (await ann.page(table)).ask(type="leave"))["type"] == "done"
            await inside.tables.projector.flush()
            assert await send(ann, made[0], seat=1, text=LINE) == (200, "")
            assert await send(ben, made[0], seat=0, text="About Ann") == (200, "")
            values = (ann.id, "push", "t", "https://push.example/x", "key", "the-secret", "the-device", "Firefox", 1, 0)
            await change(inside, insert(WAYS), *values)
            answer = await ann.ask("GET", "/api/me/export")
            data = answer.json()["data"]
            assert [(row["text"], row["place"]) for row in data["reports"]] == [(LINE, made[0])]
            assert [row["address"] for row in data["ways"]] == ["https://push.example/x"]
            records = answer.json()["records"]
            assert {(each["table"], each["game"]) for each in records} == {(table, 1) for table in made[:2]}
            assert all(parse_record(each["record"]).tags["NameA"] == NAME for each in records)
            for hidden in (OTHER_NAME, ben.id, "About Ann", "the-secret", "the-device"):
                assert hidden not in answer.text
            monkeypatch.setattr(export, "MOST_RECORD_BYTES", len(records[0]["record"]))
            assert len((await ann.ask("GET", "/api/me/export")).json()["records"]) == 1

    run(test())


def test_the_file_is_made_only_so_often() -> None:
    async def test() -> None:
        async with world() as inside:
            ann = await visitor(inside)
            answers = [(await ann.send("GET", "/export")).status_code for _ in range(6)]
            assert answers == [200] * 5 + [429]

    run(test())


@pytest.mark.usefixtures("dealers")
def test_no_file_depends_on_a_hidden_card() -> None:
    """Two servers that differ in a hidden card alone give everybody the same file."""

    async def test() -> None:
        compared = 0
        async with world(Dealer(1)) as main, world(Dealer(2)) as left, world(Dealer(2)) as right:
            made = await main.make(3)
            people = [await visitor(main) for _ in range(3)]
            pages = [await who.sit(made["seats"][seat]) for seat, who in enumerate(people)]
            table = await main.table(made)
            ids = [await who.id for who in people]
            for twin in (left, right):
                for each in ids:
                    await twin.tables.journal.write(insert_guest, each, f"device of {each}", "", 0)
            for turn in range(20):
                view = looking.view(table, frozenset(chair.token_hash for chair in table.party.seats))
                player = pages[table.game.state.player]
                await player.ask(type="play", version=table.version, move=view.legal[0])
                bodies = [stored.body for stored in (await main.tables.journal.load(made["id"])).entries]
                forged = forge(bodies, table, Random(turn))
                if forged is not None:
                    await copy(left, f"{turn:012x}", bodies)
                    await copy(right, f"{turn:012x}", forged[1])
                    files = [
                        [await twin.tables.journal.read(exported, each, 0) for each in ids] for twin in (left, right)
                    ]
                    assert files[0] == files[1]
                    assert f"{turn:012x}" in json.dumps(files[0])
                    compared += 1
        assert compared >= 3

    async def copy(twin: World, table: str, bodies: list[bytes]) -> None:
        generation = await twin.tables.journal.create(table, entries.FORMAT, bodies[0])
        for version, body in enumerate(bodies[1:], 2):
            await twin.tables.journal.append(table, version, entries.FORMAT, body, generation)
        await twin.tables.projector.catch_up()

    run(test())


# ---- guests who never came back


def test_guests_who_never_came_back_are_removed_a_few_at_a_time() -> None:
    async def test() -> None:
        async with world() as inside:
            journal = inside.tables.journal
            gone, playing, member, back = [await visitor(inside) for _ in range(4)]
            await member.register()
            ids = [await each.id for each in (gone, playing, member, back)]
            await enter(inside, "old", [(ids[0], NAME, 40, 1), ("", "", 20, 2)])
            await enter(inside, "running", [(ids[1], "Ben", None, None), ("", "", None, None)], turn=0)
            now = int(inside.tables.clock()) + 500 * DAY

            def age() -> Steps[None]:
                yield Sql("UPDATE persons SET seen = ? WHERE id = ?", (now, ids[3]))

            assert await journal.write(erasure.expire, 400, now) == Expired(0, 0), "nobody came: the clock is wrong"
            await journal.write(age)
            assert await journal.write(erasure.expire, 400, now) == Expired(1, 3, Erased([ids[0]], ["old"]))

            def left() -> Steps[tuple[set[str], str]]:
                persons = yield Sql("SELECT id FROM persons")
                players = yield Sql("SELECT name FROM players")
                return {each for (each,) in persons}, repr(players)

            persons, players = await journal.read(left)
            assert persons == set(ids[1:])
            assert NAME not in players
            assert "Ben" in players

    run(test())


def test_only_a_share_of_the_guests_is_removed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        monkeypatch.setattr(erasure, "MOST_AT_ONCE", 3)
        async with world() as inside:
            for _ in range(12):
                await visitor(inside)
            now = int(inside.tables.clock()) + 500 * DAY
            await (await visitor(inside)).come()

            def age() -> Steps[None]:
                yield Sql("UPDATE persons SET seen = ? WHERE id = (SELECT max(id) FROM persons)", (now,))

            await inside.tables.journal.write(age)
            assert (await inside.tables.journal.write(erasure.expire, 400, now)).guests == 3

    run(test())


def test_a_server_that_runs_for_long_removes_guests_and_searches_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not only at a start; and nobody sees the name of a guest who was removed."""

    async def left(inside: World) -> tuple[int, int]:
        persons = await change(inside, "SELECT count(*) FROM persons")
        seeks = await change(inside, "SELECT count(*) FROM seeks")
        return persons[0][0], seeks[0][0]

    async def test() -> None:
        monkeypatch.setattr(tables_module, "TIDY_SECONDS", 0.005)
        clock = HandClock()
        async with world(clock=clock) as inside:
            old, ben = await meet(inside, NAME), await meet(inside, "Ben")
            table = await inside.tables.make_for([Player(old.id, NAME), "random"], SetupChoice(), LIVE, rated=False)
            await (await old.page(table)).ask(type="leave")
            await inside.tables.projector.flush()
            seek = Seek("s", ben.id, Wish(2, 2, ("base",), LIVE, False), 0)
            await inside.tables.journal.write(put, seek, int(clock()) + 10, [])
            tidying = asyncio.create_task(inside.tables.tidy())
            await asyncio.sleep(0.1)
            assert await left(inside) == (2, 1)
            clock.move(401 * DAY)
            await change(inside, "UPDATE persons SET seen = ? WHERE id = ?", int(clock()), ben.id)
            for _ in range(200):
                await asyncio.sleep(0.01)
                if await left(inside) == (1, 0):
                    break
            assert await left(inside) == (1, 0)
            found, _ = await inside.tables.find([], "test", table=table)
            assert not any(seat.name for seat in found.party.seats)
            tidying.cancel()

    run(test())
