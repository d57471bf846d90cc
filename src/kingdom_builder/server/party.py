"""The people at a table: who sits where, who watches, what they said, and what everybody may know about it."""

from collections import deque
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import cast

from msgspec.structs import replace

from kingdom_builder.rules import Perspective
from kingdom_builder.server import entries
from kingdom_builder.server.entries import AnySent, Seat
from kingdom_builder.server.messages import PHRASES, ChatLine, ConsentKind, Notice, NoticeKind, Phrase, Role
from kingdom_builder.server.names import default_name
from kingdom_builder.server.tokens import TokenHashes, person_key

CHAT_KEPT = 100
NOTICES_KEPT = 50
WITNESSES = 2
"""The least number of players who must agree before a veiled hand is shown."""


@dataclass
class Veil:
    """A veil over a hand: the new player of the seat does not see it, or whoever gave the seat away could peek."""

    agreed: set[int] = field(default_factory=set)
    """The seats of those who agreed to lift it."""
    only_by_host: bool = True


def keys_of(seat: Seat) -> TokenHashes:
    """Whoever shows one of these plays at a seat, or takes it back from the bot that stands in for them."""
    return frozenset(key for key in (seat.token_hash, seat.owner, seat.person and person_key(seat.person)) if key)


def stand_in(seat: Seat, level: str) -> Seat:
    """A seat where a bot stands in for its player, who may take it back."""
    return Seat("", "bot", seat.name, seat.colour, level, seat.token_hash or seat.owner, seat.person)


def _is_same(now: Seat, then: Seat) -> bool:
    """Whether a seat still has the player that it had."""
    return now.token_hash == then.token_hash and (not then.person or now.person == then.person)


