"""Why an action is not legal, in one sentence that names the rule."""

from typing import TYPE_CHECKING

from kingdom_builder.board.terrain import NAMES
from kingdom_builder.hexes import AREA, BIT, SIZE, Hex, HexSet, name
from kingdom_builder.rules.actions import DRAW, DRAWN, END, USE, Action

if TYPE_CHECKING:
    from kingdom_builder.rules.state import State


SEATS = "ABCDE"
"""The names of the seats in texts."""


def why_not(state: "State", action: Action) -> str | None:
    """The reason why an action is not legal now; None if it is."""
    if action >= 0 and state.legal() >> action & 1:
        return None
    if state.over:
        return "The game is over."
    if 0 <= action < SIZE:
        return _why_not_hex(state, action)
    if action == END:
        return _why_not_end(state)
    if action in DRAWN:
        return _why_not_draw(state, action)
    if USE <= action < USE + len(state.setup.locations):
        return _why_not_use(state, action - USE)
    return f"There is no action {action}: expected a hex, {END} (end of turn), {DRAW} on (draws) or {USE} on (tiles)."


def _why_not_hex(state: "State", h: Hex) -> str:
    board = state.setup.board
    if not board.hexes >> h & 1:
        return f"{hex_name(h)} is not on this board."
    if state.awaiting:
        return "A terrain card has to be drawn first."
    if state.acting is not None:
        return state.acting.why_not(state, h) + "."
    if not state.todo:
        return "The mandatory action is done: use a tile or end the turn."
    terrain = NAMES[state.card]
    return why_not_build(state, h, state.setup.terrain[state.card], f"the terrain card shows {terrain}") + "."


def hex_name(h: Hex) -> str:
    """The name of a hex; a number if it is none of the 20 x 20 area."""
    return name(h) if AREA >> h & 1 else f"Hex {h}"


def why_not_build(state: "State", h: Hex, area: HexSet, wanted: str) -> str:
    """Why the player may not build on a hex when `area` is allowed; `wanted` says that in words."""
    occupant = why_not_empty(state, h)
    if occupant:
        return occupant
    if not area >> h & 1:
        return f"{name(h)} is {state.setup.board.describe(h)}, but {wanted}"
    return f"{name(h)} does not touch your settlements: where you can, you must build next to them ({wanted})"


def why_not_empty(state: "State", h: Hex) -> str | None:
    """Why nothing can ever stand on a hex, or what stands there now."""
    if state.setup.board.special & BIT[h]:
        return f"{name(h)} is a {state.setup.board.describe(h)}: nothing may be built there"
    for seat, own in enumerate(state.own):
        if own & BIT[h]:
            owner = "you" if seat == state.player else f"seat {seat_letter(seat)}"
            return f"{name(h)} is occupied by {owner}: one piece a hex"
    return None


def seat_letter(seat: int) -> str:
    """The name of a seat in texts: A, B, C, D or E."""
    return SEATS[seat]


def _why_not_end(state: "State") -> str:
    if state.awaiting:
        return "A terrain card has to be drawn first."
    if state.acting is not None:
        return f"The action of the {state.acting.name} has begun and must be finished."
    return f"The mandatory action must be completed if possible: {state.todo} more to build on {NAMES[state.card]}."


def _why_not_draw(state: "State", action: Action) -> str:
    if not state.awaiting:
        return "No card is to be drawn now."
    return f"No {NAMES[DRAWN[action]]} card is left in the draw pile."


def _why_not_use(state: "State", kind: int) -> str:
    location = state.setup.locations[kind]
    tiles = state.setup.kind_tiles[kind]
    if state.awaiting:
        return "A terrain card has to be drawn first."
    if state.acting is not None:
        return f"One action is finished before the next begins: {state.acting.name}."
    if not state.held[state.player] & tiles:
        return f"You have no {location.name} tile."
    if state.todo in (1, 2):
        return "No extra action between the settlements of the mandatory action."
    if not state.ready & tiles:
        if state.fresh & tiles == state.held[state.player] & tiles:
            return f"The {location.name} tile was taken in this turn: it can be used from your next turn on."
        return f"The {location.name} tile has been used in this turn."
    if not state.supply[state.player]:
        return f"{location.name}: your supply is empty, or nothing can move."
    return f"{location.name}: there is no hex for it."
