"""Points for leaving live games among strangers, and the pause from rated games that follows."""

import pytest

from kingdom_builder.server.conduct import (
    AFTER_A_PAUSE,
    FIRST_PAUSE,
    add_points,
    count_game,
    paused_until,
    why_paused,
)
from server.inside import World, run, world
from server.strangers import Somebody, change, meet, open_table

HOUR = 3600


async def played(
    inside: World,
    number: int,
    seats: list[tuple[str, str, int]],
    *,
    clock: str = "live 600 10",
    rated: int = 1,
    is_open: int = 0,
    at: int = 1000,
) -> tuple[str, int]:
    """A game that is over, as the list of games has it: each seat with person, level and whether they left."""
    table = f"{number:012x}"
    game = (table, 1, 9, 0, at, clock, "", rated, is_open, len(seats), 1, 9, -1, "")
    await change(inside, f"INSERT INTO games VALUES ({', '.join('?' * 14)}, NULL, NULL)", *game)
    for seat, (person, level, left) in enumerate(seats):
        await change(
            inside, "INSERT INTO players VALUES (?, 1, ?, ?, '', ?, 0, 50, 1, ?)", table, seat, person, level, left
        )
    return table, 1


async def points(inside: World, who: Somebody) -> tuple[int, int]:
    rows = await change(inside, "SELECT points, until FROM conduct WHERE person = ?", who.id)
    return rows[0] if rows else (0, 0)


def test_leaving_costs_two_points_and_finishing_wins_one_back() -> None:
    async def test() -> None:
        async with world() as inside:
            ann, bob = await meet(inside), await meet(inside)
            await played(inside, 1, [(ann.id, "random", 1), (bob.id, "", 0)])
            await inside.tables.conduct.count_all()
            assert (await points(inside, ann), await points(inside, bob)) == ((2, 0), (0, 0))
            for number in range(2, 5):
                await played(inside, number, [(ann.id, "", 0), (bob.id, "", 0)])
                await inside.tables.conduct.count_all()
            assert await points(inside, ann) == (0, 0)

    run(test())


def test_a_game_counts_once() -> None:
    async def test() -> None:
        async with world() as inside:
            ann, bob = await meet(inside), await meet(inside)
            game = await played(inside, 1, [(ann.id, "random", 1), (bob.id, "", 0)])
            for _ in range(3):
                await inside.tables.conduct.count_all()
                await inside.tables.journal.write(count_game, *game)
            assert await points(inside, ann) == (2, 0)

    run(test())


@pytest.mark.parametrize(
    ("clock", "rated", "is_open", "counts"),
    [
        ("live 600 10", 1, 0, True),
        ("live 600 10", 0, 1, True),
        ("live 600 10", 0, 0, False),
        ("days 86400 86400", 1, 1, False),
        ("none", 0, 1, False),
    ],
)
def test_only_live_games_among_strangers_count(clock: str, rated: int, is_open: int, counts: bool) -> None:
    async def test() -> None:
        async with world() as inside:
            ann, bob = await meet(inside), await meet(inside)
            seats = [(ann.id, "random", 1), (bob.id, "", 0)]
            await played(inside, 1, seats, clock=clock, rated=rated, is_open=is_open)
            await inside.tables.conduct.count_all()
            assert await points(inside, ann) == ((2, 0) if counts else (0, 0))

    run(test())


def test_a_game_against_bots_or_somebody_with_a_link_alone_does_not_count() -> None:
    async def test() -> None:
        async with world() as inside:
            ann = await meet(inside)
            await played(inside, 1, [(ann.id, "random", 1), ("", "greedy", 0)])
            await played(inside, 2, [(ann.id, "random", 1), (ann.id, "", 0)])
            await inside.tables.conduct.count_all()
            assert await points(inside, ann) == (0, 0)

    run(test())


def test_too_many_points_mean_a_pause_that_doubles_until_all_are_won_back() -> None:
    async def test() -> None:
        async with world() as inside:
            ann = await meet(inside)
            write = inside.tables.journal.write
            pauses = []
            now = 1000
            for _ in range(9):
                await write(add_points, ann.id, 2, now)
                left = await inside.tables.journal.read(paused_until, ann.id, now)
                pauses.append((left - now) / FIRST_PAUSE if left else 0)
                now = max(now, left) + 1
            assert pauses == [0, 0, 1, 2, 4, 8, 16, 32, 64]
            assert (await points(inside, ann))[0] == AFTER_A_PAUSE
            for _ in range(AFTER_A_PAUSE):
                await write(add_points, ann.id, -1, now)
            for _ in range(3):
                await write(add_points, ann.id, 2, now)
            assert await inside.tables.journal.read(paused_until, ann.id, now) == now + FIRST_PAUSE

    run(test())


