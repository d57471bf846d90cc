"""People at a table of days, whom the server tells that it is their turn; time goes by as the test says."""

import time
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple

from kingdom_builder.server import ways
from kingdom_builder.server.clocks import NO_CLOCK, Clock
from kingdom_builder.server.delivery.outcome import Outcome
from kingdom_builder.server.delivery.push import Subscription
from kingdom_builder.server.messages import SetupChoice
from kingdom_builder.server.notices import Notice
from kingdom_builder.server.projector import PUT_GAME, listed
from kingdom_builder.server.senders import Senders
from kingdom_builder.server.store import Row, Sql, Steps
from kingdom_builder.server.table import Table
from kingdom_builder.server.tables import Player
from kingdom_builder.server.tokens import token_hash
from server.inside import Page, World
from server.test_persons import visit

DELAY = 5


class Time:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.now = float(int(time.time()))

    def __call__(self) -> float:
        return self.now

    def pass_by(self, seconds: float) -> None:
        self.now += seconds


class Somebody(NamedTuple):
    """A person at a device."""

    id: str
    name: str
    cookie: str


class Sent(NamedTuple):
    """A message that was sent."""

    way: str
    to: str
    notice: Notice
    language: str


class Recorder(Senders):
    """Keeps what is sent, and answers as it is told."""

    def __init__(self, inside: World) -> None:
        super().__init__(inside.tables.settings, inside.tables.journal)
        self.sent: list[Sent] = []
        self.outcome: Callable[[Sent], Outcome] = lambda sent: Outcome("delivered")
        inside.tables.notifier.senders = self

    def take(self) -> list[tuple[str, str]]:
        """Ways and kinds of what was sent since this was last asked."""
        found: list[tuple[str, str]] = [(each.way, each.notice.kind) for each in self.sent]
        self.sent.clear()
        return found

    async def push(self, subscription: Subscription, language: str, notice: Notice) -> Outcome:
        return self._keep(Sent("push", subscription.endpoint, notice, language))

    async def webhook(self, url: str, language: str, notice: Notice) -> Outcome:
        return self._keep(Sent("webhook", url, notice, language))

    async def mail(self, address: str, person: str, language: str, notices: Sequence[Notice]) -> Outcome:
        return [self._keep(Sent("mail", address, each, language)) for each in notices][-1]

    def _keep(self, sent: Sent) -> Outcome:
        self.sent.append(sent)
        return self.outcome(sent)


def set_clock(inside: World, clock: Time) -> None:
    inside.tables.clock = clock


async def somebody(inside: World, name: str) -> Somebody:
    cookie, me = await visit(inside)
    return Somebody(me["id"], name, cookie)


async def take_pushes(inside: World, person: Somebody, endpoint: str = "") -> None:
    """Let a person be told by push at their device."""
    browser = Subscription(endpoint or f"https://push.test/{person.name}", "key", "secret")
    device = token_hash(person.cookie)
    await inside.tables.journal.write(ways.add_browser, person.id, browser, device, "Firefox Linux", "", 1)


async def take_webhooks(inside: World, person: Somebody, url: str = "") -> None:
    await inside.tables.journal.write(ways.set_webhook, person.id, url or f"https://hook.test/{person.name}", 1)


def address_of(person: str) -> Steps[str]:
    yield from ()
    return f"{person}@example.org"


async def take_mail(inside: World, person: Somebody) -> None:
    inside.tables.notifier.address_of = address_of
    await inside.tables.journal.write(ways.set_mail, person.id, 1)


async def table_of(inside: World, *people: Somebody | str, clock: Clock = NO_CLOCK) -> Table:
    """A table for these people; a text among them is the level of a bot.

    Without a clock the reminder of a turn comes after a day.
    """
    players = [each if isinstance(each, str) else Player(each.id, each.name) for each in people]
    return await found(inside, await inside.tables.make_for(players, SetupChoice(seed="1"), clock, rated=False))


async def found(inside: World, table: str) -> Table:
    """A table, read again if need be."""
    table_found, _ = await inside.tables.find([], "test", table=table)
    return table_found


def in_turn(table: Table, people: Sequence[Somebody]) -> Somebody:
    person = table.party.seats[table.game.player].person
    return next(each for each in people if each.id == person)


async def look(inside: World, table: Table, person: Somebody, **hello: Any) -> Page:
    return await inside.page(table=table.id, cookie=person.cookie, **hello)


async def play_turn(inside: World, table: Table, people: Sequence[Somebody], rng: Random | None = None) -> None:
    """Whoever is in turn comes, plays until it is somebody else's turn, and goes."""
    person, chance = in_turn(table, people), rng or Random(0)
    page = await look(inside, table, person)
    while not table.game.over and in_turn(table, people) == person:
        await play(page, table, chance)
    await page.close()


async def play(page: Page, table: Table, rng: Random) -> None:
    move = rng.choice(table.game.legal_moves())
    answer = await page.ask(type="play", version=table.version, move=move)
    assert answer["type"] == "done", answer


async def tell(inside: World) -> None:
    """Write the list of games, and send what is due."""
    await inside.tables.projector.flush()
    await send(inside)


async def send(inside: World) -> None:
    notifier = inside.tables.notifier
    await notifier.tick()
    await notifier.finish()
    await notifier.tick()  # each endpoint takes one at a time
    await notifier.finish()


async def set_reminder(inside: World, table: Table, remind: int | None) -> None:
    """Let the clock of a table remind at a moment, as the list of games says it."""
    game = listed(table)
    assert game is not None
    row = (*game.game[:14], None, remind)
    told = inside.tables.projector.also(game._replace(game=row))

    def put() -> Steps[None]:
        yield Sql(PUT_GAME, row)
        for statement in told:  # noqa: UP028 (they are not sent any rows)
            yield statement

    await inside.tables.journal.write(put)


async def rows(inside: World, columns: str = "person, kind, way, state, tries") -> list[Row]:
    """The outbox, without the reminders of games without a clock, which wait there for a day."""

    def ask() -> Steps[list[Row]]:
        return (
            yield Sql(
                f"SELECT {columns} FROM outbox WHERE kind != 'still' ORDER BY id, game, ply, person, kind, way, target"
            )
        )

    return await inside.tables.journal.read(ask)
