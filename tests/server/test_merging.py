"""Signing in where a guest is: the guest was the member all along, and nobody loses a seat."""

from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest

from kingdom_builder.server.merging import MOST_EMPTY, merge
from kingdom_builder.server.schema import BANS, BLOCKS, CONDUCT, PAUSES, RATINGS, insert
from kingdom_builder.server.store import Row, Sql, Steps
from server.authenticator import Authenticator
from server.inside import Json, Page, World, run, world
from server.members import ORIGIN, Visitor, visitor
from server.test_game_lists import enter


@dataclass
class Human:
    """Somebody as they know themselves, whatever the server thinks of them."""

    number: int
    passkeys: list[Authenticator] = field(default_factory=list)

    @property
    def is_member(self) -> bool:
        return bool(self.passkeys)


class Story:
    """People, browsers and seats, and what must be true of them whatever happens."""

    def __init__(self, inside: World, rng: Random) -> None:
        self.world, self.rng = inside, rng
        self.browsers: dict[Visitor, Human] = {}
        self.tables: list[Json] = []
        self.seats: dict[tuple[str, int], Human] = {}
        """Whose seat it is, by table and number."""
        self.pages: list[tuple[Page, int, tuple[str, int]]] = []
        self._humans = 0

    def _human(self) -> Human:
        self._humans += 1
        return Human(self._humans)

    async def new_browser(self) -> None:
        self.browsers[await visitor(self.world)] = self._human()

    async def new_table(self) -> None:
        self.tables.append(await self.world.make(3))

    async def sit(self) -> None:
        made, seat = self.rng.choice(self.tables), self.rng.randrange(3)
        browser = self.rng.choice(list(self.browsers))
        place = (made["id"], seat)
        page = await browser.sit(made["seats"][seat])
        if place not in self.seats:
            self.seats[place] = self.browsers[browser]
            self.pages.append((page, seat, place))

    async def register(self) -> None:
        browser = self.rng.choice(list(self.browsers))
        browser.passkey = Authenticator(ORIGIN, "localhost")
        await browser.register()
        self.browsers[browser].passkeys.append(browser.passkey)

    async def sign_in(self) -> None:
        members = [human for human in self.browsers.values() if human.is_member]
        if not members:
            return
        member, browser = self.rng.choice(members), self.rng.choice(list(self.browsers))
        before = self.browsers[browser]
        await browser.sign_in(self.rng.choice(member.passkeys))
        self.browsers[browser] = member
        if not before.is_member:
            self.seats = {place: member if owner is before else owner for place, owner in self.seats.items()}
            for other, human in self.browsers.items():
                assert human is not before, "a guest has one browser"
                assert other.cookie

    async def sign_out(self) -> None:
        browser = self.rng.choice(list(self.browsers))
        if self.browsers[browser].is_member:
            await browser.do("/sign-out")
            await browser.come()
            self.browsers[browser] = self._human()

    async def check(self) -> None:
        """Every seat is reached by exactly the browsers of the one whose seat it is."""
        for browser, human in self.browsers.items():
            mine = {place for place, owner in self.seats.items() if owner is human}
            for made in self.tables:
                expected = [seat for seat in range(3) if (made["id"], seat) in mine]
                assert await browser.seats_at(made["id"]) == expected
            assert await browser.games() == {table for table, _ in mine}
        for page, seat, place in self.pages:
            if page.closed is None:  # a page that was open before all of this goes on to play its seat
                assert (await page.ask(type="look", seat=seat))["type"] == "hand", place


@pytest.mark.parametrize("seed", range(8))
def test_every_seat_is_reached_by_exactly_the_one_who_took_it(seed: int, tmp_path: Path) -> None:
    async def test() -> None:
        async with world(data=tmp_path) as inside:
            rng = Random(seed)
            story = Story(inside, rng)
            for _ in range(3):
                await story.new_browser()
                await story.new_table()
            acts = [story.new_browser, story.new_table, story.register, story.sign_out]
            for step in range(36):
                await rng.choice([*acts, story.sit, story.sit, story.sit, story.sign_in, story.sign_in])()
                if step % 6 == 5:
                    await story.check()
            assert story.seats
        async with world(data=tmp_path) as inside:  # and after a restart
            story.world, story.pages = inside, []
            for browser in story.browsers:
                browser.world = inside
            await story.check()

    run(test())


def test_two_devices_with_games_become_one_person_with_all_of_them() -> None:
    async def test() -> None:
        async with world() as inside:
            phone, laptop = await visitor(inside), await visitor(inside)
            made = [await inside.make() for _ in range(3)]
            for table, seat, who in ((0, 0, phone), (1, 1, phone), (2, 0, laptop)):
                await (await who.sit(made[table]["seats"][seat])).close()
            await phone.register()
            assert (len(await phone.games()), len(await laptop.games())) == (2, 1)
            former = await laptop.ask()
            me = await laptop.sign_in(phone.passkey)
            assert await laptop.games() == await phone.games() == {each["id"] for each in made}
            assert (await inside.http.get(f"/api/persons/{former['id']}")).json()["id"] == me["id"]
            games = (await laptop.ask("/games"))["games"]
            assert all(game["seats"][game["yours"][0]]["person"] == me["id"] for game in games)
            for table, seat in ((0, 0), (1, 1), (2, 0)):
                for who in (phone, laptop):
                    page = await inside.page(table=made[table]["id"], cookie=who.cookie)
                    assert (await page.ask(type="look", seat=seat))["type"] == "hand"
                    (welcome,) = [each for each in page.everything() if each["type"] == "welcome"]
                    if welcome["view"]["player"] == seat:
                        move = welcome["view"]["legal"][0]
                        done = await page.ask(type="play", version=welcome["version"], move=move)
                        assert done["type"] == "done"
                        await page.ask(type="undo", version=done["version"])

    run(test())


