"""The work of the worker processes: everything that takes long, or that somebody could make take long.

Arguments and results are texts and plain values, so that they can be sent from process to process. Texts that cannot be
read raise NotationError, and other mistakes in them ValueError, each with a sentence.
"""

import gzip
import os
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import NamedTuple

import msgspec

from kingdom_builder.board import DrawnMap, MapFile, Section
from kingdom_builder.content.maps import inspect_map
from kingdom_builder.drawing.palette import SEATS
from kingdom_builder.drawing.result import result_picture
from kingdom_builder.drawing.svg import picture
from kingdom_builder.hexes import AREA, parse_hex
from kingdom_builder.message import Message, Refusal, quoted, seat_letter
from kingdom_builder.notation import (
    Record,
    action_text,
    board_text,
    parse_position,
    parse_record,
    parse_stored_position,
    play,
    position_of,
)
from kingdom_builder.players import GuardedPlayer, find_hints, forecast
from kingdom_builder.players.analysis import analyse_turn
from kingdom_builder.rules import EVERYTHING, Action, Observation, State, determinize, observe, turn_of
from kingdom_builder.server import views
from kingdom_builder.server.catalogue import section_info
from kingdom_builder.server.messages import (
    NAME_LENGTH,
    HintView,
    MapCheck,
    MapCount,
    MapProblem,
    Preview,
    SetupChoice,
    TurnAnalysis,
)
from kingdom_builder.server.names import clean, default_name
from kingdom_builder.server.sentences import sent, sent_sentence
from kingdom_builder.server.setups import start_of
from kingdom_builder.server.transcript import Transcript
from kingdom_builder.server.views import happening, map_of, score_lines, setup_view, view_of

MOST_ACTIONS = 5_000
"""The most actions of a record from a stranger: more than three times as many as in the longest real games."""

ZIP_LEVEL = 5
NICENESS = 10
"""The priority of the processes: the server itself comes first."""

LONG_TURN, MOST_OF_A_TURN = 100, 500
"""The actions of a turn after which a bot has failed, since it must be going round in circles; and the actions after
which the rest of the turn is left for another call."""


def prepare() -> None:
    """Prepare a process for this work. Importing this module has already loaded what it needs."""
    os.nice(NICENESS)


def zipped(work: Callable[..., bytes], *arguments: object) -> bytes:
    """The answer of another of these functions, zipped for the network."""
    return gzip.compress(work(*arguments), ZIP_LEVEL, mtime=0)


# ---- games and positions to look at ----------------------------------------------------------------------------------


def replay_of_record(text: str) -> bytes:
    """The game of a record, as a Replay in JSON."""
    record = parse_record(text, most_actions=MOST_ACTIONS)
    names = [_name_in(record, seat) for seat in range(record.start.setup.players)]
    start = position_of(record.start)
    return replay_of_transcript(Transcript(start, record.actions(), names, _colours(names), EVERYTHING, record.tags))


def replay_of_position(text: str) -> bytes:
    """A position as a game of a single moment, as a Replay in JSON."""
    names = [""] * parse_position(text).setup.players
    return replay_of_transcript(Transcript(text, [], names, _colours(names), EVERYTHING))


def replay_of_transcript(transcript: Transcript) -> bytes:
    """A game, as a Replay in JSON."""
    return transcript.replay()


def record_of_transcript(transcript: Transcript) -> bytes:
    """The record of a game. Raises Refusal if it would show what is hidden."""
    return str(transcript.record()).encode()


def scores(text: str) -> bytes:
    """What pays each seat in a position, by card, as a list of ScoreLine in JSON."""
    return msgspec.json.encode(score_lines(parse_stored_position(text)))


def explanations(text: str, place: str, key: str, seat: int | None) -> bytes:
    """What is on a hex of a position, or what a component is, as a list of ExplanationView in JSON."""
    state = parse_position(text)
    you = seat if seat in range(state.setup.players) else None
    return msgspec.json.encode(views.explanations(state, you, place, key))


def picture_of(
    position: str,
    highlight: str = "",
    coordinates: bool = False,
    names: Sequence[str] = (),
    colours: Sequence[int] = (),
) -> bytes:
    """A picture of a position as SVG; `highlight` is `legal`, or hexes such as `a1,b2`.

    With the names and colours of all seats it is the picture of a result: who has how much gold.
    """
    state = parse_position(position)
    if names or colours:
        return _result(state, list(names), list(colours)).encode()
    hexes = state.legal() & AREA if highlight == "legal" else 0
    if highlight and highlight != "legal":
        hexes = sum(1 << h for h in {parse_hex(each) for each in highlight.split(",")})
    return picture(state, highlight=hexes, coordinates=coordinates).encode()


