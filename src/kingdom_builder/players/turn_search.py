"""The search for whole turns, up to their end or the next draw, by a beam that widens."""

from collections.abc import Callable, Iterator
from heapq import nlargest
from operator import itemgetter
from random import Random

from kingdom_builder.hexes import AREA, BIT, SIZE, Hex, bits
from kingdom_builder.players.evaluation import Evaluator, lead
from kingdom_builder.rules import CHOSEN, END, USE, Action, State, random_draw

WIDTHS = (1, 3, 8, 20, 50, 120, 300, 1000)
"""The number of lines that are followed at the same time, for each sweep of the search."""

SOURCES, LOOKS = 5, 12
"""How many pieces are tried as the one to move with a tile, and how many ways to use a tile are evaluated."""

MOST_QUIET = 5
"""The most actions that may prepare another one, so that no chain of choices is endless."""

MOST_WAYS = 4_000
"""The most ways to use a tile that are considered; on printed boards there are about 300 at most with some of the
pieces, and about 1,800 with all."""

MOST_STEPS = 1_000
"""The most steps of a greedy turn, and the most draws and turns of a game of greedy turns. No game has as many, but
positions written by hand may."""

LEADERS = 40
"""Whole turns that are compared by what they leave to the opponents too."""

GREEDY_SOURCES, GREEDY_LOOKS = 2, 6
"""How many pieces to move are tried, and how many positions are evaluated, in a step of a greedy turn."""


class Line:
    """Some actions of a turn and the state after them."""

    __slots__ = ("actions", "children", "prospect", "state", "worth")

    def __init__(self, actions: tuple[Action, ...], state: State) -> None:
        self.actions = actions
        self.state = state
        self.worth = 0.0
        """The worth of stopping here."""
        self.prospect = 0.0
        """The worth of going on from here."""
        self.children: list[Line] | None = None
        """The lines that go on from here, once they are known."""

    def can_end(self) -> bool:
        """Whether the turn may be ended here."""
        return bool(self.state.legal() >> END & 1)

    def is_over(self, seat: int) -> bool:
        """Whether the seat has nothing to choose here: a card is to be drawn, or the turn is over."""
        state = self.state
        return state.awaiting is not None or state.over or state.player != seat

    def moves(self, seat: int) -> list[Action]:
        """The actions, with the end of the turn if it is due."""
        return list(self.actions) if self.is_over(seat) else [*self.actions, END]


def unlimited(positions: int = 1) -> bool:
    """Always True: there is no limit."""
    return True


def steps(
    line: Line,
    evaluator: Evaluator,
    sources: int,
    looks: int,
    built: set[object],
    spend: Callable[[int], bool] = unlimited,
) -> Iterator[Line]:
    """The ways to change the board, or to get to a draw, with as few actions as possible; not evaluated yet.

    Settlements of the mandatory action that were already built in another order are left out: `built` has them. Of the
    pieces that an action can move, it tries `sources`, those that matter least where they stand; of the ways to use a
    tile it tries `looks`, those with the best quick score. After a card is chosen, a settlement comes first. When
    `spend` returns False, the search for ways ends.
    """
    state, seat = line.state, line.state.player
    actions = bits(state.legal() & ~(1 << END))
    if state.acting is None and not state.setup.on_built:  # otherwise the order may matter
        rest = (state.builds_left, state.ready, state.held[seat], state.card)
        own, free = state.own[seat], state.free
        results = {action: (own | BIT[action], free ^ BIT[action], rest) for action in actions if action < END}
        actions = [action for action in actions if results.get(action) not in built]
        built.update(results.values())
    done, prepared, lifted = _follow(line, actions)
    if len(lifted) <= sources:
        prepared += lifted
    else:
        done += _best_moves(lifted, evaluator, looks)
    yield from done
    found = bool(done)
    for start in prepared:
        if found and not spend(0):
            return
        found = True
        if start.actions[-1] in CHOSEN and start.state.acting is None and start.state.legal() & AREA:
            done, _, _ = _follow(start, bits(start.state.legal() & AREA))
            yield from done
            continue
        ways = _ways(start, evaluator, sources, looks)
        if len(ways) > looks:
            ways = nlargest(looks, ways, key=lambda way: evaluator.quick_score(way.state, seat))
        yield from ways


