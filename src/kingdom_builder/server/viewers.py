"""The open pages of a table: who looks, what each page has been sent, and who may no longer look or speak."""

import asyncio
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from kingdom_builder.message import Message, Refusal
from kingdom_builder.rules import Perspective
from kingdom_builder.server.messages import AnyMessage, BotSpeed
from kingdom_builder.server.order import Terms
from kingdom_builder.server.party import Party
from kingdom_builder.server.presence import People, Present
from kingdom_builder.server.sent_views import SentView
from kingdom_builder.server.tokens import TokenHashes

QUIET_SECONDS = 1.0
"""Seconds between two messages about who came and left."""


@dataclass
class Seen:
    """What a page has been sent so far."""

    game: int = 0
    version: int = 0
    """The version up to which the actions are known."""
    is_current: bool = True
    """Whether the view of that version was sent as well."""
    chat: int = 0
    """The version of the last chat line."""
    people: int = -1
    view: SentView | None = None
    """The view that was sent last, if the page can be told what has changed since."""
    reader: Perspective = None
    """From which perspective the last lines of the log were sent."""
    lines: int = sys.maxsize
    """How many lines come before those that are known to be from that perspective."""

    def read_on(self, perspective: Perspective, kept: int) -> None:
        """Note that all lines after the first `kept` are sent, from a perspective."""
        self.lines = min(self.lines, kept) if perspective == self.reader else kept
        self.reader = perspective


class Viewer(Protocol):
    """A connection to a table."""

    hashes: TokenHashes
    tokens: Mapping[str, str]
    """The hashes of the tokens that the viewer has shown."""
    visitor: str
    person: str
    """Who they are; empty if they have not been here before."""
    person_keys: TokenHashes
    """The keys of the person that they are."""
    is_member: bool
    has_closed: bool
    """Whether they have closed the page themselves; otherwise its connection was lost."""
    terms: Terms
    """On what terms they are among strangers."""
    number: int
    """The number of a spectator, given by the table."""
    name: str
    """The name last used in the chat."""
    bot_speed: BotSpeed
    """How fast bots should act for this viewer."""
    is_visible: bool
    """Whether somebody can see the page."""
    reads_differences: bool
    """Whether the page can be sent what has changed instead of everything."""
    seen: Seen

    def send(self, message: AnyMessage) -> None:
        """Answer a command."""

    def notify(self) -> None:
        """Note that there may be news: ask the table for it when the last news has been sent."""

    def dismiss(self, refusal: Refusal | None) -> None:
        """End the connection: for the reason given, or so that the page comes back by itself."""


