"""What happened between two states, for logs and animations. The rules do not depend on anybody listening."""

from collections import Counter
from dataclasses import dataclass

from kingdom_builder.board.terrain import NAMES
from kingdom_builder.hexes import Hex, bits, hex_name
from kingdom_builder.message import seat_letter
from kingdom_builder.rules.actions import CHOSEN, DRAWN, END, USE, Action
from kingdom_builder.rules.components import BY_SEAT, Component, ExtraAction, Finale, NomadTile
from kingdom_builder.rules.pieces import Scout, Settlement, Wall
from kingdom_builder.rules.scoring import winners
from kingdom_builder.rules.setup import WALLS
from kingdom_builder.rules.state import ACTION, HAND, HIDDEN, State


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
    piece: str = "settlement"

    @property
    def words(self) -> str:
        if self.piece == "settlement":
            return f"builds on {hex_name(self.hex)}"
        return f"puts a {self.piece} on {hex_name(self.hex)}"


@dataclass(frozen=True)
class Removed(Event):
    hex: Hex
    piece: str = "settlement"

    @property
    def words(self) -> str:
        return f"takes back the {self.piece} on {hex_name(self.hex)}"


@dataclass(frozen=True)
class Counted(Event):
    """What a component counts for a seat has changed: gold collected, number tiles, marks."""

    component: Component
    before: int
    after: int

    @property
    def words(self) -> str:
        return self.component.describe_change(self.before, self.after)


@dataclass(frozen=True)
class CardChosen(Event):
    terrain: str

    @property
    def words(self) -> str:
        return f"plays {NAMES[self.terrain]}"


@dataclass(frozen=True)
class Moved(Event):
    source: Hex
    target: Hex

    @property
    def words(self) -> str:
        return f"moves from {hex_name(self.source)} to {hex_name(self.target)}"


@dataclass(frozen=True)
class TileTaken(Event):
    action: ExtraAction
    hex: Hex

    @property
    def words(self) -> str:
        return f"takes the {self.action.name} tile of {hex_name(self.hex)}"


@dataclass(frozen=True)
class TileLost(Event):
    action: ExtraAction
    hex: Hex

    @property
    def words(self) -> str:
        if isinstance(self.action, NomadTile):
            return f"puts the {self.action.name} tile away"
        return f"loses the {self.action.name} tile of {hex_name(self.hex)}"


@dataclass(frozen=True)
class TileUsed(Event):
    action: ExtraAction

    @property
    def words(self) -> str:
        return f"uses the {self.action.name}"


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
        return f"begins turn {self.round}{f' with {NAMES[self.terrain]}' if len(self.terrain) == 1 else ''}"


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
    if action >= USE:
        found.append(TileUsed(seat, before.setup.actions[action - USE]))
    if action in CHOSEN:
        found.append(CardChosen(seat, CHOSEN[action]))
    found += _piece_events(before, after)
    found += _mark_events(before, after)
    for other in range(before.setup.players):
        found += _tile_events(before, after, other)
    if after.ending and not before.ending:
        found.append(EndTriggered(after.player))
    if action in DRAWN:
        drawn_for_hand = before.awaiting == HAND
        hidden = drawn_for_hand and HIDDEN in after.hands[seat]
        found.append(CardDrawn(seat, HIDDEN if hidden else DRAWN[action]))
    if _is_reshuffled(before, action, after):
        found.append(DeckShuffled(seat))
    removed = sorted((_cards_in_game(before) - _cards_in_game(after)).elements())
    if isinstance(after.acting, Finale):
        if (after.acting, after.player) != (before.acting, before.player):
            found.append(TileUsed(after.player, after.acting))
    elif after.round and (after.round, after.player) != (before.round, before.player):
        found.append(TurnBegun(after.player, after.round, "".join(removed) or after.card))
    found += [CardRemoved(after.player, card) for card in removed]
    if after.over and not before.over:
        found += [GameOver(winner) for winner in winners(after)]
    return found


def _piece_events(before: State, after: State) -> list[Event]:
    found: list[Event] = []
    for seat in range(before.setup.players):
        gone = bits(before.own[seat] & ~after.own[seat])
        come = bits(after.own[seat] & ~before.own[seat])
        if gone and come:
            found += [Moved(seat, source, target) for source, target in zip(gone, come, strict=True)]
        else:
            found += [Removed(seat, h, _piece_name(before, h)) for h in gone]
            found += [Built(seat, h, _piece_name(after, h)) for h in come]
    walls = after.memory.get(WALLS, 0) & ~before.memory.get(WALLS, 0)
    found += [Built(before.player, h, Wall.name) for h in bits(walls)]
    found += [Built(before.player, h, Scout.name) for h in bits(after.scouts & ~before.scouts)]
    return found


def _piece_name(state: State, h: Hex) -> str:
    kind = state.kind_of(h)
    return Settlement.name if kind is None else kind.name


def _mark_events(before: State, after: State) -> list[Event]:
    """Changes of what components count for each seat: gold collected, number tiles, marked rows."""
    found: list[Event] = []
    if before.memory is after.memory:
        return found
    for component in before.setup.components:
        for field, kind in component.fields.items():
            if kind == BY_SEAT:
                for seat in range(before.setup.players):
                    if before.of_seat(field, seat) != after.of_seat(field, seat):
                        found.append(Counted(seat, component, before.of_seat(field, seat), after.of_seat(field, seat)))
    return found


def _tile_events(before: State, after: State, seat: int) -> list[Event]:
    setup = before.setup

    def tiles(changed: int) -> list[tuple[ExtraAction, Hex]]:
        return [(setup.actions[setup.tile_kind[tile]], setup.tile_hex[tile] or 0) for tile in bits(changed)]

    lost: list[Event] = [TileLost(seat, *tile) for tile in tiles(before.held[seat] & ~after.held[seat])]
    return lost + [TileTaken(seat, *tile) for tile in tiles(after.taken[seat] & ~before.taken[seat])]


def _is_reshuffled(before: State, action: Action, after: State) -> bool:
    discarded = ""
    if action == END and before.acting is None:
        discarded = before.hands[before.player]
    elif action in DRAWN and before.awaiting == ACTION:
        discarded = DRAWN[action]
    # Hidden cards of an observation are known again on the pile: their number is what can be compared.
    return len(after.discard) != len(before.discard) + len(discarded)


def _cards_in_game(state: State) -> Counter[str]:
    return Counter(state.deck + state.discard + "".join(state.hands).replace(HIDDEN, ""))