def test_two_seats_of_a_guest_and_a_member_at_one_table_are_both_theirs() -> None:
    async def test() -> None:
        async with world() as inside:
            phone, laptop = await visitor(inside), await visitor(inside)
            made = await inside.make(3)
            for seat, who in ((0, phone), (2, laptop)):
                await (await who.sit(made["seats"][seat])).close()
            await phone.register()
            await laptop.sign_in(phone.passkey)
            assert await laptop.seats_at(made["id"]) == await phone.seats_at(made["id"]) == [0, 2]

    run(test())


def test_signing_in_where_a_member_is_changes_the_device_alone() -> None:
    async def test() -> None:
        async with world() as inside:
            ann, ben = await visitor(inside), await visitor(inside)
            (a, b) = (await ann.register())["id"], (await ben.register())["id"]
            made = await inside.make()
            await (await ben.sit(made["seats"][1])).close()
            assert (await ben.sign_in(ann.passkey))["id"] == a
            assert await ann.games() == set()
            assert (await ben.sign_in())["id"] == b
            assert await ben.games() == {made["id"]}

    run(test())


def test_a_member_without_a_way_back_is_not_signed_out_by_signing_in() -> None:
    async def test() -> None:
        async with world() as inside:
            ann, ben = await visitor(inside), await visitor(inside)
            await ann.register()
            codes = (await ben.do("/codes"))["codes"]
            for code in codes:
                await ben.do("/sign-in/code", code=code)
            options = await ben.do("/sign-in/options")
            assert await ben.refused("/sign-in/passkey", answer=ann.passkey.signed(options)) == "last-way"
            assert await ben.refused("/sign-out") == "unconfirmed"

    run(test())


# ---- what belongs to persons


def fill(guest: str, member: str) -> Steps[None]:
    for person, pool, mu in ((guest, "live-2", 1.0), (guest, "days-2", 2.0), (member, "live-2", 3.0)):
        yield Sql(insert(RATINGS), (person, pool, mu, 1.0, 1, 0))
    for row in ((guest, "x"), (guest, member), (member, guest), ("x", guest), ("x", member), ("y", guest)):
        yield Sql(insert(BLOCKS), (*row, 0))
    yield Sql(insert(CONDUCT), (guest, 5, 7))
    yield Sql(insert(CONDUCT), (member, 2, 9))
    yield Sql(insert(PAUSES), (guest, 3))
    yield Sql(insert(PAUSES), (member, 1))
    for person, kind, until in ((guest, "ban", 30), (member, "ban", 2), (guest, "mute", 1), (member, "mute", 20)):
        yield Sql(insert(BANS), (person, kind, until, "", "", 0))


def rows(table: str, columns: str) -> Steps[list[Row]]:
    return (yield Sql(f"SELECT {columns} FROM {table} ORDER BY 1, 2"))


def test_what_a_guest_has_moves_and_what_the_member_has_is_kept() -> None:
    async def test() -> None:
        async with world() as inside:
            journal = inside.tables.journal
            guest, member = await visitor(inside), await visitor(inside)
            g, m = await guest.id, (await member.register())["id"]
            await journal.write(fill, g, m)
            await guest.sign_in(member.passkey)
            ratings = await journal.read(rows, "ratings", "person, pool, mu")
            assert ratings == [(m, "days-2", 2.0), (m, "live-2", 3.0)]
            blocks = await journal.read(rows, "blocks", "person, other")
            assert blocks == sorted([(m, "x"), ("x", m), ("y", m)])
            conduct = await journal.read(rows, "conduct", "person, points, until")
            assert conduct == [(m, 5, 9)], "signing in wins no points back"
            assert await journal.read(rows, "pauses", "person, times") == [(m, 3)]
            bans = await journal.read(rows, "bans", "person, kind, until")
            assert bans == [(m, "ban", 30), (m, "mute", 20)], "nor does it make a ban shorter"

    run(test())


def test_former_selves_of_former_selves_are_former_selves() -> None:
    async def test() -> None:
        async with world() as inside:
            first, second, third = [await visitor(inside) for _ in range(3)]
            a, b, c = [await each.id for each in (first, second, third)]
            for table, person in (("a", a), ("b", b)):
                await enter(inside, table, [(person, "Ann", None, None), ("", "", None, None)], turn=0)
            await inside.tables.journal.write(merge, a, b)
            await inside.tables.journal.write(merge, b, c)
            inside.tables.persons.forget(a, b, c)
            assert (await third.ask())["id"] == c
            assert await third.games() == {"a", "b"}
            assert (await first.ask())["id"] == c

    run(test())


def test_guests_who_left_nothing_do_not_pile_up() -> None:
    async def test() -> None:
        async with world(persons_per_day=1_000) as inside:
            ann = await visitor(inside)
            await ann.register()
            kept = await visitor(inside)
            made = await inside.make()
            await (await kept.sit(made["seats"][0])).close()
            await inside.tables.projector.flush()
            await kept.sign_in(ann.passkey)
            for _ in range(MOST_EMPTY + 20):
                await (await visitor(inside)).sign_in(ann.passkey)
            found = await inside.tables.persons.at_device(ann.cookie)
            assert found is not None
            assert MOST_EMPTY <= len(found.keys) <= MOST_EMPTY + 2
            assert await ann.seats_at(made["id"]) == [0]

    run(test())
