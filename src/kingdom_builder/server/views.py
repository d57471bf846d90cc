"""States for the wire: what a viewer may see of a game, and nothing else."""

import re
from collections.abc import Iterator
from dataclasses import fields
from functools import cache, lru_cache
from operator import attrgetter

from kingdom_builder.board import Board
from kingdom_builder.content import COMPONENTS
from kingdom_builder.drawing.svg import map_layers, rows_marked
from kingdom_builder.game import Game
from kingdom_builder.hexes import HexSet, bits, hex_name, hex_names
from kingdom_builder.notation import action_text, board_text, legal_texts, position_of
from kingdom_builder.rules import (
    CHOSEN,
    DONE,
    DRAWN,
    END,
    EVERYTHING,
    OTHER,
    Action,
    Component,
    Event,
    ExtraAction,
    Perspective,
    PieceKind,
    State,
    breakdown,
    kept_rulings,
    observe,
    seen_by,
    turn_of,
    winners,
)
from kingdom_builder.rules.observation import seen_hands
from kingdom_builder.rules.pieces import Settlement, pieces_of
from kingdom_builder.rules.reasons import prompt
from kingdom_builder.rules.setup import SETTLEMENTS, TILES
from kingdom_builder.rules.state import HAND, HIDDEN, MANDATORY
from kingdom_builder.server.messages import (
    Choice,
    Frame,
    Happening,
    LogLine,
    ScoreLine,
    SetupView,
    TileStatus,
    TileView,
    View,
)
from kingdom_builder.server.sentences import sent

MAPS_KEPT = 256


def setup_view(start: State) -> SetupView:
    setup = start.setup
    board = setup.board
    return SetupView(
        players=setup.players,
        supply=SETTLEMENTS,
        tiles=TILES,
        board=board_text(board),
        width=board.width,
        height=board.height,
        rows=list(board.map),
        locations={hex_name(h): key for h, key in board.locations},
        nomads={hex_name(h): tile.key for h, tile in setup.nomads.items()},
        capitols=hex_names(setup.capitols),
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
    """The map as SVG; cached, since everybody at a table needs it."""
    return map_layers(Board(rows, locations), _icons(), capitols)


def view_of(state: State, ply: int, perspective: Perspective = None, last: HexSet = 0) -> View:
    """A state as somebody who does not act sees it."""
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
        builds=MANDATORY,
        builds_left=seen.builds_left,
        adjacency_lifted=seen.adjacency_lifted,
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
        tiles_left={
            hex_name(h): left for h, left in zip(setup.tile_hex, seen.tiles_left, strict=True) if h is not None
        },
        flags=[[row + 1 for row in bits(rows_marked(seen, seat))] for seat in seats],
        gold=[[card.score(seen, seat)[0] for card in scoring] for seat in seats],
        last=hex_names(last),
        prompt=sent(prompt(seen)) if seen.over else None,
        legal=[],
        choices=[],
        why_not_end=None,
        cards=[],
        placing=_placing(seen),
        undo=False,
    )


_view_fields = attrgetter(*(field.name for field in fields(View)))


def own_view(public: View, state: State, perspective: Perspective, *, acts: bool, undo: bool) -> View:
    """A public view plus what only one viewer may see or do.

    `acts`: the moves of the current player are the viewer's to make.
    """
    mine = View(*_view_fields(public))
    mine.hands = state.hands if perspective == EVERYTHING else seen_hands(state, perspective)[0]
    mine.undo = undo
    if acts and not state.awaiting and not state.over:
        legal = state.legal()
        mine.legal = legal_texts(state)
        mine.prompt = sent(prompt(state))
        mine.cards = [CHOSEN[action] for action in CHOSEN if legal >> action & 1]
        mine.choices = [_choice(state, action) for action in (DONE, OTHER) if legal >> action & 1]
        reason = state.why_not(END)
        mine.why_not_end = None if reason is None else sent(reason)
    return mine


def _choice(state: State, action: Action) -> Choice:
    assert state.acting is not None
    return Choice(action_text(state.setup, action), sent(state.acting.describe_option(state, action)))


def _placing(seen: State) -> str | None:
    if seen.source is not None:
        return (seen.kind_of(seen.source) or Settlement).key
    return Settlement.key if seen.acting is None else None


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


def score_lines(state: State) -> list[ScoreLine]:
    """What pays each seat, by card."""
    return [
        ScoreLine(line.card.key, seat, line.gold, hex_names(line.hexes))
        for seat in range(state.setup.players)
        for line in breakdown(state, seat)
    ]


# ---- the log ---------------------------------------------------------------------------------------------------------


def log_line(game: Game, ply: int, perspective: Perspective) -> LogLine:
    """The log line of the action after the first `ply`, from a perspective."""
    before, action = game.plies[ply]
    happened = [_happening(event) for event in game.events_of(ply, perspective)]
    move = action_text(before.setup, action)
    if action in DRAWN and any(each.kind == "card-drawn" and each.key == HIDDEN for each in happened):
        move = f"={HIDDEN}"
    return LogLine(ply + 1, str(turn_of(before)), before.player, move, happened)


def frames(game: Game, perspective: Perspective) -> Iterator[Frame]:
    """All moments of a game, from a perspective."""
    for ply in range(len(game.plies) + 1):
        state = game.state_at(ply)
        line = log_line(game, ply - 1, perspective) if ply else None
        view = view_of(state, ply, perspective, game.last_placed(ply))
        yield Frame(view, line, position_of(seen_by(perspective, state)))


_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def _happening(event: Event) -> Happening:
    """An event for the wire: its hexes are the fields of type Hex, its key is that of component, piece or terrain."""
    hexes: list[str] = []
    key = None
    for field in fields(event):
        value = getattr(event, field.name)
        if field.name in HEX_FIELDS:
            hexes.append(hex_name(value))
        elif isinstance(value, str):
            key = value
        elif isinstance(value, Component) or (isinstance(value, type) and issubclass(value, PieceKind)):
            key = value.key
    return Happening(_CAMEL.sub("-", type(event).__name__).lower(), event.seat, sent(event.message), hexes, key)


HEX_FIELDS = ("hex", "source", "target")
