"""The open pages of a table: who looks, what each page has been sent, and who may not look or speak any more."""

import asyncio
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from kingdom_builder.message import Message, Refusal
from kingdom_builder.server.messages import AnyMessage
from kingdom_builder.server.party import Party
from kingdom_builder.server.tokens import TokenHashes

QUIET_SECONDS = 1.0
"""Between two messages about who came and went."""


@dataclass
class Seen:
    """What a page has been sent so far."""

    game: int = 0
    version: int = 0
    """Up to which the actions are known."""
    is_current: bool = True
    """Whether the view of that version was sent too."""
    chat: int = 0
    """The version of the last line."""
    people: int = -1


class Viewer(Protocol):
    """A connection to a table."""

    hashes: TokenHashes
    tokens: Mapping[str, str]
    """The tokens that the viewer has shown, by their hashes."""
    visitor: str
    number: int
    """Tells spectators apart; given by the table."""
    name: str
    """As last used in the chat."""
    seen: Seen

    def send(self, message: AnyMessage) -> None:
        """Answer a command."""

    def notify(self) -> None:
        """There may be news: ask the table for them when the last ones have been sent."""

    def dismiss(self, refusal: Refusal | None) -> None:
        """End the connection: for the reason given, or so that the page comes back by itself."""


class Viewers:
    """Everybody who has a page of one table open."""

    def __init__(self) -> None:
        self.people_version = 0
        """How often something about the people was announced."""
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
        """The hashes of all tokens that some open page has shown."""
        return {token_hash for viewer in self._viewers for token_hash in viewer.hashes}

    def spectators(self, party: Party) -> list[Viewer]:
        """Those without a seat, in the order in which they came."""
        return sorted((each for each in self if not party.seats_of(each.hashes)), key=lambda each: each.number)

    # ---- coming and going ----------------------------------------------------------------------------------------

    def add(self, viewer: Viewer, party: Party, most: int) -> None:
        """Let a page in, of which at most so many can be open. Raises Refusal."""
        viewer.hashes = frozenset(each for each in viewer.hashes if party.knows(each))  # they may be void by now
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
        """Close the oldest page of those with most pages, so that nobody keeps a player or the host out."""
        if viewer.hashes == {party.watch}:
            raise Refusal(Message("This table has too many visitors now: try again later."), "full")
        pages = Counter(each.hashes for each in self)
        crowd = max(pages, key=lambda hashes: (pages[hashes], hashes == {party.watch}))
        oldest = min((each for each in self if each.hashes == crowd), key=lambda each: each.number)
        oldest.dismiss(Refusal(Message("Too many pages of this table are open: one of them had to close."), "full"))

    def drop_void(self, party: Party, refusal: Refusal) -> None:
        """Take void tokens from the viewers; whoever has no other has to go."""
        for viewer in list(self._viewers):
            viewer.hashes = frozenset(each for each in viewer.hashes if party.knows(each))
            if not viewer.hashes:
                viewer.dismiss(refusal)

    # ---- order ---------------------------------------------------------------------------------------------------

    def is_muted(self, viewer: Viewer) -> bool:
        return viewer.visitor in self._muted

    def spectator(self, number: int, party: Party) -> Viewer:
        """The spectator of this number. Raises Refusal."""
        for viewer in self:
            if viewer.number == number and viewer.hashes == {party.watch}:
                return viewer
        raise Refusal(Message("Nobody with number {n} looks on: look at the list again.", n=number))

    def mute(self, viewer: Viewer, on: bool) -> None:
        """Keep somebody from speaking, or no longer. That holds while the table is in memory."""
        (self._muted.add if on else self._muted.discard)(viewer.visitor)

    def remove(self, viewer: Viewer, party: Party) -> None:
        """Send a spectator away for as long as the table is in memory; a new link is for good."""
        self._removed.add(viewer.visitor)
        for each in list(self._viewers):
            if each.visitor == viewer.visitor and each.hashes == {party.watch}:
                each.dismiss(Refusal(Message("The host has sent you away from this table."), "removed"))

    def forgive(self) -> None:
        """Let everybody in again who was sent away: there is a new link."""
        self._removed.clear()

    # ---- news ----------------------------------------------------------------------------------------------------

    def broadcast(self) -> None:
        """There is news for everybody."""
        for viewer in self:
            viewer.notify()

    def broadcast_people(self) -> None:
        """There is news about the people."""
        if self._announcement is not None:
            self._announcement.cancel()
            self._announcement = None
        self.people_version += 1
        self._announced = time.monotonic()
        self.broadcast()

    def broadcast_presence(self) -> None:
        """Somebody came or went. That happens often: it is announced once a second at most."""
        if self._announcement is None and self._viewers:
            wait = max(0.0, self._announced + QUIET_SECONDS - time.monotonic())
            self._announcement = asyncio.get_running_loop().call_later(wait, self.broadcast_people)
