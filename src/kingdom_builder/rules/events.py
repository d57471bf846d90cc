"""What happened between two states, for logs and animations. The rules do not use it."""

from collections import Counter
from dataclasses import dataclass

from kingdom_builder.board.terrain import terrain_name
from kingdom_builder.hexes import SIZE, Hex, HexSet, bits, surrounded
from kingdom_builder.message import HexName, Message, seat_letter
from kingdom_builder.rules.actions import CHOSEN, DRAWN, END, USE, Action
from kingdom_builder.rules.components import BY_SEAT, Component, ExtraAction, Finale, NomadTile, PieceKind
from kingdom_builder.rules.pieces import Scout, Settlement, Wall
from kingdom_builder.rules.scoring import winners
from kingdom_builder.rules.setup import WALLS
from kingdom_builder.rules.state import ACTION, HAND, HIDDEN, State
from kingdom_builder.rules.turn import turn_of


@dataclass(frozen=True)
class Event:
    """Something that happened to a seat; `str` says it in words."""

    seat: int

    def __str__(self) -> str:
        return f"{seat_letter(self.seat)} {self.message}"

    @property
    def message(self) -> Message:
        """What happened, without the seat: the rest of a sentence that begins with the seat."""
        raise NotImplementedError


@dataclass(frozen=True)
class Built(Event):
    hex: Hex
    """Where the piece stands; the middle of one that covers several hexes."""
    piece: type[PieceKind] = Settlement

    @property
    def message(self) -> Message:
        if self.piece is Settlement:
            return Message("builds on {hex}", hex=HexName(self.hex))
        if self.piece.whole:
            return Message("places the {piece} around {hex}", piece=self.piece, hex=HexName(self.hex))
        return Message("puts a {piece} on {hex}", piece=self.piece, hex=HexName(self.hex))


@dataclass(frozen=True)
class Removed(Event):
    hex: Hex
    piece: type[PieceKind] = Settlement

    @property
    def message(self) -> Message:
        return Message("takes back the {piece} on {hex}", piece=self.piece, hex=HexName(self.hex))


@dataclass(frozen=True)
class Counted(Event):
    """A number that a component counts for a seat has changed: gold collected, number tiles, marks."""

    component: Component
    before: int
    after: int
    hex: Hex | None = None
    """Where a piece of the seat brought it about; None at the end of a turn."""

    @property
    def gold(self) -> int:
        """The gold that it pays."""
        return self.component.gold_of_change(self.before, self.after)

    @property
    def message(self) -> Message:
        return self.component.describe_change(self.before, self.after)


@dataclass(frozen=True)
class CardChosen(Event):
    terrain: str

    @property
    def message(self) -> Message:
        return Message("plays {terrain}", terrain=terrain_name(self.terrain))


@dataclass(frozen=True)
class Moved(Event):
    source: Hex
    target: Hex

    @property
    def message(self) -> Message:
        return Message("moves from {source} to {target}", source=HexName(self.source), target=HexName(self.target))


@dataclass(frozen=True)
class TileTaken(Event):
    action: ExtraAction
    hex: Hex

    @property
    def message(self) -> Message:
        return Message("takes the {tile} tile of {hex}", tile=self.action, hex=HexName(self.hex))


@dataclass(frozen=True)
class TileLost(Event):
    action: ExtraAction
    hex: Hex

    @property
    def message(self) -> Message:
        if isinstance(self.action, NomadTile):
            return Message("puts the {tile} tile away", tile=self.action)
        return Message("loses the {tile} tile of {hex}", tile=self.action, hex=HexName(self.hex))


@dataclass(frozen=True)
class TileUsed(Event):
    action: ExtraAction

    @property
    def message(self) -> Message:
        return Message("uses the {tile}", tile=self.action)


@dataclass(frozen=True)
class CardRemoved(Event):
    terrain: str

    @property
    def message(self) -> Message:
        return Message("removes the {terrain} card: no free hex is left", terrain=terrain_name(self.terrain))


@dataclass(frozen=True)
class CardDrawn(Event):
    terrain: str
    """The terrain, or `?` for a seat that may not see it."""

    @property
    def message(self) -> Message:
        if self.terrain == HIDDEN:
            return Message("draws a card")
        return Message("draws {terrain}", terrain=terrain_name(self.terrain))


@dataclass(frozen=True)
class DeckShuffled(Event):
    @property
    def message(self) -> Message:
        return Message("shuffles the discarded cards")


