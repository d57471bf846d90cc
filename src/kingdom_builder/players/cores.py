"""The core that searches and plays out: the native one where it is in use and knows everything in play, else Python.

Both choose the same.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from kingdom_builder import native
from kingdom_builder.players.budget import Limit
from kingdom_builder.players.evaluation import Evaluator
from kingdom_builder.players.rollouts import rollout_after
from kingdom_builder.players.turn_search import GREEDY_LOOKS, GREEDY_SOURCES, LEADERS, Line, TurnSearch, greedy_step
from kingdom_builder.rules import Action, Observation, State

if TYPE_CHECKING:
    from kingdom_builder.players.native import NativeEvaluator


class FoundTurn(Protocol):
    """A whole turn that a search has found."""

    worth: float

    @property
    def state(self) -> State: ...

    def moves(self, seat: int) -> list[Action]: ...


class Search(Protocol):
    """A search for the turns from a state, in either core."""

    def run(self, leaders: int = LEADERS) -> Sequence[FoundTurn]: ...

    def completed(self, line: Any) -> FoundTurn: ...


def native_of(evaluator: Evaluator) -> "NativeEvaluator | None":
    """The evaluator in the native core; None where Python must do without it."""
    if type(evaluator) is not Evaluator or not native.is_on():
        return None
    if evaluator.native is None:
        from kingdom_builder.players.native import native_evaluator

        evaluator.native = native_evaluator(evaluator) or False
    return evaluator.native or None


def search_of(start: State, evaluator: Evaluator, searching: Limit, comparing: Limit) -> Search:
    """A search for the turns from a state; `searching` and `comparing` are the limits of `TurnSearch`."""
    fast = native_of(evaluator)
    if fast is not None and fast.knows(searching) and fast.knows(comparing):
        try:
            return fast.search(start, searching, comparing)
        except ValueError:
            pass  # a position that no game comes to
    return TurnSearch(start, evaluator, searching, comparing)


def greedy_actions(
    state: State, evaluator: Evaluator, sources: int = GREEDY_SOURCES, looks: int = GREEDY_LOOKS
) -> list[Action]:
    """The actions of `greedy_step`: none if it looks best to end the turn."""
    fast = native_of(evaluator)
    if fast is not None:
        try:
            return fast.greedy_step(fast.state(state), sources, looks)
        except ValueError:
            pass  # a position that no game comes to
    return list(greedy_step(Line((), state), evaluator, sources=sources, looks=looks).actions)


PlayOut = Callable[[Sequence[Action], int, float], list[float]]
"""Plays games after a turn, with a number of greedy turns and a seed, to their end: the gold of each seat."""


def play_out_of(seen: Observation, evaluator: Evaluator) -> PlayOut:
    """What plays games from a position to their end."""
    fast = native_of(evaluator)
    if fast is not None:
        try:
            start = fast.state(seen)
            return lambda turn, greedy_turns, seed: fast.rollout(start, turn, greedy_turns, seed)
        except ValueError:
            pass  # a position that no game comes to
    return lambda turn, greedy_turns, seed: rollout_after(seen, turn, greedy_turns, evaluator, seed)
