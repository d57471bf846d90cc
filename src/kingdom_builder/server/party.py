"""The people at a table: who sits where, who watches, what they said, and what everybody may know about it."""

from collections import deque
from dataclasses import dataclass, field

from kingdom_builder.server import entries
from kingdom_builder.server.entries import AnySent, Seat
from kingdom_builder.server.messages import ChatLine, Notice, NoticeKind, Role
from kingdom_builder.server.names import default_name
from kingdom_builder.server.tokens import TokenHashes

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


class Party:
    """Everybody at a table."""

    def __init__(self, opened: entries.Opened) -> None:
        self.seats = list(opened.seats)
        self.host, self.watch = opened.host, opened.watch
        self.hushed = False
        """Whether spectators may not speak."""
        self.chat: deque[ChatLine] = deque(maxlen=CHAT_KEPT)
        self.notices: deque[Notice] = deque(maxlen=NOTICES_KEPT)
        """What happened to the people in the current game."""
        self.veils: dict[int, Veil] = {}
        """The veils by seat, for seats whose player may not see the hand."""
        self._newcomers: set[int] = set()
        """The seats that the host gave away in the current game: they may be the host's own."""

    # ---- who is who ----------------------------------------------------------------------------------------------

    def knows(self, shown: str) -> bool:
        """Whether somebody who has shown a token with this hash may be here."""
        return shown in (self.host, self.watch) or any(seat.token_hash == shown for seat in self.seats)

    def seats_of(self, hashes: TokenHashes) -> list[int]:
        """The seats that are played with these hashes."""
        return [number for number, seat in enumerate(self.seats) if seat.token_hash in hashes]

    def is_host(self, hashes: TokenHashes) -> bool:
        return self.host in hashes

    def role_of(self, hashes: TokenHashes) -> Role:
        """The role of somebody who does not speak for a seat."""
        return "host" if self.is_host(hashes) else "watcher"

    def names(self) -> list[str]:
        return [seat.name or name for seat, name in zip(self.seats, self.default_names(), strict=True)]

    def default_names(self) -> list[str]:
        """The names of players who have not chosen one."""
        return [default_name(seat) for seat in range(len(self.seats))]

    def people(self) -> list[int]:
        """The seats that somebody has taken."""
        return [number for number, seat in enumerate(self.seats) if seat.kind == "person"]

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
            if len(asked) < WITNESSES or not any(each in asked - veil.agreed for each in mine):
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
                kind = "person" if seat.kind == "open" else seat.kind
                self.seats[entry.seat] = Seat(seat.token_hash, kind, entry.name, entry.colour, seat.level)
            case entries.Said():
                role = entry.role or self._role_of_sender(entry)
                self.chat.append(ChatLine(version, role, entry.name, entry.text))
            case entries.Reseated():
                kind_of_notice: NoticeKind = "bot-took-over" if entry.seated.level else "new-player"
                self._note(version, ply, kind_of_notice, entry.seat)
                self.seats[entry.seat] = entry.seated
                self.veils.pop(entry.seat, None)
                self._newcomers.add(entry.seat)
                for veil in self.veils.values():
                    veil.agreed.discard(entry.seat)
                if entry.seated.token_hash and has_hand:
                    self.veils[entry.seat] = Veil()
            case entries.Agreed():
                self._apply_agreed(entry, version, ply)
            case entries.Renewed():
                self.watch = entry.watch
                self._note(version, ply, "watch-link-renewed", None)
            case entries.Hushed():
                self.hushed = entry.on
            case entries.Failed():
                self._note(version, ply, "bot-failed", entry.seat)

    def new_game(self) -> None:
        """Move the seats up by one."""
        self.seats = self.seats[1:] + self.seats[:1]
        self.notices.clear()
        self.veils.clear()
        self._newcomers.clear()

    def _role_of_sender(self, entry: entries.Said) -> Role:
        hashes = frozenset(entry.by.split())
        return "player" if self.seats_of(hashes) else self.role_of(hashes)

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