@dataclass(frozen=True)
class EndTriggered(Event):
    @property
    def message(self) -> Message:
        return Message("triggers the end: the game is over after this round")


@dataclass(frozen=True)
class TurnBegun(Event):
    round: int
    terrain: str

    @property
    def message(self) -> Message:
        if len(self.terrain) == 1:
            return Message("begins turn {n} with {terrain}", n=self.round, terrain=terrain_name(self.terrain))
        return Message("begins turn {n}", n=self.round)


@dataclass(frozen=True)
class GameOver(Event):
    """The seat is one of those with the most gold."""

    @property
    def message(self) -> Message:
        return Message("wins")


def events(before: State, action: Action, after: State) -> list[Event]:
    """What an action changed. Between two observations it shows only what their seat may know."""
    seat = before.player
    found: list[Event] = []
    if action >= USE:
        found.append(TileUsed(seat, before.setup.actions[action - USE]))
    if action in CHOSEN:
        found.append(CardChosen(seat, CHOSEN[action]))
    found += _piece_events(before, after)
    found += _mark_events(before, action, after)
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
    elif after.round and turn_of(after)[:2] != turn_of(before)[:2]:  # the end of the Finale begins no turn
        found.append(TurnBegun(after.player, after.round, "".join(removed) or after.card))
    found += [CardRemoved(after.player, card) for card in removed]
    if after.over and not before.over:
        found += [GameOver(winner) for winner in winners(after)]
    return found


def _piece_events(before: State, after: State) -> list[Event]:
    found: list[Event] = []
    for seat in range(before.setup.players):
        found += _whole_piece_events(before, after, seat)
        single_before, single_after = _single_pieces(before, seat), _single_pieces(after, seat)
        gone = bits(single_before & ~single_after)
        come = bits(single_after & ~single_before)
        if gone and come:
            found += [Moved(seat, source, target) for source, target in zip(gone, come, strict=True)]
        else:
            found += [Removed(seat, h, _piece_kind(before, h)) for h in gone]
            found += [Built(seat, h, _piece_kind(after, h)) for h in come]
    walls = after.memory.get(WALLS, 0) & ~before.memory.get(WALLS, 0)
    found += [Built(before.player, h, Wall) for h in bits(walls)]
    found += [Built(before.player, h, Scout) for h in bits(after.scouts & ~before.scouts)]
    return found


def _single_pieces(state: State, seat: int) -> HexSet:
    """The pieces of a seat that cover one hex each."""
    whole = sum([state.memory.get(kind.key, 0) for kind in state.setup.piece_kinds if kind.whole])
    return state.own[seat] & ~whole


def _whole_piece_events(before: State, after: State, seat: int) -> list[Event]:
    """What happened to pieces that cover a hex and the six around it: one event for all seven."""
    found: list[Event] = []
    for kind in before.setup.piece_kinds:
        old, new = (state.memory.get(kind.key, 0) & state.own[seat] for state in (before, after))
        if not kind.whole or old == new:
            continue
        if not old:
            found.append(Built(seat, _middle(new), kind))
        elif not new:
            found.append(Removed(seat, _middle(old), kind))
        else:
            found.append(Moved(seat, _middle(old), _middle(new)))
    return found


def _middle(hexes: HexSet) -> Hex:
    """The hex of a whole piece that has all others around it; in a position written by hand there may be none."""
    return bits(surrounded(hexes) & hexes or hexes)[0]


def _piece_kind(state: State, h: Hex) -> type[PieceKind]:
    return state.kind_of(h) or Settlement


def _mark_events(before: State, action: Action, after: State) -> list[Event]:
    """Changes of what components count for each seat: gold collected, number tiles, marked rows."""
    found: list[Event] = []
    if before.memory is after.memory:
        return found
    for component in before.setup.components:
        for field, kind in component.fields.items():
            if kind == BY_SEAT:
                for seat in range(before.setup.players):
                    old, new = before.of_seat(field, seat), after.of_seat(field, seat)
                    if old != new:
                        is_there = action < SIZE and after.own[seat] >> action & 1
                        found.append(Counted(seat, component, old, new, action if is_there else None))
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
    # The hidden cards of an observation are visible again on the pile: only their number can be compared.
    return len(after.discard) != len(before.discard) + len(discarded)


def _cards_in_game(state: State) -> Counter[str]:
    return Counter(state.deck + state.discard + "".join(state.hands).replace(HIDDEN, ""))
