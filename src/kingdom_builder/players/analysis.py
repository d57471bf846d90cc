"""What the turns of a game gave away: each is compared with the best turn that a search finds for its seat.

A seat is judged by what it could know. Where a card is drawn within a turn, the turn is judged in stretches: what was
chosen before the draw, and what was chosen after it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import thread_time
from typing import Literal

from kingdom_builder.game import Game, PlayedTurn
from kingdom_builder.message import Message
from kingdom_builder.notation import join_moves
from kingdom_builder.players.budget import Budget, Limit
from kingdom_builder.players.cores import FoundTurn, search_of
from kingdom_builder.players.evaluation import Evaluator
from kingdom_builder.players.hints import reasons
from kingdom_builder.players.turn_search import Line, TurnSearch
from kingdom_builder.rules import DRAWN, END, Action, Event, State, Turn, events, observe, turn_of

POSITIONS = 4000
"""Positions to evaluate for a stretch."""

SECONDS = 1.0
"""CPU time that a turn may take: a limit for maps with hundreds of tiles, as in `hints.py`."""

HALVED = 4.0
"""The gold lost in a turn that halves its accuracy."""

Mistake = Literal["", "slip", "mistake", "blunder"]
"""What a turn is called; empty if it lost little."""

MISTAKES: dict[Mistake, float] = {"blunder": 8.0, "mistake": 4.0, "slip": 2.0}
"""The gold that a turn must lose to be called so, the worst first."""


@dataclass(frozen=True)
class BetterLine:
    """The best way found to play a stretch of a turn."""

    ply: int
    """The number of actions in the game before it."""
    moves: tuple[str, ...]
    """In notation, such as `paddock:k7-m7`; a turn that ends there has `.` as the last."""
    events: tuple[Event, ...]
    """What these moves do."""
    reasons: tuple[Message, ...]
    """What they are good for, most important first; each is a part of a sentence."""


@dataclass(frozen=True)
class TurnAnalysis:
    """A turn, and what it gave away."""

    turn: Turn
    ply: int
    """The number of actions in the game before the turn."""
    moves: tuple[str, ...]
    """What was played, in notation, without draws."""
    lost: float
    """By how much gold the seat could expect a larger lead after the best turn found; 0 if none was better."""
    better: BetterLine | None
    """The best way to play the stretch that lost most; None if nothing was lost."""

    @property
    def mistake(self) -> Mistake:
        """What the turn is called if it lost much."""
        for name, least in MISTAKES.items():
            if self.lost >= least:
                return name
        return ""

    @property
    def accuracy(self) -> float:
        """100 for a turn that lost nothing, 50 for one that lost `HALVED` gold."""
        return accuracy_of(self.lost)


def accuracy_of(lost: float) -> float:
    """100 for nothing lost; half of that for every `HALVED` gold.

    >>> [round(accuracy_of(lost)) for lost in (0, 1, 4, 8)]
    [100, 84, 50, 25]
    """
    return float(100 * 0.5 ** (lost / HALVED))


def accuracy(turns: Sequence[TurnAnalysis], seat: int) -> float | None:
    """The mean accuracy of a seat's turns; None if it had none."""
    own = [each.accuracy for each in turns if each.turn.seat == seat]
    return sum(own) / len(own) if own else None


def analyse_game(game: Game) -> Iterator[TurnAnalysis]:
    """The turns of a game one after the other, but for those without a decision."""
    for turn in decided_turns(game):
        yield analyse_turn(game.state_at(turn.begin), game.actions()[turn.begin : turn.end], turn.begin)


def decided_turns(game: Game) -> list[PlayedTurn]:
    """The turns in which a seat decided something; the last one of a game that goes on only if it is over."""
    turns = game.turns() if game.over else game.turns()[:-1]
    actions = game.actions()
    return [turn for turn in turns if any(action not in DRAWN for action in actions[turn.begin : turn.end])]


def analyse_turn(start: State, actions: Sequence[Action], ply: int = 0) -> TurnAnalysis:
    """What a turn gave away that began after `ply` actions of a game; `actions` are all of the turn, with its draws."""
    state = start.copy()
    evaluator, until = Evaluator(state.setup), thread_time() + SECONDS
    lost, most, better = 0.0, 0.0, None
    moves: list[str] = []
    turn: Turn | None = None
    number = 0
    while number < len(actions):
        if actions[number] in DRAWN:
            state.apply(actions[number])
            number += 1
            continue
        turn = turn or turn_of(state)
        length = _length(actions[number:])
        stretch = actions[number : number + length]
        loss, best = _compare(state, stretch, evaluator, until)
        lost += loss
        if best is not None and loss > most:
            most = loss
            better = _better_line(best, state, ply + number)
        moves += join_moves(state, stretch)
        for action in stretch:
            state.apply(action)
        number += length
    return TurnAnalysis(turn or turn_of(start), ply, tuple(moves), round(lost, 1), better)


def _length(actions: Sequence[Action]) -> int:
    """The number of actions before the next draw."""
    return next((number for number, action in enumerate(actions) if action in DRAWN), len(actions))


def _compare(
    state: State, played: Sequence[Action], evaluator: Evaluator, until: float
) -> tuple[float, FoundTurn | None]:
    """What a stretch lost against the best found, and that one; None if nothing better was found."""
    start = observe(state, state.player).until_next_draw()
    after = start.copy()
    actions = played[:-1] if played[-1] == END else played
    for action in actions:
        after.apply(action)
    line = Line(tuple(actions), after)
    searching = Limit(Budget(nodes=POSITIONS), until=until, clock=thread_time)
    comparing = Limit(until=until, clock=thread_time)
    best = search_of(start, evaluator, searching, comparing).run()[0]
    loss = best.worth - TurnSearch(start, evaluator, searching).lead_after(line)
    return (loss, best) if loss > 0 else (0.0, None)


def _better_line(best: FoundTurn, state: State, ply: int) -> BetterLine:
    start = observe(state, state.player).until_next_draw()
    actions = best.moves(start.player)
    happened: list[Event] = []
    after = start.copy()
    for action in actions:
        if action == END:
            break
        before = after.copy()
        after.apply(action)
        happened += events(before, action, after)
    return BetterLine(ply, tuple(join_moves(start, actions)), tuple(happened), tuple(reasons(start, best)))
