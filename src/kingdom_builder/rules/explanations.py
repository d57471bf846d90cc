"""What the things on a hex, and the cards and tiles beside the board, are and what they mean now.

Everything is public: an explanation never depends on a hand or on the draw pile.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from kingdom_builder.board.terrain import CARDS, terrain_name
from kingdom_builder.hexes import BIT, Hex, HexSet, hexset
from kingdom_builder.message import HexName, Listed, Message, Name, Refusal, SeatName, quoted
from kingdom_builder.rules.actions import USE
from kingdom_builder.rules.components import Card, Component, ExtraAction, PieceKind
from kingdom_builder.rules.pieces import Settlement, pieces_of
from kingdom_builder.rules.scoring import breakdown
from kingdom_builder.rules.setup import Setup
from kingdom_builder.rules.state import State


@dataclass(frozen=True)
class Explanation:
    """What something is, and what it means now."""

    subject: Name
    """A component, a kind of piece or a terrain; the catalogue has its text."""
    lines: tuple[Message, ...]
    """What it means now, who has it, and what is left, in sentences."""
    rule: str = ""
    """The key of the component whose rule it goes by; empty for the general rules."""


def explain_hex(state: State, h: Hex, seat: int | None) -> list[Explanation]:
    """What is on a hex, from top to bottom: a piece, and what is printed there; else its terrain.

    `seat` is called you, if any.
    """
    if not state.setup.board.hexes >> h & 1:
        raise Refusal(Message("{hex} is not on the board.", hex=HexName(h)))
    found = [_piece(state, kind, owner, h, seat) for kind, owner in _standing(state, h)]
    printed = [component for component in state.setup.components if _hexes(state, component) & BIT[h]]
    found += [_component(state, component, seat, h) for component in printed]
    return found or [_ground(state, h)]


def things(setup: Setup) -> HexSet:
    """The hexes with more than terrain printed or laid on them."""
    return (setup.board.special | setup.board.caves | setup.capitols) & setup.board.hexes


def explain_component(state: State, key: str, seat: int | None) -> Explanation:
    """What a component in play is, wherever it is. `seat` is called you, if any."""
    for component in state.setup.components:
        if component.key == key:
            return _component(state, component, seat, None)
    raise Refusal(Message("{key} is not in this game.", key=quoted(key)))


def _hexes(state: State, component: Component) -> HexSet:
    """The hexes that show a component: a location even when it is empty, a nomad tile until it is taken."""
    setup = state.setup
    there = [tile for tile in _tiles(state, component) if state.tiles_left[tile] or setup.location_tiles >> tile & 1]
    return component.shown_on(setup) | hexset(h for tile in there if (h := setup.tile_hex[tile]) is not None)


def _component(state: State, component: Component, seat: int | None, h: Hex | None) -> Explanation:
    lines = []
    if isinstance(component, ExtraAction):
        lines += _tile_lines(state, component, seat, h)
    if isinstance(component, Card) and seat is not None and h is None:
        lines.append(Message("It pays you {n} gold now.", n=component.score(state, seat)[0]))
    lines += component.explain(state, seat, h)
    return Explanation(_named(component), tuple(lines), component.key)


def _named(thing: Component | type[PieceKind]) -> Name:
    return Name(thing.named_as, thing.key, thing.name)


# ---- tiles -----------------------------------------------------------------------------------------------------------


def _tiles(state: State, component: Component, h: Hex | None = None) -> list[int]:
    """The tile numbers of an extra action, of one hex or of all."""
    setup = state.setup
    return [
        tile
        for tile, kind in enumerate(setup.tile_kind)
        if setup.actions[kind] is component and (h is None or setup.tile_hex[tile] == h)
    ]


def _tile_lines(state: State, action: ExtraAction, seat: int | None, h: Hex | None) -> list[Message]:
    """Whether somebody has a tile, can use it or can get one; who else has one; what is left."""
    lines = [] if seat is None else _own_tile(state, action, seat, h)
    tiles = [tile for tile in _tiles(state, action, h) if state.setup.tile_hex[tile] is not None]
    if not tiles:
        return lines
    others = [who for who in range(state.setup.players) if who != seat and _held(state, tiles, who)]
    if others:
        lines.append(Message("{seats} {n:has|have} one.", seats=_listed(others), n=len(others)))
    left = sum(state.tiles_left[tile] for tile in tiles)
    lines.append(
        Message("{n} {n:tile is|tiles are} left to be taken.", n=left)
        if left
        else Message("No tile is left to be taken.")
    )
    return lines


def _own_tile(state: State, action: ExtraAction, seat: int, h: Hex | None) -> list[Message]:
    """What it means for somebody who plays: they have it, may get it, or cannot get it any more."""
    tiles = _tiles(state, action, h) or _tiles(state, action)
    held = _held(state, tiles, seat)
    if held:
        is_standing = state.setup.standing >> tiles[0] & 1
        lines = [Message("Everybody can do this once in a turn.") if is_standing else _how_many(held)]
        status = _status(state, action, seat)
        return lines if status is None else [*lines, status]
    if state.over or not tiles:
        return []
    if all(state.taken[seat] >> tile & 1 for tile in tiles):
        return [Message("You have had its tile: nobody takes a second one from the same hex.")]
    if any(state.tiles_left[tile] and not state.taken[seat] >> tile & 1 for tile in tiles):
        return [action.takes]
    return []


def _how_many(held: int) -> Message:
    return Message("You have one.") if held == 1 else Message("You have {n}.", n=held)


def _status(state: State, action: ExtraAction, seat: int) -> Message | None:
    """Whether somebody who has a tile can use it now, or why not; nothing if it is not their turn."""
    if seat != state.player or state.over or state.awaiting or action.passive or state.acting is action:
        return None
    return state.why_not(USE + state.setup.actions.index(action)) or Message("You can use it now.")


def _held(state: State, tiles: list[int], seat: int) -> int:
    return sum([state.held[seat] >> tile & 1 for tile in tiles])


def _listed(seats: Iterable[int]) -> Listed:
    return Listed.of(map(SeatName, seats))


# ---- pieces ----------------------------------------------------------------------------------------------------------


def _standing(state: State, h: Hex) -> list[tuple[type[PieceKind], int | None]]:
    """What stands on a hex, each with its owner."""
    return [
        (kind, owner if kind.owned else None)
        for kind, owners in pieces_of(state).items()
        for owner, hexes in enumerate(owners)
        if hexes >> h & 1
    ]


def _piece(state: State, kind: type[PieceKind], owner: int | None, h: Hex, seat: int | None) -> Explanation:
    lines = []
    if owner is not None:
        lines.append(
            Message("It is yours.") if owner == seat else Message("It belongs to {seat}.", seat=SeatName(owner))
        )
        lines += _pays(state, owner, h)
    if kind is Settlement and owner is not None:
        lines.append(
            Message("{n} of {all} are left in the supply of its owner.", n=state.supply[owner], all=Settlement.each)
        )
    places = [action for action in state.setup.actions if kind in (action.piece, action.lays)]
    return Explanation(_named(kind), tuple(lines), places[0].key if places else "")


def _pays(state: State, owner: int, h: Hex) -> list[Message]:
    """Which cards count a piece."""
    cards = [line.card for line in breakdown(state, owner) if line.hexes >> h & 1]
    return [Message("It counts now for {cards}.", cards=Listed.of(cards))] if cards else []


# ---- the ground ------------------------------------------------------------------------------------------------------


def _ground(state: State, h: Hex) -> Explanation:
    """A hex on which nothing is printed but terrain, or whose tile is gone."""
    setup = state.setup
    letter = setup.board.letter(h)
    terrain = terrain_name(letter)
    lines = [_gone(state, tile) for tile, place in enumerate(setup.tile_hex) if place == h]
    if not lines and letter in CARDS:
        lines.append(Message("Land: whoever plays a {terrain} card builds here.", terrain=terrain))
    elif not lines and setup.room >> h & 1:
        lines.append(Message("No terrain card builds here; only some extra actions do."))
    elif not lines:
        lines.append(Message("Nothing may be built here."))
    return Explanation(terrain, tuple(lines))


def _gone(state: State, tile: int) -> Message:
    """Who took the only tile of a hex."""
    action = state.setup.actions[state.setup.tile_kind[tile]]
    takers = [seat for seat, taken in enumerate(state.taken) if taken >> tile & 1]
    if not takers:
        return Message("{tile} lay here and is gone.", tile=action)
    return Message("{tile} lay here; {seats} took it.", tile=action, seats=_listed(takers))
