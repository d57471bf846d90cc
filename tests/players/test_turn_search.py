"""What the thinking players rely on: the search of turns, the memory of the evaluator, games played out."""

import gc
from collections.abc import Callable, Iterator
from itertools import pairwise
from random import Random
from statistics import mean
from typing import Any

import pytest
from test_players import TABLES, midgame, start

from kingdom_builder.hexes import AREA, SIZE, bits
from kingdom_builder.players import make_player, random_rollout, rollouts, turn_search
from kingdom_builder.players.budget import Budget
from kingdom_builder.players.evaluation import Evaluator, lead
from kingdom_builder.players.expert import CANDIDATES, diverse
from kingdom_builder.players.hard import HardPlayer
from kingdom_builder.players.rollouts import Rollouts
from kingdom_builder.players.turn_search import LEADERS, Line, TurnSearch, greedy_turn, steps
from kingdom_builder.rules import Action, State, determinize, observe, random_draw, scores
from kingdom_builder.rules.state import MANDATORY


def searched(state: State, nodes: int = 600, leaders: int = LEADERS) -> tuple[TurnSearch, list[Line]]:
    search = TurnSearch(state, Evaluator(state.setup), Budget(nodes=nodes).spend)
    return search, search.run(leaders)


@pytest.mark.parametrize("seed", [0, 2, 3])
def test_turns_differ_and_are_all_compared_by_their_lead(seed: int) -> None:
    state = midgame(seed, actions=50 + 20 * seed)
    search, lines = searched(state)
    results = [(line.state.own[state.player], line.state.free, line.state.awaiting) for line in lines]
    assert 1 < len(set(results)) == len(results) <= LEADERS
    assert lines == sorted(lines, key=lambda line: -line.worth)
    evaluator = search.evaluator
    for line in lines:
        more = evaluator.left_to_do(line.state) if line.is_over(state.player) else 0.0
        assert line.worth == pytest.approx(lead(evaluator, line.state, state.player) + more)


def test_turns_for_whose_comparison_there_is_no_time_are_left_out() -> None:
    """They would be judged on another scale."""
    state = midgame(2)
    _, compared = searched(state)
    for most in (0, 1, 5):
        search = TurnSearch(state, Evaluator(state.setup), Budget(nodes=600).spend)
        lines = search.run(spend=Budget(nodes=most).spend if most else lambda: False)
        assert len(lines) == most + 1 < len(compared)
        assert {line.worth for line in lines} <= {line.worth for line in compared}


def test_every_way_to_build_three_is_found_whatever_the_order() -> None:
    states = [midgame(seed, actions=30) for seed in range(60)]
    state = next(s for s in states if s.builds_left == 3 and not s.ready and 5 < s.legal().bit_count() < 12)
    seat = state.player
    layer = [state]
    for _ in range(3):
        after = {}
        for each in layer:
            for action in [a for a in range(each.legal().bit_length()) if each.legal() >> a & 1]:
                new = each.copy()
                new.apply(action)
                after[new.own[seat]] = new
        layer = list(after.values())
    reachable = set(after)
    search, _ = searched(state, 100_000)
    assert {line.state.own[seat] for line in search.found} == reachable
    assert len(reachable) > 20


