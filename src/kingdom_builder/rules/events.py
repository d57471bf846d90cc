"""What happened between two states, for logs and animations. The rules do not depend on anybody listening."""

from collections import Counter
from dataclasses import dataclass

from kingdom_builder.board.terrain import NAMES
from kingdom_builder.hexes import Hex, members, name
from kingdom_builder.rules.actions import DRAWN, END, Action
from kingdom_builder.rules.explanation import seat_letter
from kingdom_builder.rules.printed import Location
from kingdom_builder.rules.scoring import winners
from kingdom_builder.rules.state import HAND, HIDDEN, State


@dataclass(frozen=True)
class Event:
    """Something that happened to a seat; `str` tells it in words."""

    seat: int

    def __str__(self) -> str:
        return f"{seat_letter(self.seat)} {self.words}"

    @property
    def words(self) -> str:
        raise NotImplementedError


@dataclass(frozen=True)
class Built(Event):
    hex: Hex

    @property
    def words(self) -> str:
        return f"builds on {name(self.hex)}"


@dataclass(frozen=True)
class Moved(Event):
    source: Hex
    target: Hex

    @property
    def words(self) -> str:
        return f"moves from {name(self.source)} to {name(self.target)}"


@dataclass(frozen=True)
class TileTaken(Event):
    location: Location
    hex: Hex

    @property
    def words(self) -> str:
        return f"takes the {self.location.name} tile of {name(self.hex)}"


@dataclass(frozen=True)
class TileLost(Event):
    location: Location
    hex: Hex

    @property
    def words(self) -> str:
        return f"loses the {self.location.name} tile of {name(self.hex)}"


@dataclass(frozen=True)
class TileUsed(Event):
    location: Location

    @property
    def words(self) -> str:
        return f"uses the {self.location.name}"


@dataclass(frozen=True)
class CardRemoved(Event):
    terrain: str

    @property
    def words(self) -> str:
        return f"removes the {NAMES[self.terrain]} card: no free hex is left"


@dataclass(frozen=True)
class CardDrawn(Event):
    terrain: str
    """The terrain, or `?` in the eyes of a seat that may not see it."""

    @property
    def words(self) -> str:
        return "draws a card" if self.terrain == HIDDEN else f"draws {NAMES[self.terrain]}"


@dataclass(frozen=True)
class DeckShuffled(Event):
    @property
    def words(self) -> str:
        return "shuffles the discarded cards"


@dataclass(frozen=True)
class EndTriggered(Event):
    @property
    def words(self) -> str:
        return "brings the end: the game is over after this round"


@dataclass(frozen=True)
class TurnBegun(Event):
    round: int
    terrain: str

    @property
    def words(self) -> str:
        return f"begins turn {self.round} with {NAMES[self.terrain] if self.terrain else 'no card'}"


@dataclass(frozen=True)
class GameOver(Event):
    """The seat is one of those with most gold."""

    @property
    def words(self) -> str:
        return "wins"


def events(before: State, action: Action, after: State) -> list[Event]:
    """What an action changed. Between two observations it tells only what their seat may know."""
    seat = before.player
    found: list[Event] = []
    if after.acting is not None and before.acting is None:
        found.append(TileUsed(seat, after.acting))
    for other in range(before.setup.players):
        found += _piece_events(before, after, other)
        found += _tile_events(before, after, other)
    if after.ending and not before.ending:
        found.append(EndTriggered(after.player))
    if action in DRAWN:
        drawn_for_hand = before.awaiting == HAND
        found.append(CardDrawn(seat, after.hands[seat] if drawn_for_hand else DRAWN[action]))
    if _is_reshuffled(before, action, after):
        found.append(DeckShuffled(seat))
    removed = "".join((_cards_in_game(before) - _cards_in_game(after)).elements())
    if after.round and (after.round, after.player) != (before.round, before.player):
        found.append(TurnBegun(after.player, after.round, removed or after.card))
    if removed:
        found.append(CardRemoved(after.player, removed))
    if after.over and not before.over:
        found += [GameOver(winner) for winner in winners(after)]
    return found


def _piece_events(before: State, after: State, seat: int) -> list[Event]:
    gone = members(before.own[seat] & ~after.own[seat])
    come = members(after.own[seat] & ~before.own[seat])
    moved: list[Event] = [Moved(seat, source, target) for source, target in zip(gone, come, strict=False)]
    return moved + [Built(seat, h) for h in come[len(gone) :]]


def _tile_events(before: State, after: State, seat: int) -> list[Event]:
    setup = before.setup

    def tiles(changed: int) -> list[tuple[Location, Hex]]:
        return [(setup.locations[setup.tile_kind[tile]], setup.board.locations[tile][0]) for tile in members(changed)]

    lost: list[Event] = [TileLost(seat, *tile) for tile in tiles(before.held[seat] & ~after.held[seat])]
    return lost + [TileTaken(seat, *tile) for tile in tiles(after.taken[seat] & ~before.taken[seat])]


def _is_reshuffled(before: State, action: Action, after: State) -> bool:
    discarded = before.hands[before.player] if action == END and not after.over else ""
    return after.discard != before.discard + discarded


def _cards_in_game(state: State) -> Counter[str]:
    return Counter(state.deck + state.discard + "".join(state.hands).replace(HIDDEN, ""))
