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
from kingdom_builder.hexes import Hex, HexSet, bits, hex_name, hex_names, parse_hex
from kingdom_builder.lessons import LEARNER, Progress
from kingdom_builder.message import Message, Refusal, quoted
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
    drawing_actions,
    kept_rulings,
    observe,
    scores,
    seen_by,
    turn_of,
    winners,
)
from kingdom_builder.rules.events import Counted
from kingdom_builder.rules.explanations import explain_component, explain_hex, things
from kingdom_builder.rules.observation import seen_hands
from kingdom_builder.rules.pieces import Settlement, pieces_of
from kingdom_builder.rules.reasons import prompt
from kingdom_builder.rules.setup import SETTLEMENTS, TILES
from kingdom_builder.rules.state import HAND, HIDDEN, MANDATORY
from kingdom_builder.server.messages import (
    Argument,
    Choice,
    ExplanationView,
    Frame,
    Happening,
    LessonPlace,
    LogLine,
    ScoreLine,
    SetupView,
    TileStatus,
    TileView,
    View,
)
from kingdom_builder.server.sentences import sent, sent_sentence

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
        things=hex_names(things(setup)),
        cards=[card.key for card in setup.cards],
        tasks=[task.key for task in setup.tasks],
        scoring=[card.key for card in setup.scoring],
        actions=[action.key for action in setup.actions],
        options=sorted(setup.options - kept_rulings(setup)),
        stand_ins=board.stand_ins,
        map=map_of(board.map, board.location_keys, setup.capitols),
        start=position_of(observe(start, None)),
        sections=[str(place) for place in board.placed],
    )


@cache
def _icons() -> dict[str, str]:
    return {component.key: component.icon for component in COMPONENTS if component.icon}


@lru_cache(MAPS_KEPT)
def map_of(rows: tuple[str, ...], locations: tuple[str, ...], capitols: HexSet) -> str:
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


def own_view(
    public: View, state: State, perspective: Perspective, *, acts: bool, undo: bool, instead: HexSet = 0
) -> View:
    """A public view plus what only one viewer may see or do.

    `acts`: the moves of the current player are the viewer's to make. `instead`: the pieces that can be moved instead.
    """
    mine = View(*_view_fields(public))
    mine.hands = state.hands if perspective == EVERYTHING else seen_hands(state, perspective)[0]
    mine.undo = undo
    mine.instead = hex_names(instead)
    if acts and not state.awaiting and not state.over:
        legal = state.legal()
        mine.legal = legal_texts(state)
        mine.prompt = sent(prompt(state))
        mine.cards = [CHOSEN[action] for action in CHOSEN if legal >> action & 1]
        mine.choices = [_choice(state, action) for action in (DONE, OTHER) if legal >> action & 1]
        mine.draws = [action_text(state.setup, action) for action in bits(drawing_actions(state))]
        reason = state.why_not(END)
        mine.why_not_end = None if reason is None else sent(reason)
    return mine


def lesson_place(progress: Progress, state: State) -> LessonPlace:
    """How far a lesson is, with the names and numbers that its texts have."""
    lesson, setup = progress.lesson, state.setup
    gold = scores(state)
    arguments: dict[str, Argument] = {hole: (kind, key) for hole, kind, key in lesson.names}
    if hand := state.hands[LEARNER]:
        arguments["card"] = ("terrain", hand[0])
    numbers = {"gold": gold[LEARNER], "rival": max(gold[LEARNER + 1 :]), "left": state.supply[LEARNER]}
    arguments |= {hole: ("number", number) for hole, number in numbers.items()}
    wanted = [action_text(setup, action) for action in progress.next_actions()]
    return LessonPlace(lesson.key, progress.step, progress.has_begun, wanted, arguments)


def _choice(state: State, action: Action) -> Choice:
    assert state.acting is not None
    return Choice(action_text(state.setup, action), sent(state.acting.describe_option(state, action)))


def _placing(seen: State) -> str | None:
    if seen.source is not None:
        return (seen.kind_of(seen.source) or Settlement).key
    if seen.acting is None or seen.acting.builds:
        return Settlement.key
    kind = seen.acting.piece or seen.acting.lays
    return kind.key if kind else None


def _tiles(seen: State, seat: int) -> list[TileView]:
    setup = seen.setup
    held = seen.held[seat] if seat == seen.player else seen.held[seat] & ~setup.standing
    found = []
    for tile in bits(held):
        h = setup.tile_hex[tile]
        action = setup.actions[setup.tile_kind[tile]]
        found.append(
            TileView(
                action.key,
                None if h is None else hex_name(h),
                _status(seen, seat, tile, action),
                action.number(seen, seat),
            )
        )
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


def explanations(seen: State, seat: int | None, place: str, key: str) -> list[ExplanationView]:
    """What is on a hex, or what a component is; `seat` is called you. Raises Refusal if there is no such thing."""
    if bool(place) == bool(key):
        raise Refusal(Message("Expected a hex or the key of a component, and not both."))
    found = explain_hex(seen, _hex(place), seat) if place else [explain_component(seen, key, seat)]
    return [
        ExplanationView(each.subject.kind, each.subject.key, [sent_sentence(line) for line in each.lines], each.rule)
        for each in found
    ]


def _hex(name: str) -> Hex:
    try:
        return parse_hex(name)
    except ValueError:
        raise Refusal(Message("{text} is not a hex: expected a1 to t20.", text=quoted(name))) from None


# ---- the log ---------------------------------------------------------------------------------------------------------


def log_line(game: Game, ply: int, perspective: Perspective) -> LogLine:
    """The log line of the action after the first `ply`, from a perspective."""
    before, action = game.plies[ply]
    happened = [happening(event) for event in game.events_of(ply, perspective)]
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


def happening(event: Event) -> Happening:
    """An event for the wire: its hexes are the fields of type Hex, its key is that of component, piece or terrain."""
    hexes: list[str] = []
    key = None
    for field in fields(event):
        value = getattr(event, field.name)
        if field.name in HEX_FIELDS:
            hexes += [hex_name(value)] if value is not None else []
        elif isinstance(value, str):
            key = value
        elif isinstance(value, Component) or (isinstance(value, type) and issubclass(value, PieceKind)):
            key = value.key
    kind = _CAMEL.sub("-", type(event).__name__).lower()
    gold = event.gold if isinstance(event, Counted) else 0
    return Happening(kind, event.seat, sent(event.message), hexes, key, gold)


HEX_FIELDS = ("hex", "source", "target")
