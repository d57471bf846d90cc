"""States as they go over the wire: what a viewer may see of a game, and nothing else."""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from functools import cache, lru_cache
from operator import attrgetter

from kingdom_builder.board import Board
from kingdom_builder.content import COMPONENTS
from kingdom_builder.drawing.svg import map_layers, rows_marked
from kingdom_builder.hexes import HexSet, bits, hex_name, hex_names
from kingdom_builder.notation import action_text, board_text, legal_texts, position_of
from kingdom_builder.rules import (
    DRAWN,
    Action,
    Component,
    Event,
    ExtraAction,
    State,
    breakdown,
    events,
    kept_rulings,
    observe,
    turn_of,
    winners,
)
from kingdom_builder.rules.observation import seen_hands
from kingdom_builder.rules.pieces import pieces_of
from kingdom_builder.rules.reasons import prompt
from kingdom_builder.rules.setup import WALLS
from kingdom_builder.rules.state import HAND, HIDDEN
from kingdom_builder.server.messages import Frame, Happening, LogLine, PayLine, SetupView, TileStatus, TileView, View

MAPS_KEPT = 256

Ply = tuple[State, Action]
"""A state and the action that followed."""

Perspective = int | None
"""The seat that looks; None for somebody who sees only what is open to all, EVERYTHING for games without secrets."""

EVERYTHING: Perspective = -1


def seen_by(perspective: Perspective, state: State) -> State:
    """A state in the perspective of somebody."""
    return state if perspective == EVERYTHING else observe(state, perspective)


def setup_view(start: State) -> SetupView:
    setup = start.setup
    board = setup.board
    return SetupView(
        players=setup.players,
        board=board_text(board),
        width=board.width,
        height=board.height,
        rows=list(board.map),
        locations={hex_name(h): key for h, key in board.locations},
        nomads={hex_name(h): tile.key for h, tile in setup.nomads.items()},
        capitols=names(setup.capitols),
        cards=[card.key for card in setup.cards],
        tasks=[task.key for task in setup.tasks],
        scoring=[card.key for card in setup.scoring],
        actions=[action.key for action in setup.actions],
        options=sorted(setup.options - kept_rulings(setup)),
        stand_ins=board.stand_ins,
        map=_map(board.map, board.location_keys, setup.capitols),
        start=position_of(observe(start, None)),
    )


@cache
def _icons() -> dict[str, str]:
    return {component.key: component.icon for component in COMPONENTS if component.icon}


@lru_cache(MAPS_KEPT)
def _map(rows: tuple[str, ...], locations: tuple[str, ...], capitols: HexSet) -> str:
    """The map as SVG: worth keeping, since all at a table need it."""
    return map_layers(Board(rows, locations), _icons(), capitols)


def view_of(state: State, ply: int, perspective: Perspective = None, last: HexSet = 0) -> View:
    """A state in the perspective of somebody who does not act."""
    seen = seen_by(perspective, state)
    setup = state.setup
    seats = range(setup.players)
    scoring = setup.scoring
    return View(
        ply=ply,
        round=seen.round,
        player=seen.player,
        awaiting=seen.awaiting or "",
        card=seen.card,
        todo=seen.builds_left,
        anywhere=seen.adjacency_lifted,
        acting=seen.acting.key if seen.acting is not None else None,
        source=hex_name(seen.source) if seen.source is not None else None,
        steps=seen.steps,
        ending=seen.ending,
        over=seen.over,
        winners=winners(seen) if seen.over else [],
        hands=seen.hands,
        deck=len(state.deck),
        supply=seen.supply,
        tiles=[_tiles(seen, seat) for seat in seats],
        pieces={kind.key: [hex_names(hexes) for hexes in owners] for kind, owners in pieces_of(seen).items()},
        stock={hex_name(h): left for h, left in zip(setup.tile_hex, seen.tiles_left, strict=True) if h is not None},
        flags=[[row + 1 for row in bits(rows_marked(seen, seat))] for seat in seats],
        gold=[[card.score(seen, seat)[0] for card in scoring] for seat in seats],
        last=names(last),
        step="" if seen.over or seen.awaiting or not seen.round else prompt(seen),
        legal=[],
        undo=False,
    )


_view_fields = attrgetter(*(field.name for field in fields(View)))


def own_view(public: View, state: State, perspective: Perspective, *, acts: bool, undo: bool) -> View:
    """A view that all may have, with what only one viewer may see or do.

    `acts`: the moves of the player in turn are the viewer's to make.
    """
    mine = View(*_view_fields(public))
    mine.hands = state.hands if perspective == EVERYTHING else seen_hands(state, perspective)[0]
    mine.legal = legal_texts(state) if acts and not state.awaiting and not state.over else []
    mine.undo = undo
    return mine