class Viewers:
    """Everybody who has a page of one table open."""

    def __init__(self) -> None:
        self.people_version = 0
        """The number of announcements about the people."""
        self.elsewhere: People = ()
        """Who looks at this table at other servers."""
        self._viewers: set[Viewer] = set()
        self._numbers = 0
        self._muted: set[str] = set()
        self._removed: set[str] = set()
        self._announced = 0.0
        self._announcement: asyncio.TimerHandle | None = None

    def __iter__(self) -> Iterator[Viewer]:
        return iter(self._viewers)

    def __len__(self) -> int:
        return len(self._viewers)

    def present(self) -> set[str]:
        """The hashes of all tokens that some open page has shown, here or at another server."""
        here = {token_hash for viewer in self._viewers for token_hash in viewer.hashes}
        return here.union(*(each.keys for each in self.elsewhere)) if self.elsewhere else here

    def people(self) -> People:
        """Who looks at this table here."""
        return tuple(Present(each.person, each.is_visible, tuple(sorted(each.hashes))) for each in self._viewers)

    def bot_speed(self, party: Party) -> BotSpeed:
        """How fast bots act: as all players want it; with different wishes, at the usual speed."""
        wishes: set[BotSpeed] = {viewer.bot_speed for viewer in self if party.seats_of(viewer.hashes)}
        return wishes.pop() if len(wishes) == 1 else "normal"

    def spectators(self, party: Party) -> list[Viewer]:
        """The spectators, in the order in which they came."""
        return sorted((each for each in self if not party.seats_of(each.hashes)), key=lambda each: each.number)

    # ---- coming and going ----------------------------------------------------------------------------------------

    def add(self, viewer: Viewer, party: Party, most: int) -> None:
        """Let a page in; at most `most` pages can be open. Raises Refusal."""
        viewer.hashes = frozenset(each for each in viewer.hashes if party.knows(each))  # they may no longer be valid
        if not viewer.hashes:
            raise Refusal(Message("This key is not valid any more."), "void-key")
        if viewer.visitor in self._removed and viewer.hashes == {party.watch}:
            raise Refusal(Message("The host has sent you away from this table."), "removed")
        if len(self._viewers) >= most:
            self._make_room(viewer, party)
        self._numbers += 1
        viewer.number = self._numbers
        self._viewers.add(viewer)

    def discard(self, viewer: Viewer) -> None:
        self._viewers.discard(viewer)

    def _make_room(self, viewer: Viewer, party: Party) -> None:
        """Close the oldest page of whoever has the most pages, so that nobody can keep a player or the host out."""
        if viewer.hashes == {party.watch}:
            raise Refusal(Message("This table has too many visitors now: try again later."), "full")
        pages = Counter(each.hashes for each in self)
        crowd = max(pages, key=lambda hashes: (pages[hashes], hashes == {party.watch}))
        oldest = min((each for each in self if each.hashes == crowd), key=lambda each: each.number)
        oldest.dismiss(Refusal(Message("Too many pages of this table are open: one of them had to close."), "full"))

    def drop_void(self, party: Party, refusal: Refusal) -> None:
        """Take invalid tokens from the viewers; whoever has no other token has to leave."""
        for viewer in list(self._viewers):
            viewer.hashes = frozenset(each for each in viewer.hashes if party.knows(each))
            if not viewer.hashes:
                viewer.dismiss(refusal)

    def seat(self, viewer: Viewer, new_hash: str, party: Party) -> None:
        """Let all pages of somebody who has just sat down here see the game from their seat."""
        for each in self:
            if each is viewer or (viewer.person and each.person == viewer.person):
                _see_anew(each, each.hashes | each.person_keys | {new_hash}, party)

    def seat_person(self, person: str, party: Party) -> None:
        """Let the pages of somebody who sat down at another server see the game from their seat."""
        for each in self:
            if person and each.person == person:
                _see_anew(each, each.hashes | each.person_keys, party)

    # ---- order ---------------------------------------------------------------------------------------------------

    def is_muted(self, viewer: Viewer) -> bool:
        return viewer.visitor in self._muted

    def spectator(self, number: int, party: Party) -> Viewer:
        """The spectator with this number. Raises Refusal."""
        for viewer in self:
            if viewer.number == number and viewer.hashes == {party.watch}:
                return viewer
        raise Refusal(Message("Nobody with number {n} looks on: look at the list again.", n=number))

    def mute(self, viewer: Viewer, on: bool) -> None:
        """Mute or unmute a spectator, for as long as the table is in memory."""
        (self._muted.add if on else self._muted.discard)(viewer.visitor)

    def remove(self, viewer: Viewer, party: Party) -> None:
        """Send a spectator away for as long as the table is in memory; only a new link works for longer."""
        self._removed.add(viewer.visitor)
        for each in list(self._viewers):
            if each.visitor == viewer.visitor and each.hashes == {party.watch}:
                each.dismiss(Refusal(Message("The host has sent you away from this table."), "removed"))

    def forgive(self) -> None:
        """Let everybody who was sent away in again: there is a new link."""
        self._removed.clear()

    # ---- news ----------------------------------------------------------------------------------------------------

    def broadcast(self) -> None:
        """Announce news to everybody."""
        for viewer in self:
            viewer.notify()

    def broadcast_people(self) -> None:
        """Announce news about the people."""
        if self._announcement is not None:
            self._announcement.cancel()
            self._announcement = None
        self.people_version += 1
        self._announced = time.monotonic()
        self.broadcast()

    def broadcast_presence(self) -> None:
        """Announce that somebody came or left. That happens often, so it is announced at most once a second."""
        if self._announcement is None and self._viewers:
            wait = max(0.0, self._announced + QUIET_SECONDS - time.monotonic())
            self._announcement = asyncio.get_running_loop().call_later(wait, self.broadcast_people)


def _see_anew(viewer: Viewer, keys: TokenHashes, party: Party) -> None:
    """Let a viewer see everything again, with those of the keys that are valid here."""
    viewer.hashes = frozenset(key for key in keys if party.knows(key))
    viewer.seen = Seen()