def test_the_search_looks_at_the_clock_at_each_line_known_or_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where several orders of tiles lead to known positions, many lines in a row bring nothing to judge."""
    calls: list[str] = []

    def spend(positions: int) -> bool:
        calls.append("look")
        return len(calls) < 4000

    def noted_steps(*arguments: Any) -> Iterator[Line]:
        calls.append("follow")
        for line in steps(*arguments):
            calls.append("find")
            yield line

    def unnoted_greedy_turn(*arguments: Any) -> Line:
        line = greedy_turn(*arguments)
        calls.clear()
        return line

    monkeypatch.setattr(turn_search, "steps", noted_steps)
    monkeypatch.setattr(turn_search, "greedy_turn", unnoted_greedy_turn)
    longest = 0
    for seed in range(3):
        state = midgame(seed, actions=120)
        TurnSearch(state, Evaluator(state.setup), spend).run()
        assert {("follow", "follow"), ("find", "find"), ("find", "follow")}.isdisjoint(pairwise(calls))
        longest = max(longest, len(calls))
    assert longest > 100


@pytest.mark.parametrize(("players", "sets"), TABLES)
def test_the_judgement_remembers_nothing_wrong(players: int, sets: tuple[str, ...]) -> None:
    """An evaluator that has seen many positions says the same as a new one."""
    state = start(players, sets)
    rng = Random(3)
    old = Evaluator(state.setup)
    positions = 0
    while not state.over:
        if state.awaiting:
            state.apply(random_draw(state, rng.random))
            continue
        legal = [action for action in range(state.legal().bit_length()) if state.legal() >> action & 1]
        state.apply(rng.choice(legal))
        for seat in range(players):
            assert old.worth(state, seat) == Evaluator(state.setup).worth(state, seat)
            positions += 1
    assert positions > 100


@pytest.fixture
def thoughts(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """For each thought of players that search, whether there was something to spend on it."""
    noted: list[bool] = []

    def noted_thought(player: HardPlayer, state: State) -> list[Action]:
        noted.append(player.budget.spend(0))
        return think(player, state)

    think = HardPlayer.think
    monkeypatch.setattr(HardPlayer, "think", noted_thought)
    return noted


@pytest.mark.parametrize(("players", "sets"), TABLES)
def test_a_turn_is_thought_through_once_unless_a_card_is_drawn(
    players: int, sets: tuple[str, ...], thoughts: list[bool]
) -> None:
    """Also if there is nothing to choose for a while: the rest of the plan remains."""
    state = start(players, sets)
    rng = Random(1)
    bots = [make_player("hard:30n", seat) for seat in range(players)]
    draws = planned = 0
    while not state.over:
        if state.awaiting:
            state.apply(random_draw(state, rng.random))
            draws += 1
            continue
        before = len(thoughts)
        state.apply(bots[state.player].choose(observe(state, state.player)))
        planned += len(thoughts) == before
    assert len(thoughts) <= draws
    assert planned > len(thoughts)


def test_a_turn_that_begins_with_a_forced_move_has_all_its_thought(thoughts: list[bool]) -> None:
    states = (midgame(seed, actions=actions) for seed in range(200) for actions in (20, 30, 40))
    state = next(s for s in states if s.builds_left == MANDATORY and s.legal().bit_count() == 1)
    player = HardPlayer(Random(0), Budget(nodes=20))
    player.budget.spend(1000)  # by the turn before
    while state.legal().bit_count() == 1:
        state.apply(player.choose(observe(state, state.player)))
    assert state.builds_left
    player.choose(observe(state, state.player))
    assert thoughts == [True]


def test_the_evaluation_counts_gold_that_is_not_on_the_board() -> None:
    state = midgame(2, sets=("base", "nomads"))
    assert "shepherds" in [card.key for card in state.setup.scoring]
    evaluator = Evaluator(state.setup)
    before = evaluator.gold(state, 0)
    state.add_for("shepherds", 0, 3)
    assert evaluator.gold(state, 0) == before + 3


@pytest.mark.parametrize(("players", "sets"), TABLES)
def test_games_of_every_set_are_played_out(players: int, sets: tuple[str, ...]) -> None:
    for seed in range(3):
        state = midgame(seed, players, sets)
        quick = Rollouts(Evaluator(state.setup))
        ended = state.copy()
        gold = quick.play_out(ended, Random(seed))
        assert ended.over
        assert gold == quick.play_out(state.copy(), Random(seed))
        unused = [counted - final for counted, final in zip(gold, scores(ended), strict=True)]
        assert all(0 <= worth < 60 for worth in unused)  # the worth of tiles that were not used


def test_a_game_is_played_out_better_than_at_random() -> None:
    played, at_random = [], []
    for seed in range(6):
        state = start(2, seed=seed)
        ended = state.copy()
        Rollouts(Evaluator(state.setup)).play_out(ended, Random(seed))
        played += scores(ended)
        random_rollout(state, Random(seed).random)
        at_random += scores(state)
    assert mean(played) > 1.2 * mean(at_random)


@pytest.mark.parametrize(("players", "sets"), TABLES)
def test_settlements_of_games_played_out_go_where_most_attracts_them(players: int, sets: tuple[str, ...]) -> None:
    looked = 0
    for seed in range(6):
        state = midgame(seed, players, sets)
        legal = state.legal() & AREA
        if state.acting is not None or legal.bit_count() < 2:
            continue
        quick = Rollouts(Evaluator(state.setup))
        attractions = list(quick._attractions(state))
        sums = {h: sum(weight for weight, hexes in attractions if hexes >> h & 1) for h in bits(legal)}
        for tie_break in (0, 200, SIZE - 1):
            assert sums[quick._hex(state, legal, tie_break)] == max(sums.values())
            looked += 1
    assert looked


def test_with_the_same_chance_the_same_cards_come_whatever_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    """That makes games played out from different turns comparable."""
    drawn: list[list[float]] = []

    def noted_draw(state: State, random: Callable[[], float]) -> int:
        number = random()
        drawn[-1].append(number)
        return random_draw(state, lambda: number)

    monkeypatch.setattr(rollouts, "random_draw", noted_draw)
    state = next(each for each in map(midgame, range(9)) if (each.legal() & AREA).bit_count() > 1 and not each.acting)
    hexes = bits(state.legal() & AREA)
    for built in (hexes[0], hexes[-1]):
        drawn.append([])
        after = state.copy()
        after.apply(built)
        Rollouts(Evaluator(state.setup)).play_out(after, Random(7))
    shared = min(map(len, drawn))
    assert shared > 5
    assert drawn[0][:shared] == drawn[1][:shared]


@pytest.mark.parametrize("enabled", [True, False])
def test_a_thought_leaves_garbage_collection_as_it_was(enabled: bool) -> None:
    try:
        gc.enable() if enabled else gc.disable()
        state = midgame(2)
        make_player("hard:50n", 1).choose(observe(state, state.player))
        assert gc.isenabled() == enabled
    finally:
        gc.enable()


def test_of_the_candidates_half_differ_by_more_than_a_settlement() -> None:
    state = midgame(2)
    _, lines = searched(state, 1000, 200)
    chosen = diverse(lines, state.player)
    assert chosen[0] is lines[0]
    assert len(chosen) == CANDIDATES
    owns = [line.state.own[state.player] for line in chosen]
    alike = [own for i, own in enumerate(owns) if any((own ^ other).bit_count() <= 2 for other in owns[:i])]
    assert len(alike) <= CANDIDATES // 2


def test_an_expert_that_plays_games_out_repeats_itself_and_knows_nothing_hidden() -> None:
    state = midgame(4)
    others = [determinize(observe(state, state.player), Random(shuffle)) for shuffle in range(2)]
    assert len({tuple(other.hands) for other in others}) > 1
    chosen = {make_player("expert:5300n", 7).choose(observe(other, other.player)) for other in (state, *others)}
    assert len(chosen) == 1
