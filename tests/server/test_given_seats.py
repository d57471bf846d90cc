"""Among strangers nobody gives away the seat of a player, nor changes the bot that plays for one."""

from typing import Any, NamedTuple

import pytest

from server.inside import Page, World, run, world
from server.strangers import Somebody, meet
from server.test_company import done, table_of

CLOCK = {"kind": "live", "start": 600, "add": 10}
RATED = {"open": True, "rated": True, "clock": CLOCK}
OPEN = {"open": True, "clock": CLOCK}
BY_LINK: dict[str, Any] = {"clock": CLOCK}


class Table(NamedTuple):
    """A table of a host and a guest, each at a page of their own."""

    world: World
    id: str
    host: Page
    guest: Page

    async def people(self) -> list[tuple[str, str, bool]]:
        """Kind, level and whether a bot stands in, of each seat."""
        seats = (await table_of(self.host))["seats"]
        return [(seat["kind"], seat["level"], seat["stands_in"]) for seat in seats]


async def gather(inside: World, others: list[str], *, is_known: bool = True, **kind: Any) -> Table:
    """The host at the first seat, the guest at the second one; `others` are the kinds of further seats."""
    ann, bob = await meet(inside), await meet(inside) if is_known else None
    seats = [{"kind": "person", "name": "Ann"}, {"kind": "open"}]
    seats += [{"kind": "open"} if each == "open" else {"kind": "bot", "level": each} for each in others]
    made = (await ann.ask("POST", "/api/tables", {"seats": seats, **kind})).json()
    host = await inside.page(made["host"], made["seats"][0], cookie=ann.secret)
    guest = await sit(inside, bob, made, 1)
    return Table(inside, made["id"], host, guest)


async def sit(inside: World, who: Somebody | None, made: dict[str, Any], seat: int) -> Page:
    """Somebody at a seat, or a browser without cookies."""
    page = await inside.page(made["invite"], cookie=who.secret if who else "")
    await done(page, type="sit", seat=seat, name="Bob")
    return page


@pytest.mark.parametrize("kind", [OPEN, RATED])
@pytest.mark.parametrize(("seat", "level"), [(1, "random"), (1, ""), (0, "expert"), (0, "")])
def test_a_host_cannot_give_away_the_seat_of_a_player(kind: dict[str, Any], seat: int, level: str) -> None:
    """A leaver against their will, a second hand, and an engine for each own turn."""

    async def test() -> None:
        async with world(bot_pause=1000) as inside:
            table = await gather(inside, [], **kind)
            assert await table.host.refused(type="reseat", seat=seat, level=level) == "forbidden"
            assert await table.people() == [("person", "", False)] * 2
            await table.guest.close()  # also while they are away
            assert await table.host.refused(type="reseat", seat=seat, level=level) == "forbidden"

    run(test())


@pytest.mark.parametrize("is_known", [True, False])
@pytest.mark.parametrize("level", ["random", ""])
def test_a_host_cannot_change_the_bot_that_stands_in_for_somebody(level: str, is_known: bool) -> None:
    async def test() -> None:
        async with world(bot_pause=1000) as inside:
            table = await gather(inside, ["random"], is_known=is_known, **OPEN)
            await done(table.guest, type="leave")
            people = await table.people()
            assert people[1] == ("bot", "greedy", True)
            assert await table.host.refused(type="reseat", seat=1, level=level) == "forbidden"
            assert await table.people() == people
            await done(table.guest, type="take-back", seat=1)

    run(test())


@pytest.mark.parametrize(("kind", "is_refused"), [(RATED, True), (OPEN, False)])
def test_only_in_rated_games_other_bots_stay_too(kind: dict[str, Any], is_refused: bool) -> None:
    """A bot that gives way to a weaker or a stronger one would change what a result is worth."""

    async def test() -> None:
        async with world(bot_pause=1000) as inside:
            table = await gather(inside, ["random"], **kind)
            answer = await table.host.ask(type="reseat", seat=2, level="expert")
            assert (answer["type"] == "refused") == is_refused
            assert (await table.people())[2] == ("bot", "random" if is_refused else "expert", False)

    run(test())


@pytest.mark.parametrize("kind", [OPEN, RATED])
def test_a_seat_that_nobody_took_still_goes_to_a_bot(kind: dict[str, Any]) -> None:
    async def test() -> None:
        async with world(bot_pause=1000) as inside:
            table = await gather(inside, ["open"], **kind)
            await done(table.host, type="reseat", seat=2, level="random")
            assert (await table.people())[2][:2] == ("bot", "random")

    run(test())


def test_a_seat_whose_link_somebody_has_opened_is_theirs_before_they_choose_a_name() -> None:
    async def test() -> None:
        async with world(bot_pause=1000) as inside:
            ann, bob = await meet(inside), await meet(inside)
            seats = [{"kind": "person", "name": "Ann"}, {"kind": "open"}]
            made = (await ann.ask("POST", "/api/tables", {"seats": seats, **OPEN})).json()
            host = await inside.page(made["host"], made["seats"][0], cookie=ann.secret)
            await inside.page(made["seats"][1], cookie=bob.secret)
            assert await host.refused(type="reseat", seat=1, level="random") == "forbidden"
            assert await host.refused(type="reseat", seat=2, level="random") == "malformed"

    run(test())


def test_friends_by_link_give_seats_away_as_they_like() -> None:
    async def test() -> None:
        async with world(bot_pause=1000) as inside:
            table = await gather(inside, [], **BY_LINK)
            await done(table.host, type="reseat", seat=0, level="random")
            await done(table.host, type="reseat", seat=1, level="random")
            await done(table.host, type="reseat", seat=1)

    run(test())