def _ways(start: Line, evaluator: Evaluator, sources: int, looks: int) -> list[Line]:
    """The ways to go on until the board changes, after an action that only prepares the change.

    If more than `sources` pieces can be moved, only the `looks` moves that promise most are among them.
    """
    ways: list[Line] = []
    stack = [start]
    while stack and len(ways) < MOST_WAYS:
        at = stack.pop()
        done, prepared, lifted = _follow(at, bits(at.state.legal() & ~(1 << END)))
        ways += done
        if len(at.actions) - len(start.actions) + 1 < MOST_QUIET:
            stack += prepared
            if at.state.source is not None:
                continue  # choosing another piece instead of the last one would go round in circles
            if len(lifted) <= sources:
                stack += lifted
            else:
                ways += _best_moves(lifted, evaluator, looks)
    return ways


def _follow(at: Line, actions: list[Action]) -> tuple[list[Line], list[Line], list[Line]]:
    """The lines with one more action: those that change the board, those that only prepare a change, and among these
    those that chose the piece to move."""
    state = at.state
    done: list[Line] = []
    prepared: list[Line] = []
    lifted: list[Line] = []
    for action in actions:
        after = state.copy()
        after.apply(action)
        new = Line((*at.actions, action), after)
        if not _is_quiet(state, action, after):
            done.append(new)
        elif after.source == action:
            lifted.append(new)
        else:
            prepared.append(new)
    return done, prepared, lifted


def _best_moves(lifted: list[Line], evaluator: Evaluator, looks: int) -> list[Line]:
    """The moves of chosen pieces that promise most, best first: each has the worth without the piece where it stood,
    and the worth with one more piece at the target."""
    gains: dict[Hex, float] = {}
    moves: list[tuple[float, Line, Hex]] = []
    for line in lifted:
        state, seat = line.state, line.state.player
        without = evaluator.worth_without(state, seat, line.actions[-1])
        for target in bits(state.legal() & AREA & ~state.own[seat]):
            if target not in gains:
                gains[target] = evaluator.worth_with(state, seat, target)
            moves.append((without + gains[target], line, target))
    best: list[Line] = []
    for _, line, target in nlargest(looks, moves, key=itemgetter(0)):
        after = line.state.copy()
        after.apply(target)
        best.append(Line((*line.actions, target), after))
    return best


def _is_quiet(before: State, action: Action, after: State) -> bool:
    """Whether an action only prepares another one: it chose a tile, a card or the piece to move."""
    if after.awaiting or not (after.acting is not None or after.adjacency_lifted):
        return action in CHOSEN and not after.awaiting
    if after.own != before.own or after.free != before.free:
        return False
    return after.memory == before.memory or action >= USE  # the Bazaar remembers what it repeats


def greedy_step(
    line: Line,
    evaluator: Evaluator,
    spend: Callable[[int], bool] = unlimited,
    sources: int = GREEDY_SOURCES,
    looks: int = GREEDY_LOOKS,
) -> Line:
    """The line with the action that looks best right now; the same line if it looks best to end the turn.

    Settlements of the mandatory action come first, then tiles as long as that pays and `spend` returns True. Of all
    positions it evaluates `looks`, those with the best quick scores.
    """
    state, seat = line.state, line.state.player
    if state.builds_left and state.acting is None and state.legal() & AREA:
        lines, _, _ = _follow(line, bits(state.legal() & AREA))
    else:
        lines = list(steps(line, evaluator, sources, GREEDY_LOOKS, set(), spend))
    if len(lines) > looks:
        lines = nlargest(looks, lines, key=lambda line: evaluator.quick_score(line.state, seat))
    for new in lines:
        new.worth = evaluator.worth(new.state, seat) + evaluator.pending(new.state)
    best = max(lines, key=lambda line: line.worth, default=line)
    if state.legal() >> END & 1 and evaluator.worth(state, seat) >= best.worth:
        return line
    return best


def greedy_turn(start: State, evaluator: Evaluator, spend: Callable[[int], bool] = unlimited) -> Line:
    """A whole turn of greedy steps, up to its end or a draw; once `spend` returns False, up to where it may end."""
    line = Line((), start)
    for number in range(MOST_STEPS):
        if line.is_over(start.player) or (number and line.can_end() and not spend(0)):
            break
        next_line = greedy_step(line, evaluator, spend)
        if next_line is line:
            break
        line = next_line
    return line


def play_greedy_turns(state: State, evaluator: Evaluator, turns: int, rng: Random) -> State:
    """The state after this many greedy turns, whoever plays them, or at the end of the game."""
    for _ in range(MOST_STEPS):
        if not turns or state.over:
            break
        if state.awaiting:
            state.apply(random_draw(state, rng.random))
            continue
        line = greedy_turn(state, evaluator)
        over = line.is_over(state.player)
        state = line.state
        if not over:
            state.apply(END)
            turns -= 1
    return state


