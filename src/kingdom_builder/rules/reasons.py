"""Sentences about what to do next, and about why an action is not legal; the latter name the rule."""

from typing import TYPE_CHECKING

from kingdom_builder.board.terrain import terrain_name
from kingdom_builder.hexes import AREA, BIT, NEAR, SIZE, Hex, HexSet
from kingdom_builder.message import HexName, Listed, Message, SeatName
from kingdom_builder.rules.actions import CHOSEN, DONE, DRAW, DRAWN, END, OTHER, USE, Action
from kingdom_builder.rules.setup import WALLS

if TYPE_CHECKING:
    from kingdom_builder.rules.components import ExtraAction
    from kingdom_builder.rules.state import State


# ---- what to do ------------------------------------------------------------------------------------------------------


def prompt(state: "State") -> Message:
    """What the current player can do now, or what happens if nobody has to choose."""
    if state.over:
        return Message("The game is over.")
    if not state.round:
        return Message("The first cards are dealt.")
    if state.awaiting:
        return Message("A card is drawn.")
    if state.acting is not None:
        return state.acting.prompt(state)
    if state.builds_left:
        return _prompt_to_build(state)
    usable = _usable(state) if state.ready else []
    if usable:
        return Message("All built. End your turn, or use {tiles}.", tiles=Listed.of(usable, "or"))
    return Message("All built. End your turn.")


def _usable(state: "State") -> list["ExtraAction"]:
    """The tiles that can be used now."""
    legal = state.legal() >> USE
    return [action for kind, action in enumerate(state.setup.actions) if legal >> kind & 1]


def _prompt_to_build(state: "State") -> Message:
    if not state.card:
        return Message("Choose one of your cards, or use a tile that needs none.")
    terrain = terrain_name(state.card)
    if state.adjacency_lifted:
        return Message(
            "Build {n} more on {terrain}; the next may be anywhere on it.", n=state.builds_left, terrain=terrain
        )
    return Message("Build {n} more on {terrain}.", n=state.builds_left, terrain=terrain)


# ---- why not ---------------------------------------------------------------------------------------------------------


def why_not(state: "State", action: Action) -> Message | None:
    """Why an action is not legal now; None if it is legal."""
    if action >= 0 and state.legal() >> action & 1:
        return None
    if state.over:
        return Message("The game is over.")
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
    return Message(
        "There is no action {action}: expected a hex, {end} (end of turn), {draw} on (draws) or {use} on (tiles).",
        action=action,
        end=END,
        draw=DRAW,
        use=USE,
    )


def _why_not_hex(state: "State", h: Hex) -> Message:
    if not AREA >> h & 1:
        return Message("Hex {n} is not on this board.", n=h)
    if not state.setup.board.hexes >> h & 1:
        return Message("{hex} is not on this board.", hex=HexName(h))
    if state.awaiting:
        return _draw_first()
    if state.acting is not None:
        return state.acting.why_not(state, h)
    if not state.builds_left:
        return Message("The mandatory action is done: use a tile or end the turn.")
    if not state.card:
        return Message("Choose one of your terrain cards first.")
    wanted = Message("the terrain card shows {terrain}", terrain=terrain_name(state.card))
    return why_not_build(state, h, state.setup.terrain[state.card], wanted)


def _draw_first() -> Message:
    return Message("A terrain card has to be drawn first.")


def why_not_build(state: "State", h: Hex, area: HexSet, wanted: Message) -> Message:
    """Why the player may not build on a hex; `area` is what is allowed, and `wanted` says so in words."""
    occupied = why_not_empty(state, h)
    if occupied:
        return occupied
    if not area >> h & 1:
        return Message("{hex} is {ground}, but {wanted}.", hex=HexName(h), ground=state.setup.ground(h), wanted=wanted)
    return Message(
        "{hex} does not touch your settlements: where you can, you must build next to them ({wanted}).",
        hex=HexName(h),
        wanted=wanted,
    )


def why_not_empty(state: "State", h: Hex) -> Message | None:
    """Why nothing can ever stand on a hex, or what stands there now."""
    if state.setup.board.special & BIT[h]:
        return Message("Nothing may be built on {hex} ({ground}).", hex=HexName(h), ground=state.setup.ground(h))
    for seat, own in enumerate(state.own):
        if own & BIT[h] and seat == state.player:
            return Message("{hex} is occupied by you: one piece a hex.", hex=HexName(h))
        if own & BIT[h]:
            return Message("{hex} is occupied by {seat}: one piece a hex.", hex=HexName(h), seat=SeatName(seat))
    if state.memory.get(WALLS, 0) & BIT[h]:
        return Message("{hex} has a stone wall: it stays for the rest of the game.", hex=HexName(h))
    if state.scouts & BIT[h]:
        return Message("{hex} has a scout on it until the end of the turn.", hex=HexName(h))
    for kind in state.setup.piece_kinds:
        if kind.blocks and state.memory.get(kind.key, 0) & NEAR[h]:
            return Message("{hex} is next to a {piece}: nothing may be put there.", hex=HexName(h), piece=kind)
    return None


def _why_not_end(state: "State") -> Message:
    if state.awaiting:
        return _draw_first()
    if state.acting is not None:
        return Message("The action of the {action} has begun and must be finished.", action=state.acting)
    if not state.card:
        return Message("The mandatory action must be completed if possible: choose a card and build first.")
    return Message(
        "The mandatory action must be completed if possible: {n} more to build on {terrain}.",
        n=state.builds_left,
        terrain=terrain_name(state.card),
    )


def _why_not_draw(state: "State", action: Action) -> Message:
    if not state.awaiting:
        return Message("No card is to be drawn now.")
    return Message("No {terrain} card is left in the draw pile.", terrain=terrain_name(DRAWN[action]))


def _why_not_use(state: "State", kind: int) -> Message:
    action = state.setup.actions[kind]
    tiles = state.setup.kind_tiles[kind]
    held = state.held[state.player] & tiles
    if state.awaiting:
        return _draw_first()
    if not held:
        return Message("You have no {action} tile.", action=action)
    if not state.ready & tiles:
        if state.just_taken & tiles == held:
            return Message(
                "The {action} tile was taken in this turn: it can be used from your next turn on.", action=action
            )
        return Message("The {action} has been used in this turn.", action=action)
    if action.lifts_adjacency:
        return Message(
            "{action}: it is declared for a build that must be next to your own pieces, which this is not.",
            action=action,
        )
    if state.acting is not None:
        return Message("One action is finished before the next begins: {action}.", action=state.acting)
    if state.builds_left in (1, 2) or state.adjacency_lifted:
        return Message("No extra action between the settlements of the mandatory action.")
    if not state.supply[state.player]:
        return Message("{action}: your supply is empty, or there is no hex for it.", action=action)
    return Message("{action}: there is no hex for it.", action=action)


def _why_not_choose(state: "State", card: str) -> Message:
    if not state.choice_is_open():
        return Message("There is no choice between several terrain cards now.")
    if card not in state.hands[state.player]:
        return Message("You have no {terrain} card.", terrain=terrain_name(card))
    return Message("No free {terrain} hex is left: a useless card cannot be chosen.", terrain=terrain_name(card))


def _why_not_option(state: "State") -> Message:
    if state.acting is None:
        return Message("No extra action is in progress.")
    return Message("{action}: there is nothing of that kind to choose now.", action=state.acting)
