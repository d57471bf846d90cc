"""Random games in numbers: all boxes, every number of players, the invariants verified after every action."""

import pytest

from kingdom_builder.arena.simulation import Plan, Result, simulate, summarize
from kingdom_builder.content import ALL_SETS


@pytest.mark.parametrize("part", range(2))
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_random_games_with_all_boxes_break_no_invariant(players: int, part: int) -> None:
    plan = Plan(games=100, players=[players], seed=100 + part, sets=ALL_SETS, checked=True)
    results = list(simulate(plan, cores=1))
    assert len(results) == 100
    assert all(len(result.gold) == players for result in results)


def test_a_shared_victory_counts_in_parts() -> None:
    results = [Result((5, 5, 1), 10, ("lords",)), Result((3, 9), 12, ("lords",))]
    summary = summarize(results)
    assert [seat.wins for seat in summary.seats] == [0.25, 0.75, 0]
    assert [seat.games for seat in summary.seats] == [2, 2, 1]
    assert summary.mean_gold_with_card == {"lords": 4.6}
