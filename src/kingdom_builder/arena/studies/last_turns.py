"""How much players leave on the board: last turns after which one more use of a tile would have paid.

python -m kingdom_builder.arena.studies.last_turns --help
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from kingdom_builder.content import random_setup
from kingdom_builder.hexes import bits
from kingdom_builder.players import make_player
from kingdom_builder.rules import END, USE, Action, State, observe, random_draw, scores

MOST_CHOICES = 4
"""The most actions of a use that is looked at."""


@dataclass(frozen=True)
class LastTurns:
    """What some games have shown."""

    turns: int
    """The last turns of all seats."""
    wasteful: int
    """Those after which one more use of a tile would have paid."""
    gold: int
    """What the best use of each of them would have paid."""

    def __str__(self) -> str:
        share = self.wasteful / max(1, self.turns)
        return f"{self.turns} last turns, {self.wasteful} of them ({share:.1%}) left {self.gold} gold"


def uses(state: State) -> Iterator[tuple[tuple[Action, ...], State]]:
    """All ways to use a tile once, and the state after each."""
    stack: list[tuple[tuple[Action, ...], State]] = [((), state)]
    while stack:
        actions, at = stack.pop()
        for action in bits(at.legal()):
            if (action < USE and not actions) or action == END:
                continue
            after = at.copy()
            after.apply(action)
            if at.source is not None and after.source == action and after.own == at.own:
                continue  # another piece instead of the last one
            if after.awaiting or after.over or not (after.acting or after.adjacency_lifted):
                yield (*actions, action), after
            elif len(actions) + 1 < MOST_CHOICES:
                stack.append(((*actions, action), after))


def paying_uses(state: State) -> dict[tuple[Action, ...], int]:
    """The uses of one tile that would bring the current seat more gold and put it further ahead, and how much gold."""
    seat = state.player
    before = scores(state)
    found = {}
    for actions, after in uses(state):
        gold = scores(after)
        gain = gold[seat] - before[seat]
        if gain > 0 and gain > _most_of_others(gold, seat) - _most_of_others(before, seat):
            found[actions] = gain
    return found


def _most_of_others(gold: Sequence[int], seat: int) -> int:
    return max([each for other, each in enumerate(gold) if other != seat])


def look_at(name: str, games: int, sets: Sequence[str] = ("base",), players: int = 2) -> LastTurns:
    """The last turns of games of a player against itself."""
    turns = wasteful = left = 0
    for game in range(games):
        rng = Random(f"last turns {game}")
        state = State(random_setup(rng, players, sets=sets))
        bots = [make_player(name, f"{game}/{seat}") for seat in range(players)]
        while not state.over:
            if state.awaiting:
                state.apply(random_draw(state, rng.random))
                continue
            action = bots[state.player].choose(observe(state, state.player))
            if action == END and state.ending:
                most = max(paying_uses(state).values(), default=0)
                turns += 1
                wasteful += most > 0
                left += most
            state.apply(action)
    return LastTurns(turns, wasteful, left)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--player", default="hard:400n", help="the player of all seats (default: %(default)s)")
    parser.add_argument("--games", type=int, default=100, help="default: %(default)s")
    parser.add_argument("--players", type=int, default=2, help="seats in each game (default: %(default)s)")
    parser.add_argument("--sets", default="base", help="sets in use, with commas between (default: %(default)s)")
    arguments = parser.parse_args()
    print(look_at(arguments.player, arguments.games, arguments.sets.split(","), arguments.players))


if __name__ == "__main__":
    main()
