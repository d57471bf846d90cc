"""What to do next, and why an action is not legal: one sentence each, the second names the rule."""

from typing import TYPE_CHECKING

from kingdom_builder.board.terrain import NAMES
from kingdom_builder.hexes import AREA, BIT, SIZE, Hex, HexSet, hex_name
from kingdom_builder.message import seat_letter
from kingdom_builder.rules.actions import CHOSEN, DONE, DRAW, DRAWN, END, OTHER, USE, Action

if TYPE_CHECKING:
    from kingdom_builder.rules.state import State


DRAW_FIRST = "A terrain card has to be drawn first."


def prompt(state: "State") -> str:
    """What the player in turn can do now, in one sentence."""
    if state.acting is not None:
        return state.acting.prompt(state)
    if state.builds_left and state.choice_is_open():
        return "Choose a card, or use a tile that needs none."
    if state.builds_left:
        return f"Build {state.builds_left} on {NAMES[state.card]}{', anywhere' if state.adjacency_lifted else ''}."
    return "End the turn, or use a tile." if state.ready else "End the turn."


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
    if USE <= action < USE + len(state.setup.actions):
        return _why_not_use(state, action - USE)
    if action in CHOSEN:
        return _why_not_choose(state, CHOSEN[action])
    if action in (DONE, OTHER):
        return _why_not_option(state)
    return f"There is no action {action}: expected a hex, {END} (end of turn), {DRAW} on (draws) or {USE} on (tiles)."


def _why_not_hex(state: "State", h: Hex) -> str:
    board = state.setup.board
    if not board.hexes >> h & 1:
        return f"{hex_or_number(h)} is not on this board."
    if state.awaiting:
        return DRAW_FIRST
    if state.acting is not None:
        return state.acting.why_not(state, h) + "."
    if not state.builds_left:
        return "The mandatory action is done: use a tile or end the turn."
    if not state.card:
        return "Choose one of your terrain cards first."
    terrain = NAMES[state.card]
    return why_not_build(state, h, state.setup.terrain[state.card], f"the terrain card shows {terrain}") + "."


def hex_or_number(h: Hex) -> str:
    """The name of a hex; a number if it is none of the 20 x 20 area."""
    return hex_name(h) if AREA >> h & 1 else f"Hex {h}"


def why_not_build(state: "State", h: Hex, area: HexSet, wanted: str) -> str:
    """Why the player may not build on a hex when `area` is allowed; `wanted` says that in words."""
    occupant = why_not_empty(state, h)
    if occupant:
        return occupant
    if not area >> h & 1:
        return f"{hex_name(h)} is {state.setup.board.describe(h)}, but {wanted}"
    return f"{hex_name(h)} does not touch your settlements: where you can, you must build next to them ({wanted})"


def why_not_empty(state: "State", h: Hex) -> str | None:
    """Why nothing can ever stand on a hex, or what stands there now."""
    if state.setup.board.special & BIT[h]:
        return f"{hex_name(h)} is a {state.setup.board.describe(h)}: nothing may be built there"
    for seat, own in enumerate(state.own):
        if own & BIT[h]:
            owner = "you" if seat == state.player else f"seat {seat_letter(seat)}"
            return f"{hex_name(h)} is occupied by {owner}: one piece a hex"
    if state.memory.get("walls", 0) & BIT[h]:
        return f"{hex_name(h)} has a stone wall: it stays for the rest of the game"
    if state.scouts & BIT[h]:
        return f"{hex_name(h)} has a scout on it until the end of the turn"
    if state.blocked & BIT[h]:
        return f"{hex_name(h)} is next to a warrior: nothing may be put there"
    return None


def _why_not_end(state: "State") -> str:
    if state.awaiting:
        return DRAW_FIRST
    if state.acting is not None:
        return f"The action of the {state.acting.name} has begun and must be finished."
    terrain = NAMES[state.card] if state.card else "the terrain of a card, to be chosen first"
    return f"The mandatory action must be completed if possible: {state.builds_left} more to build on {terrain}."


def _why_not_draw(state: "State", action: Action) -> str:
    if not state.awaiting:
        return "No card is to be drawn now."
    return f"No {NAMES[DRAWN[action]]} card is left in the draw pile."


def _why_not_use(state: "State", kind: int) -> str:
    action = state.setup.actions[kind]
    tiles = state.setup.kind_tiles[kind]
    held = state.held[state.player] & tiles
    if state.awaiting:
        return DRAW_FIRST
    if not held:
        return f"You have no {action.name} tile."
    if not state.ready & tiles:
        if state.just_taken & tiles == held:
            return f"The {action.name} tile was taken in this turn: it can be used from your next turn on."
        return f"The {action.name} has been used in this turn."
    if action.lifts_adjacency:
        return f"{action.name}: it is declared for a build that must be next to your own pieces, which this is not."
    if state.acting is not None:
        return f"One action is finished before the next begins: {state.acting.name}."
    if state.builds_left in (1, 2) or state.adjacency_lifted:
        return "No extra action between the settlements of the mandatory action."
    if not state.supply[state.player]:
        return f"{action.name}: your supply is empty, or there is no hex for it."
    return f"{action.name}: there is no hex for it."


def _why_not_choose(state: "State", card: str) -> str:
    if not state.choice_is_open():
        return "There is no choice between several terrain cards now."
    if card not in state.hands[state.player]:
        return f"You have no {NAMES[card]} card."
    return f"No free {NAMES[card]} hex is left: a useless card cannot be chosen."


def _why_not_option(state: "State") -> str:
    if state.acting is None:
        return "No extra action is in progress."
    return f"{state.acting.name}: there is nothing of that kind to choose now."