def _tiles(seen: State, seat: int) -> list[TileView]:
    setup = seen.setup
    held = seen.held[seat] if seat == seen.player else seen.held[seat] & ~setup.standing
    found = []
    for tile in bits(held):
        h = setup.tile_hex[tile]
        action = setup.actions[setup.tile_kind[tile]]
        found.append(TileView(action.key, None if h is None else hex_name(h), _status(seen, seat, tile, action)))
    return found


def _status(seen: State, seat: int, tile: int, action: ExtraAction) -> TileStatus:
    if action.passive:
        return "passive"
    if seat != seen.player or seen.awaiting == HAND:
        return "ready"
    if seen.just_taken >> tile & 1:
        return "new"
    return "ready" if seen.ready >> tile & 1 else "used"


def names(hexes: HexSet) -> list[str]:
    return [hex_name(h) for h in bits(hexes)]


def pay_lines(state: State) -> list[PayLine]:
    """What pays each seat, by card."""
    return [
        PayLine(line.card.key, seat, line.gold, names(line.hexes))
        for seat in range(state.setup.players)
        for line in breakdown(state, seat)
    ]


# ---- the log ---------------------------------------------------------------------------------------------------------


def log_line(before: State, action: Action, after: State, ply: int, perspective: Perspective) -> LogLine:
    """One action in the perspective of a seat."""
    happened = [
        _happening(event) for event in events(seen_by(perspective, before), action, seen_by(perspective, after))
    ]
    move = action_text(before.setup, action)
    if action in DRAWN and any(each.kind == "card-drawn" and each.key == HIDDEN for each in happened):
        move = f"={HIDDEN}"
    return LogLine(ply, str(turn_of(before)), before.player, move, happened)


def log_lines(history: Sequence[Ply], now: State, perspective: Perspective, since: int = 0) -> list[LogLine]:
    """The actions after the first `since`."""
    return [
        log_line(before, action, history[ply][0] if ply < len(history) else now, ply, perspective)
        for ply, (before, action) in enumerate(history[since:], since + 1)
    ]


def frames(history: Sequence[Ply], now: State, perspective: Perspective) -> Iterator[Frame]:
    """All moments of a game."""
    lines = [None, *log_lines(history, now, perspective)]
    begins: deque[State] = deque(maxlen=now.setup.players)
    """Where this turn and those of everybody else before it began."""
    turn = None
    for ply, (line, state) in enumerate(zip(lines, [*(state for state, _ in history), now], strict=True)):
        if turn != (state.round, state.player):
            turn = (state.round, state.player)
            begins.append(state)
        view = view_of(state, ply, perspective, occupied(state) & ~occupied(begins[0]))
        yield Frame(view, line, position_of(seen_by(perspective, state)))


def history_of(start: State, actions: Iterable[Action]) -> tuple[list[Ply], State]:
    """All moments from a state on, and the last state."""
    state = start.copy()
    history: list[Ply] = []
    for action in actions:
        history.append((state.copy(), action))
        state.apply(action)
    return history, state


def first_secret(history: Sequence[Ply], now: State, perspective: Perspective) -> int:
    """How many actions can be told to somebody without telling a card that is hidden from them now."""
    hidden = [hand.count(HIDDEN) for hand in seen_by(perspective, now).hands]
    first = len(history)
    for ply in range(len(history) - 1, -1, -1):
        before, action = history[ply]
        if action in DRAWN and before.awaiting == HAND and hidden[before.player]:
            hidden[before.player] -= 1
            first = ply
    return first


def start_is_secret(history: Sequence[Ply], now: State, perspective: Perspective) -> bool:
    """Whether the position that a game began from has cards that are still hidden from somebody."""
    hidden = [hand.count(HIDDEN) for hand in seen_by(perspective, now).hands]
    for before, action in history:
        if action in DRAWN and before.awaiting == HAND:
            hidden[before.player] -= 1
    return any(count > 0 for count in hidden)


def last_placed(history: Sequence[Ply], state: State, ply: int) -> HexSet:
    """Where pieces came in this turn and in those of everybody else before it."""
    turns = state.setup.players
    turn = (state.round, state.player)
    begin = state
    for index in range(ply - 1, -1, -1):
        before, _ = history[index]
        if (before.round, before.player) != turn:
            turn = (before.round, before.player)
            turns -= 1
            if not turns:
                break
        begin = before
    return occupied(state) & ~occupied(begin)


def occupied(state: State) -> HexSet:
    everything: HexSet = state.memory.get(WALLS, 0)
    for own in state.own:
        everything |= own
    return everything


_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def _happening(event: Event) -> Happening:
    """An event by its fields: hexes are those of type Hex, the key is that of what is printed."""
    hexes: list[str] = []
    key = None
    for field in fields(event):
        value = getattr(event, field.name)
        if isinstance(value, Component):
            key = value.key
        elif isinstance(value, str):
            key = value
        elif field.name in HEX_FIELDS:
            hexes.append(hex_name(value))
    return Happening(_CAMEL.sub("-", type(event).__name__).lower(), event.seat, event.words, hexes, key)


HEX_FIELDS = ("hex", "source", "target")