def _result(state: State, names: list[str], colours: list[int]) -> str:
    players = state.setup.players
    if len(names) != players:
        raise Refusal(Message("{n} names: expected {expected}.", n=len(names), expected=players))
    if len(set(colours)) != players or len(colours) != players or not set(colours) <= set(range(len(SEATS))):
        raise Refusal(
            Message(
                "The colours {colours}: expected different ones from 0 to {most}.",
                colours=str(colours),
                most=len(SEATS) - 1,
            )
        )
    shown = [clean(name, NAME_LENGTH) or default_name(seat) for seat, name in enumerate(names)]
    return result_picture(state, shown, colours)


def preview(choice: SetupChoice, players: int, own: Mapping[str, Section]) -> bytes:
    """The setup that a choice leads to at a server with these sections of its own, as a Preview in JSON."""
    if choice.position is not None:
        players = parse_position(choice.position).setup.players
    start, seed = start_of(choice, players, own)
    return msgspec.json.encode(Preview(setup_view(start), view_of(start, 0), seed))


def check_of_map(text: str) -> bytes:
    """What there is to know about a map, as a MapCheck in JSON."""
    seen = inspect_map(text)
    found = seen.found
    file = (
        MapFile({found.key: found}) if isinstance(found, Section) else MapFile({}, {found.name: found} if found else {})
    )
    check = MapCheck(
        problems=[
            MapProblem(sent_sentence(each.message), each.stops, each.line, each.row, each.column)
            for each in seen.problems
        ],
        counts=[MapCount(each.letter, each.n, each.least, each.most) for each in seen.counts],
        buildable=seen.buildable,
        text=str(file) if found else "",
        section=section_info(found) if isinstance(found, Section) else None,
        board=board_text(seen.board) if seen.board and isinstance(found, DrawnMap) else "",
        rows=list(seen.board.map) if seen.board else [],
        map=map_of(seen.board.map, seen.board.location_keys, 0) if seen.board else "",
    )
    return msgspec.json.encode(check)


def _name_in(record: Record, seat: int) -> str:
    """The name of a player in a record; empty if the player did not choose one."""
    name = record.tags.get(f"Name{seat_letter(seat)}", "")
    return "" if name == default_name(seat) else name


def _colours(names: list[str]) -> list[int]:
    return list(range(len(names)))


# ---- thoughts --------------------------------------------------------------------------------------------------------


class BotTurn(NamedTuple):
    """The actions of a bot until the end of its turn, or until a card is drawn."""

    moves: list[str]
    fault: str | None
    """Why a stand-in chose some of the moves, if one did."""


def bot_turn(level: str, position: str, seed: str) -> BotTurn:
    """The turn of the bot of this level in a position."""
    seen = parse_stored_position(position)
    player = GuardedPlayer(level, seed)
    state = determinize(seen, Random(seed)) if isinstance(seen, Observation) else seen
    seat = state.player
    moves: list[str] = []
    while not state.over and not state.awaiting and state.player == seat and len(moves) < MOST_OF_A_TURN:
        if moves and len(moves) % LONG_TURN == 0:
            player.replace(f"did not end its turn in {LONG_TURN} actions")
        action = player.choose(observe(state, seat))
        moves.append(action_text(state.setup, action))
        state.apply(action)
    return BotTurn(moves, player.fault)


@lru_cache(256)
def hints(position: str) -> list[HintView]:
    """Up to three good moves for the current seat, best first; none if nobody has to move."""
    state = parse_stored_position(position)
    seen = state if isinstance(state, Observation) else observe(state, state.player)
    return [
        HintView(each.move, list(each.turn), each.gold, [sent(reason) for reason in each.reasons])
        for each in find_hints(seen)
    ]


@lru_cache(256)
def analysis(position: str, moves: tuple[str, ...]) -> TurnAnalysis:
    """What a turn gave away that begins in a position; `moves` are its single actions, draws included."""
    start = parse_position(position)
    if isinstance(start, Observation):
        raise Refusal(Message("The position hides cards: expected one in which all are known."))
    state, actions = start.copy(), list[Action]()
    for move in moves:
        if state.over or turn_of(state) != turn_of(start):
            raise Refusal(Message("{move} comes after the end of the turn: expected one turn.", move=quoted(move)))
        actions += play(state, move)
    found = analyse_turn(start, actions)
    better = found.better
    return TurnAnalysis(
        found.lost,
        round(found.accuracy, 1),
        found.mistake,
        better.ply if better else 0,
        list(better.moves) if better else [],
        [happening(event) for event in better.events] if better else [],
        [sent(reason) for reason in better.reasons] if better else [],
    )


def forecasts(positions: list[str]) -> list[list[float]]:
    """The gold that each seat can expect at the end of the game, in each position."""
    return [_forecast(position) for position in positions]


@lru_cache(4096)
def _forecast(position: str) -> list[float]:
    return forecast(parse_stored_position(position))
