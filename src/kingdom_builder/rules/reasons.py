"""Sentences about what to do next, and about why an action is not legal; the latter name the rule."""

from typing import TYPE_CHECKING

from kingdom_builder.board.terrain import terrain_name
from kingdom_builder.hexes import AREA, BIT, NEAR, SIZE, Hex, HexSet
from kingdom_builder.message import HexName, Listed, Message, SeatName
from kingdom_builder.rules.actions import CHOSEN, DONE, DRAW, DRAWN, END, OTHER, USE, Action
from kingdom_builder.rules.components import Finale
from kingdom_builder.rules.setup import MANDATORY, WALLS

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
    n = _to_build(state)
    if state.builds_left == MANDATORY:
        if state.adjacency_lifted:
            return Message(
                "Build {n} {n:settlement|settlements} on {terrain}; the next may be anywhere on it.",
                n=n,
                terrain=terrain,
            )
        return Message("Build {n} {n:settlement|settlements} on {terrain}.", n=n, terrain=terrain)
    if state.adjacency_lifted:
        return Message("Build {n} more on {terrain}; the next may be anywhere on it.", n=n, terrain=terrain)
    return Message("Build {n} more on {terrain}.", n=n, terrain=terrain)


def _to_build(state: "State") -> int:
    """The settlements that the mandatory action still asks for: no more than the supply has."""
    return min(state.builds_left, state.supply[state.player])


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
    lifted = 0 if state.source is None else BIT[state.source]  # what is being moved does not block (RULES 4.4)
    for kind in state.setup.piece_kinds:
        if kind.blocks and state.memory.get(kind.key, 0) & NEAR[h] & ~lifted:
            return Message("{hex} is next to a {piece}: nothing may be put there.", hex=HexName(h), piece=kind)
    return None


def _why_not_end(state: "State") -> Message:
    if state.awaiting:
        return _draw_first()
    if state.acting is not None:
        return Message("The action of the {action} has begun and must be finished.", action=state.acting)
    if not state.card:
        return Message("Choose a card and build first.")
    terrain = terrain_name(state.card)
    if state.builds_left == MANDATORY:
        return Message("First build {n} {n:settlement|settlements} on {terrain}.", n=_to_build(state), terrain=terrain)
    return Message("First build {n} more on {terrain}.", n=_to_build(state), terrain=terrain)


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
    if state.acting is not None and state.acting.repeats and not action.lifts_adjacency:
        return state.acting.why_not_repeat(state, action)
    if not held:
        return Message("You have no {action} tile.", action=action)
    if isinstance(state.acting, Finale):
        return Message("{action}: tiles are not used after the last turn.", action=action)
    if action.passive:
        return Message("{action}: it always works, and is never used.", action=action)
    if not state.ready & tiles:
        if state.just_taken & tiles == held:
            return Message(
                "The {action} tile was taken in this turn: it can be used from your next turn on.", action=action
            )
        return Message("The {action} has been used in this turn.", action=action)
    if action.lifts_adjacency and state.adjacency_lifted:
        return Message("{action}: the next build may be anywhere already.", action=action)
    if action.lifts_adjacency:
        return Message("{action}: there is no build now to which it would open more hexes.", action=action)
    if state.acting is not None:
        return _one_after_the_other(state.acting)
    if 0 < state.builds_left < MANDATORY:
        return Message("No extra action between the settlements of the mandatory action.")
    if state.adjacency_lifted:
        return Message("Build first: the tile for the next build has been used.")
    return action.why_not_begin(state)


def _one_after_the_other(acting: "ExtraAction") -> Message:
    return Message("One action is finished before the next begins: {action}.", action=acting)


def _why_not_choose(state: "State", card: str) -> Message:
    if state.awaiting:
        return _draw_first()
    if isinstance(state.acting, Finale) or not state.choice_is_open():
        return Message("There is no choice between several terrain cards now.")
    if state.acting is not None:
        return _one_after_the_other(state.acting)
    if card not in state.cards_to_choose():
        return Message("You have no {terrain} card.", terrain=terrain_name(card))
    return Message("No free {terrain} hex is left: a useless card cannot be chosen.", terrain=terrain_name(card))


def _why_not_option(state: "State") -> Message:
    if state.acting is None:
        return Message("No extra action is in progress.")
    return Message("{action}: there is nothing of that kind to choose now.", action=state.acting)