class TurnSearch:
    """The search for good turns from one state, for the current seat."""

    def __init__(
        self,
        start: State,
        evaluator: Evaluator,
        spend: Callable[[int], bool],
        comparing: Callable[[int], bool] = unlimited,
    ) -> None:
        """`spend` is called with 1 before a line is followed and before a position is evaluated, and with 0 for a known
        position; once it returns False, the search ends. `comparing` is called likewise while the turns that were found
        are compared."""
        self.seat = start.player
        self.evaluator = evaluator
        self.spend = spend
        self.comparing = comparing
        self.root = Line((), start)
        self.found: list[Line] = []
        """The whole turns that were found."""
        self._known: set[object] = set()
        self._built: set[object] = set()

    def run(self, leaders: int = LEADERS) -> list[Line]:
        """The best whole turns that lead to different positions, best first.

        The `leaders` best turns for the seat are compared by what they leave to the opponents: the first in any case,
        the others until the limit is reached.
        """
        self._add(greedy_turn(self.root.state, self.evaluator, self.spend))
        if self.root.can_end():
            self._add(self.root)
        for width in WIDTHS:
            if not self._sweep(width):
                break
        results: dict[object, Line] = {}
        for line in sorted(self.found, key=lambda line: -line.worth):
            state = line.state
            results.setdefault((state.own[self.seat], state.free, state.awaiting), line)
            if len(results) == leaders:
                break
        compared: list[Line] = []
        for line in results.values():
            if compared and not self.comparing(1):
                break
            line.worth = self.lead_after(line)
            compared.append(line)
        compared = sorted(compared, key=lambda line: -line.worth)
        compared[0] = self.completed(compared[0])
        return compared

    def completed(self, line: Line) -> Line:
        """In a last turn, the line with the further uses of tiles that pay, of which all are tried until the limit is
        reached; else the same line."""
        while line.state.ending and line.can_end() and self.comparing(1):
            gold = self.evaluator.gold(line.state, self.seat)
            best = line
            for new in list(steps(line, self.evaluator, SIZE, MOST_WAYS, set(), lambda positions: self.comparing(1))):
                ends = new.can_end() or new.is_over(self.seat)
                if ends and self.evaluator.gold(new.state, self.seat) > gold and self.comparing(0):
                    new.worth = self.lead_after(new)
                    if new.worth > best.worth:
                        best = new
            if best is line:
                break
            line = best
        return line

    def lead_after(self, line: Line) -> float:
        """By how much the seat can expect to be ahead at the end after a whole turn."""
        return lead(self.evaluator, line.state, self.seat) + self._interrupted(line)

    def _add(self, line: Line) -> None:
        line.worth = self.evaluator.worth(line.state, self.seat) + self._interrupted(line)
        self.found.append(line)

    def _interrupted(self, line: Line) -> float:
        """What may come after the end of a line: nothing, unless a draw interrupts the turn."""
        return self.evaluator.left_to_do(line.state) if line.is_over(self.seat) else 0.0

    def _sweep(self, width: int) -> bool:
        """Search with one width. Returns False if the budget is spent."""
        frontier = [self.root]
        while frontier:
            children: list[Line] = []
            for line in frontier:
                if line.children is None and not self._expand(line):
                    return False
                assert line.children is not None
                children += line.children
            frontier = nlargest(width, children, key=lambda line: line.prospect)
        return True

    def _expand(self, line: Line) -> bool:
        """Find and evaluate the lines that go on from a line. Returns False if the budget is spent."""
        if not self.spend(1):
            return False  # if no line goes on from here, nothing below checks the clock
        seat = self.seat
        children: list[Line] = []
        for new in steps(line, self.evaluator, SOURCES, LOOKS, self._built, self.spend):
            state = new.state
            key = (
                state.own[seat],
                state.free,
                state.builds_left,
                state.ready,
                state.held[seat],
                state.acting,
                state.source,
                state.steps,
                state.card,
                state.awaiting,
                frozenset(state.memory.items()),
            )
            is_known = key in self._known
            if not self.spend(0 if is_known else 1):
                return False
            if is_known:
                continue
            self._known.add(key)
            new.worth = self.evaluator.worth(state, seat)
            new.prospect = new.worth + self.evaluator.left_to_do(state)
            if new.is_over(seat):
                new.worth = new.prospect
                self.found.append(new)
                continue
            if new.can_end():
                self.found.append(new)
            children.append(new)
        line.children = children
        return True
