"""Order among strangers: who may speak and sit where, what may be said, and who is not shown to whom.

Strangers meet at tables that are open to everybody or rated. At all other tables people know each other: there a block
only hides what somebody says.
"""

import time
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, NamedTuple

from kingdom_builder.message import Message, Refusal
from kingdom_builder.server import messages
from kingdom_builder.server.bans import Bans, bans_of, check_guest, check_speaker
from kingdom_builder.server.blocks import avoided_by, blocked_by
from kingdom_builder.server.conduct import paused_until, why_paused
from kingdom_builder.server.entries import Seat
from kingdom_builder.server.flood import Floods
from kingdom_builder.server.journal import Journal
from kingdom_builder.server.names import clean
from kingdom_builder.server.party import keys_of
from kingdom_builder.server.people import check_seat
from kingdom_builder.server.person_limits import AllPersonLimits
from kingdom_builder.server.persons import PERSONS_TOPIC, Person
from kingdom_builder.server.settings import Settings
from kingdom_builder.server.store import Steps
from kingdom_builder.server.word_list import WordList

if TYPE_CHECKING:
    from kingdom_builder.server.connection import Connection
    from kingdom_builder.server.lobby_connection import LobbyConnection
    from kingdom_builder.server.table import Table
    from kingdom_builder.server.viewers import Viewer


class Terms(NamedTuple):
    """On what terms somebody is among strangers."""

    hidden: frozenset[str] = frozenset()
    """The people whose words are not shown to them."""
    avoided: frozenset[str] = frozenset()
    """The people with whom they share no open table."""
    bans: Bans = Bans()
    paused: int = 0
    """Until when they begin no rated games."""


NO_TERMS = Terms()


def terms_of(person: str, now: int) -> Steps[Terms]:
    """The terms of a person now."""
    hidden = yield from blocked_by(person)
    avoided = yield from avoided_by(person)
    terms = Terms(hidden, avoided, (yield from bans_of(person, now)), (yield from paused_until(person, now)))
    return terms if any(map(any, (terms[:3]))) or terms.paused else NO_TERMS


class Order:
    """What keeps order among strangers."""

    def __init__(
        self,
        settings: Settings,
        journal: Journal,
        connections: Collection["Connection | LobbyConnection"],
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.words = WordList(settings.data)
        self.floods = Floods()
        self.limits = AllPersonLimits(settings)
        self._journal = journal
        self._connections = connections
        self._clock = clock

    async def terms(self, person: str) -> Terms:
        """The terms of a person; the usual ones for somebody who is not known."""
        return await self._journal.read(terms_of, person, int(self._clock())) if person else NO_TERMS

    async def refresh(self, *persons: str) -> None:
        """Tell the open pages of some persons of their new terms, here and at other servers."""
        self._journal.ring(PERSONS_TOPIC, persons)
        await self.refresh_here(*persons)

    async def refresh_here(self, *persons: str) -> None:
        """Tell the open pages of some persons at this server of their new terms."""
        for connection in [each for each in self._connections if each.person in persons and each.person]:
            connection.terms = await self.terms(connection.person)

    def check(self, table: "Table", viewer: "Viewer", command: messages.Change) -> None:
        """Refuse what somebody may not do among strangers."""
        if not table.is_among_strangers:
            return
        match command:
            case messages.Say():
                self._check_line(viewer, command)
            case messages.Join():
                self._check_name(command.name)
                if check_seat(table.party, command.seat).kind == "open":
                    self._check_game(table, viewer)
            case messages.Sit():
                self._check_name(command.name)
                self._check_seat(table, viewer)
            case messages.Consent(to="rematch", on=True):
                self._check_game(table, viewer)
            case messages.Reseat():
                _check_given(table, check_seat(table.party, command.seat))

    async def check_host(self, host: Person | None, wanted: messages.NewTable) -> None:
        """Refuse a new table for strangers that somebody may not make, or with names that are not wanted there."""
        if not (wanted.open or wanted.rated):
            return
        for seat in wanted.seats:
            self._check_name(seat.name)
        if host is not None:
            await self.check_player(host, rated=wanted.rated)

    async def check_player(self, person: Person, *, rated: bool) -> None:
        """Refuse a game among strangers to somebody who may not play one, or not a rated one."""
        terms = await self.terms(person.id)
        check_guest(terms.bans, self._clock())
        if rated:
            self._check_pause(terms)

    def _check_name(self, name: str) -> None:
        self.words.check_name(clean(name, messages.NAME_LENGTH))

    def _check_line(self, viewer: "Viewer", command: messages.Say) -> None:
        check_speaker(viewer.terms.bans, self._clock())
        if command.phrase is None and not viewer.is_member:
            raise Refusal(
                Message("Guests among strangers speak in phrases: choose one, or sign in to type what you want."),
                "guest",
            )
        self._check_name(command.name)
        self.words.check(clean(command.text, messages.CHAT_LENGTH))
        self.floods.check(viewer.person or viewer.visitor, command.phrase or command.text)

    def _check_game(self, table: "Table", viewer: "Viewer") -> None:
        """Refuse a new game at a table to somebody who may not play one there."""
        check_guest(viewer.terms.bans, self._clock())
        if table.rated:
            self._check_pause(viewer.terms)

    def _check_seat(self, table: "Table", viewer: "Viewer") -> None:
        self._check_game(table, viewer)
        if table.is_open and not viewer.terms.avoided.isdisjoint(seat.person for seat in table.party.seats):
            raise Refusal(
                Message("You and somebody at this table do not want to meet: choose another table."), "blocked"
            )

    def _check_pause(self, terms: Terms) -> None:
        if (refusal := why_paused(terms.paused, self._clock())) is not None:
            raise Refusal(refusal, "paused")


def _check_given(table: "Table", seat: Seat) -> None:
    """Refuse to give away the seat of a player, or to change who plays for them; in rated games also another bot."""
    has_player = seat.kind == "person" or bool(seat.person)
    has_bot = bool(seat.level) and (table.rated or bool(keys_of(seat)))
    if has_player or has_bot:
        raise Refusal(
            Message("Among strangers the seat of a player stays theirs, and in rated games bots stay as they are."),
            "forbidden",
        )