class Party:
    """Everybody at a table."""

    def __init__(self, opened: entries.Opened) -> None:
        self.seats = list(opened.seats)
        self.host, self.watch, self.invite = opened.host, opened.watch, opened.invite
        self.person = opened.person
        """The host, if they are known."""
        self.hushed = False
        """Whether spectators may not speak."""
        self.chat: deque[ChatLine] = deque(maxlen=CHAT_KEPT)
        self.notices: deque[Notice] = deque(maxlen=NOTICES_KEPT)
        """What happened to the people in the current game."""
        self.veils: dict[int, Veil] = {}
        """The veils by seat, for seats whose player may not see the hand."""
        self.consents: dict[ConsentKind, set[int]] = {}
        """The seats of those who want something that happens once all players want it."""
        self.votes: dict[int, set[int]] = {}
        """For each seat, the seats of those who want a bot to play there."""
        self.paused_at: int | None = None
        """When the players paused the game, in milliseconds by the server's clock; None if it is not paused."""
        self._at_end: list[Seat] | None = None
        """The seats at the end of the current game; None while it runs."""
        self._newcomers: set[int] = set()
        """The seats that the host gave away in the current game: they may be the host's own."""

    # ---- who is who ----------------------------------------------------------------------------------------------

    def knows(self, shown: str) -> bool:
        """Whether somebody who has shown a token with this hash, or is a person with this key, may be here."""
        if shown in (self.host, self.watch, self.invite):
            return True
        return any(shown in keys_of(seat) for seat in self.seats)

    def seats_of(self, hashes: TokenHashes) -> list[int]:
        """The seats that are played with these hashes."""
        return [number for number, seat in enumerate(self.seats) if not seat.level and keys_of(seat) & hashes]

    def stand_ins_for(self, hashes: TokenHashes) -> list[int]:
        """The seats where a bot stands in for somebody, who may take them back."""
        return [number for number, seat in enumerate(self.seats) if seat.level and keys_of(seat) & hashes]

    def is_host(self, hashes: TokenHashes) -> bool:
        return self.host in hashes or (bool(self.person) and person_key(self.person) in hashes)

    def role_of(self, hashes: TokenHashes) -> Role:
        """The role of somebody who does not speak for a seat."""
        return "host" if self.is_host(hashes) else "watcher"

    def names(self) -> list[str]:
        return [seat.name or name for seat, name in zip(self.seats, self.default_names(), strict=True)]

    def default_names(self) -> list[str]:
        """The names of players who have not chosen one."""
        return [default_name(seat) for seat in range(len(self.seats))]

    def names_any(self, persons: Collection[str]) -> bool:
        """Whether one of these persons sits here or has spoken."""
        return any(seat.person in persons for seat in self.seats) or any(line.person in persons for line in self.chat)

    def people(self) -> list[int]:
        """The seats that somebody has taken."""
        return [number for number, seat in enumerate(self.seats) if seat.kind == "person"]

    @property
    def is_paused(self) -> bool:
        """Whether the players have paused the game."""
        return self.paused_at is not None

    def all_want(self, what: ConsentKind) -> bool:
        """Whether everybody who plays here wants something."""
        return bool(self.people()) and set(self.people()) <= self.consents.get(what, set())

    def players(self) -> list[Seat]:
        """Who plays the current game; once it is over, who played it, whoever may have the seats by now."""
        if self._at_end is None:
            return self.seats
        # The same people may still choose a name, or become known as persons.
        return [
            now if not now.level and not then.level and _is_same(now, then) else then
            for now, then in zip(self.seats, self._at_end, strict=True)
        ]

    # ---- whose eyes ----------------------------------------------------------------------------------------------

    def perspective(self, hashes: TokenHashes, player: int) -> Perspective:
        """How somebody sees the game: people who share a device see only the cards of the current player.

        A veiled hand is hidden from its own player too, except in their turn.
        """
        mine = self.seats_of(hashes)
        seats = [seat for seat in mine if seat not in self.veils or seat == player]
        if len(mine) > 1:
            return player if player in seats else None
        return seats[0] if seats else None

    def log_perspective(self, hashes: TokenHashes) -> Perspective:
        """How somebody reads the log."""
        seats = self.seats_of(hashes)
        return seats[0] if len(seats) == 1 and seats[0] not in self.veils else None

    # ---- veiled hands --------------------------------------------------------------------------------------------

    def agreeable(self, hashes: TokenHashes) -> list[int]:
        """The veiled seats whose hand somebody can agree to show, and has not agreed yet.

        The host alone cannot: nobody is left to agree with. One player alone cannot either: it may be the host, at a
        page that does not show the host's token.
        """
        mine = self.seats_of(hashes)
        found = []
        for seat, veil in self.veils.items():
            asked = self._asked(seat)
            if (
                self.seats[seat].level
                or len(asked) < WITNESSES
                or not any(each in asked - veil.agreed for each in mine)
            ):
                continue
            if not self.is_host(hashes) or not asked <= set(mine):
                found.append(seat)
        return found

    def _asked(self, seat: int) -> set[int]:
        """The seats that must agree before the hand of a seat is shown."""
        return set(self.people()) - self._newcomers - {seat}

    def card_drawn(self, seat: int) -> None:
        """Lift the veil of a seat, since its hand has changed."""
        self.veils.pop(seat, None)

    # ---- what the log means --------------------------------------------------------------------------------------

    def apply_entry(self, entry: AnySent, version: int, ply: int, has_hand: bool) -> None:
        """Apply an entry about people. `has_hand`: the seat has cards that others may not see."""
        match entry:
            case entries.Joined():
                seat = self.seats[entry.seat]
                kind = seat.kind
                if kind == "open":
                    kind = "person"
                    self.votes.pop(entry.seat, None)
                self.seats[entry.seat] = replace(seat, kind=kind, name=entry.name, colour=entry.colour)
            case entries.Said():
                role = entry.role or self._role_of_sender(entry)
                text = PHRASES.get(cast("Phrase", entry.phrase), entry.text)
                if text:  # or it was deleted
                    self.chat.append(ChatLine(version, role, entry.name, text, entry.person, entry.phrase))
            case entries.Reseated():
                self._apply_reseated(entry, version, ply, has_hand)
            case entries.Agreed():
                self._apply_agreed(entry, version, ply)
            case entries.Renewed():
                self.watch = entry.watch
                self._note(version, ply, "watch-link-renewed", None)
            case entries.Hushed():
                self.hushed = entry.on
            case entries.Failed():
                self._note(version, ply, "bot-failed", entry.seat)
            case entries.Bound():
                self.seats[entry.seat] = replace(self.seats[entry.seat], person=entry.person)
            case entries.Sat():
                self.seats[entry.seat] = entry.seated
                self.votes.pop(entry.seat, None)
                self._note(version, ply, "seat-taken", entry.seat)
            case entries.TimedOut():
                self._note(version, ply, "time-up", entry.seat)
                if entry.level:
                    self._seat_bot(entry.seat, entry.level)
            case entries.Excused():
                self._note(version, ply, "excused", None)
            case entries.Consented():
                self._apply_consented(entry, version, ply)
            case entries.Voted():
                self.votes.setdefault(entry.seat, set()).update(entry.seats)
            case entries.Ended():
                self._note(version, ply, entry.why, entry.winner if entry.why == "claimed" else 1 - entry.winner)
                self.end_game()

    def end_game(self) -> None:
        """Keep who sat where, for the result."""
        self._at_end = list(self.seats)
        self.consents.clear()
        self.votes.clear()
        self.paused_at = None

    def new_game(self, *, keep_absent: bool) -> None:
        """Move the seats up by one. Whoever has left comes back into the game only where the absent are kept."""
        self._at_end = None
        self.seats = self.seats[1:] + self.seats[:1]
        if not keep_absent:
            self.seats = [
                Seat("", "bot", "", seat.colour, seat.level) if seat.level and keys_of(seat) else seat
                for seat in self.seats
            ]
        self.notices.clear()
        self.veils.clear()
        self.consents.clear()
        self.votes.clear()
        self.paused_at = None
        self._newcomers.clear()

    def _role_of_sender(self, entry: entries.Said) -> Role:
        hashes = frozenset(entry.by.split())
        return "player" if self.seats_of(hashes) else self.role_of(hashes)

    def _apply_reseated(self, entry: entries.Reseated, version: int, ply: int, has_hand: bool) -> None:
        seated = entry.seated
        kind: NoticeKind = "player-back" if entry.back else "bot-took-over" if seated.level else "new-player"
        self._note(version, ply, kind, entry.seat)
        is_same = bool(keys_of(seated) & keys_of(self.seats[entry.seat]))
        self.seats[entry.seat] = seated
        self._forget_wishes(entry.seat)
        for veil in self.veils.values():
            veil.agreed.discard(entry.seat)
        if is_same:
            return  # the same person may look at the hand afterwards as before: not at all, if it was veiled
        self.veils.pop(entry.seat, None)
        self._newcomers.add(entry.seat)
        if seated.token_hash and has_hand:
            self.veils[entry.seat] = Veil()

    def _apply_consented(self, entry: entries.Consented, version: int, ply: int) -> None:
        wanted = self.consents.setdefault(entry.to, set())
        (wanted.update if entry.on else wanted.difference_update)(entry.seats)
        if entry.to != "rematch" and (entry.alone or self.all_want(entry.to)):
            self.paused_at = entry.at if entry.to == "pause" else None
            self._note(version, ply, "paused" if self.is_paused else "resumed", None)
            self.consents.clear()

    def _seat_bot(self, number: int, level: str) -> None:
        """Let a bot stand in for the player of a seat."""
        self.seats[number] = stand_in(self.seats[number], level)
        self._forget_wishes(number)

    def _forget_wishes(self, number: int) -> None:
        """Forget what the last player of a seat wanted, and what the others wanted of the seat."""
        self.votes.pop(number, None)
        for wanted in (*self.consents.values(), *self.votes.values()):
            wanted.discard(number)

    def _apply_agreed(self, entry: entries.Agreed, version: int, ply: int) -> None:
        veil = self.veils.get(entry.seat)
        if veil is None:
            return
        veil.agreed.update(entry.agreeing)
        veil.only_by_host &= entry.hosting
        asked = self._asked(entry.seat)
        if len(asked) >= WITNESSES and asked <= veil.agreed and not veil.only_by_host:
            del self.veils[entry.seat]
            self._note(version, ply, "hand-shown", entry.seat)

    def _note(self, version: int, ply: int, kind: NoticeKind, seat: int | None) -> None:
        name = "" if seat is None else self.names()[seat]
        self.notices.append(Notice(version, ply, kind, seat, name))