def test_a_guests_points_are_those_of_the_member_that_they_turn_out_to_be() -> None:
    async def test() -> None:
        async with world() as inside:
            guest, member, bob = [await meet(inside) for _ in range(3)]
            await change(inside, "UPDATE persons SET merged = ? WHERE id = ?", member.id, guest.id)
            await played(inside, 1, [(guest.id, "random", 1), (bob.id, "", 0)])
            await inside.tables.conduct.count_all()
            assert await points(inside, member) == (2, 0)

    run(test())


def test_whoever_pauses_begins_no_rated_game_and_is_told_for_how_long() -> None:
    async def test() -> None:
        async with world() as inside:
            ann, bob, cleo = [await meet(inside) for _ in range(3)]
            now = int(inside.tables.clock())
            page = await ann.page(await open_table(inside, bob, cleo, rated=True))
            seats = [(ann.id, "random", 1), (bob.id, "", 0)]
            for number in range(3):
                await played(inside, number, seats, at=now)
            await inside.tables.conduct.count_all()
            until = await inside.tables.journal.read(paused_until, ann.id, now)
            assert str(why_paused(until, now)) == (
                "You have left too many games: no rated games for 24 hours more. Games to the end win points back."
            )
            assert await inside.tables.journal.read(paused_until, ann.id, now + 24 * HOUR + 1) == 0
            assert await inside.tables.journal.read(paused_until, bob.id, now) == 0
            assert await page.refused(type="sit", seat=0, name="Ann") == "paused"  # a page that was open before
            clock = {"kind": "live", "start": 600, "add": 10}
            wanted = {"seats": [{"kind": "person"}, {"kind": "open"}], "clock": clock}
            answer = await ann.ask("POST", "/api/tables", {**wanted, "rated": True})
            assert answer.json()["code"] == "paused"
            answer = await ann.ask("POST", "/api/tables", {**wanted, "open": True})
            assert answer.status_code == 200
            made = (await bob.ask("POST", "/api/tables", {**wanted, "rated": True})).json()
            page = await ann.page("", made["seats"][1])  # nor with a link
            join = {"type": "join", "seat": 1, "name": "Ann", "colour": 1}
            assert await page.refused(**join) == "paused"
            mine = await ann.page(await open_table(inside, ann, bob, rated=True))  # a game that runs goes on
            (welcome,) = [each for each in mine.messages() if each["type"] == "welcome"]
            move = {"version": welcome["version"], "move": welcome["view"]["legal"][0]}
            assert (await mine.ask(type="play", **move))["type"] == "done"

    run(test())


def test_somebody_who_is_banned_begins_nothing_among_strangers() -> None:
    async def test() -> None:
        async with world() as inside:
            ann, bob = await meet(inside, member=True), await meet(inside)
            now = int(inside.tables.clock())
            await change(inside, "INSERT INTO bans VALUES (?, 'ban', ?, '', '', 0)", ann.id, now + 5 * 86_400)
            table = await open_table(inside, bob, await meet(inside))
            page = await ann.page(table)  # looking on is allowed
            assert await page.refused(type="sit", seat=0, name="Ann") == "banned"
            assert await page.refused(type="say", phrase="hello", name="Ann") == "muted"
            wanted = {"seats": [{"kind": "person"}, {"kind": "open"}], "open": True}
            answer = await ann.ask("POST", "/api/tables", wanted)
            assert (answer.status_code, answer.json()["code"]) == (403, "banned")
            assert "for 5 days more" in answer.json()["message"]["text"]
            made = await inside.make(kind="open")
            friends = await ann.page("", made["seats"][0])
            assert (await friends.ask(type="say", text="hello", seat=0))["type"] == "done"

    run(test())


@pytest.mark.parametrize(("what", "rated", "refused"), [("ban", 1, True), ("pause", 1, True), ("pause", 0, False)])
def test_whoever_is_banned_or_pauses_has_no_rematch_but_plays_the_game_that_runs(
    what: str, rated: int, refused: bool
) -> None:
    async def test() -> None:
        async with world() as inside:
            ann, bob = await meet(inside), await meet(inside)
            table = await open_table(inside, ann, bob, rated=bool(rated))
            pages = [await each.page(table) for each in (ann, bob)]
            until = int(inside.tables.clock()) + 5 * 86_400
            if what == "ban":
                await change(inside, "INSERT INTO bans VALUES (?, 'ban', ?, '', '', 0)", ann.id, until)
            else:
                await change(inside, "INSERT INTO conduct VALUES (?, 4, ?)", ann.id, until)
            await inside.tables.order.refresh(ann.id)
            assert (await pages[0].ask(type="consent", to="pause"))["type"] == "done"
            assert (await pages[1].ask(type="leave"))["type"] == "done"
            answer = await pages[0].ask(type="consent", to="rematch")
            assert (answer["type"] == "refused") == refused, answer
            assert (await pages[1].ask(type="consent", to="rematch"))["type"] == "done"

    run(test())
