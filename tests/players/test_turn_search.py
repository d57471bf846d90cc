"""What the thinking players rely on: the search of turns, the memory of the evaluator, games played out."""

import gc
from collections.abc import Callable, Iterator
from itertools import pairwise
from random import Random
from statistics import mean
from typing import Any

import pytest
from test_players import TABLES, midgame, start

from kingdom_builder.arena.studies.last_turns import look_at, paying_uses
from kingdom_builder.hexes import AREA, SIZE, bits
from kingdom_builder.notation import parse_position
from kingdom_builder.players import make_player, random_rollout, rollouts, turn_search
from kingdom_builder.players.budget import Budget, Limit
from kingdom_builder.players.cores import search_of
from kingdom_builder.players.evaluation import Evaluator, lead
from kingdom_builder.players.expert import ExpertPlayer, diverse
from kingdom_builder.players.hard import HardPlayer
from kingdom_builder.players.hints import find_hints
from kingdom_builder.players.rollouts import Rollouts
from kingdom_builder.players.turn_search import LEADERS, LOOKS, SOURCES, Line, TurnSearch, greedy_turn, steps
from kingdom_builder.rules import END, USE, Action, Observation, State, determinize, observe, random_draw, scores
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
        comparing = Budget(nodes=most).spend if most else lambda positions: False
        search = TurnSearch(state, Evaluator(state.setup), Budget(nodes=600).spend, comparing)
        lines = search.run()
        assert len(lines) == most + 1 < len(compared)
        assert {line.worth for line in lines} <= {line.worth for line in compared}


LAST_TURN = (
    "tower/farm/paddock'/oracle farmers,discoverers,knights - 1210120 C1D1G1T2 GTGCFGFTTCDFDDCGFFC 10B!/D/3/- "
    "0:k1,l1,m1,o2,p2,o3,m4,n4,m5,o5,d6,e6,k6,l6,n6,c7,d7,e7,i7,j7,k7,l7,m7,n7,o7,p7,k8,l8,j11,k11,k12,l12,m12,l13,j14,"
    "k15,j16,a18,a19,a20:m6,c8,i14,b18:? 1:p1,q1,r1,s1,t1,q2,s2,t2,r3,r4,a5,b5,c5,d5,e5,s5,a6,a7,a8,b8,b9,b10,e10,f10,"
    "c11,d11,e11,b12,c12,d12,e12,d13,b14,c14,b15,a16,a17,b17,c17:r2,c8,b18:D"
)
"""The last turn of B, who can win 3 gold by giving up a piece that costs as much as many others."""


@pytest.mark.parametrize("name", ["greedy", "hard:60n", "hard:500n", "expert:2000n", "master:9000n"])
def test_the_piece_that_gains_most_is_moved(name: str) -> None:
    seen = parse_position(LAST_TURN)
    assert isinstance(seen, Observation)
    state = seen.until_next_draw()
    player = make_player(name, 1)
    while True:
        action = player.choose(observe(state, state.player))
        if action == END:
            break
        state.apply(action)
    assert scores(state)[1] == 37


def test_a_hint_moves_the_piece_that_gains_most() -> None:
    hint = find_hints(observe(parse_position(LAST_TURN), 1))[0]
    assert hint.gold == 37
    assert "paddock:f10-g8" in hint.turn


def test_greedy_looks_at_all_hexes_that_it_may_build_on() -> None:
    """It looked at six only, with the most gold now, and missed tiles: in three of five games it began without one."""
    for seed in range(20):
        state = midgame(seed, actions=seed)
        while state.awaiting or not (state.builds_left and state.acting is None and state.legal() & AREA):
            state.apply(random_draw(state, Random(seed).random) if state.awaiting else bits(state.legal())[0])
        evaluator, seat = Evaluator(state.setup), state.player

        def worth_after(
            action: Action, state: State = state, seat: int = seat, evaluator: Evaluator = evaluator
        ) -> float:
            after = state.copy()
            after.apply(action)
            return evaluator.worth(after, seat) + evaluator.pending(after)

        chosen = make_player("greedy", seed).choose(observe(state, seat))
        assert worth_after(chosen) == max(map(worth_after, bits(state.legal() & AREA)))


SEVERAL_TILES = (
    "barn'/harbor/tavern'/paddock' farmers,miners,lords - 0000000 C5D4F5G5T5 - 12B!/D/0/- 0:h3,b4,e4,f4,e5,g5,d6,"
    "e6,m6,n6,p6,d7,t7,o8,r8,t8,n9,o9,s9,o10,c12,g12,d13,h13,n13,d14,l14,m14,l15,n15,p15,l16,p16,r16,p17,d18,e18,"
    "g18,g19,e20:h4,d8,q8,c14,h14,s14-,l18-:? 0:h5,q5,h6,i6,l6,k7,q7,s7,g8,m8,p8,e9,f9,g9,h9,i9,j9,k9,q9,p10,n12,"
    "e14,j14,c15,d15,f15,j15,t15,a16,s16,t16,c17,d17,h17,s17,k18,r18,q19,r19,r20:h4*,d8,q8,c14,h14-,s14-,l18:D"
)
"""B can move many pieces for 3 gold that the Lords pay A too, and two of them for 1 gold that they do not."""

MANY_WAYS = (
    "paddock'/tavern/oasis'/harbor' hermits,lords,fishermen - 1010202 C3D5F5G3T5 GCC 14A!/G/0/- 0:l3,k4,o4,o5,q5,"
    "j6,l6,n6,p7,c8,d8,m8,o8,f9,l9,o9,p9,a10,b10,c10,d10,f10,i10,j10,m10,p10,h12,k12,m12,q12,b13,q13,r13,g14,f15,"
    "i15,r15,g17,i18,g19:m7-,r7-,b8*,n13:G 1:e1,h1,m1,b2,e2,g3,i3,k3,n3,o3,b4,e4,l4,d5,h5,k5,l5,n5,p5,a6,m6,o6,"
    "n7,a8,d9,g9,n9,l10,o10,k11,m11,m13,i14,q16,s17,o18,q18,o19,p20:i4,m7,b8,n13:?"
)
"""A can use the Harbor in 1,773 ways, one of which pays."""


@pytest.mark.parametrize("position", [SEVERAL_TILES, MANY_WAYS])
@pytest.mark.parametrize("is_native", [False, True])
def test_all_uses_of_tiles_are_compared_at_the_end_of_a_last_turn(position: str, is_native: bool) -> None:
    seen = parse_position(position)
    assert isinstance(seen, Observation)
    state = seen.until_next_draw()
    assert paying_uses(state)
    evaluator = Evaluator(state.setup)
    if not is_native:
        evaluator.native = False
    search = search_of(state, evaluator, Limit(Budget(nodes=1), least=1), Limit())
    assert not paying_uses(search.run()[0].state)


def test_of_all_moves_with_a_tile_those_that_are_worth_most_are_looked_at() -> None:
    """The worth of a move is guessed from its two ends; it is rarely far off."""
    compared = missed = 0
    for seed in range(60):
        state = midgame(seed, actions=90)
        evaluator, seat = Evaluator(state.setup), state.player
        for use in [action for action in bits(state.legal()) if action >= USE]:
            start = state.copy()
            start.apply(use)
            if not start.legal() & start.own[seat] or start.legal().bit_count() <= SOURCES:
                continue
            looked, every = (
                max(
                    evaluator.worth(line.state, seat)
                    for line in steps(Line((), start), evaluator, sources, LOOKS, set())
                )
                for sources in (SOURCES, SIZE)
            )
            compared += 1
            missed += looked < every - 0.5
    assert compared > 10
    assert missed <= compared / 10


def test_a_lost_tile_counts_what_it_is_still_worth() -> None:
    """Nothing in a last turn."""
    states = (state for state in map(midgame, range(99)) if state.held[state.player])
    state, source = next((s, h) for s in states for h in bits(s.own[s.player]) if loses_tile(s, h))
    evaluator, seat = Evaluator(state.setup), state.player

    def charged() -> float:
        """How much more lifting the piece costs than it would cost without tiles."""
        bare = state.copy()
        bare.held[seat] = 0
        costs = [evaluator.worth(each, seat) - evaluator.worth_without(each, seat, source) for each in (state, bare)]
        return costs[0] - costs[1]

    assert charged() > 0
    state.ending = True
    assert charged() == 0


def loses_tile(state: State, source: int) -> bool:
    """Whether the current seat loses a tile when it lifts the piece on a hex."""
    rest = state.own[state.player] ^ 1 << source
    return any(
        state.held[state.player] >> tile & 1 and not state.setup.tile_side[tile] & rest
        for tile in state.setup.tiles_beside.get(source, ())
    )


@pytest.mark.parametrize("name", ["greedy", "hard:60n"])
@pytest.mark.parametrize(("players", "sets"), TABLES[:2])
def test_no_use_of_a_tile_that_pays_is_left_in_the_last_turn(name: str, players: int, sets: tuple[str, ...]) -> None:
    found = look_at(name, 3, sets, players)
    assert found.turns
    assert not found.wasteful


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
    chosen = diverse(lines, state.player, ExpertPlayer.candidates)
    assert chosen[0] is lines[0]
    assert len(chosen) == ExpertPlayer.candidates
    owns = [line.state.own[state.player] for line in chosen]
    alike = [own for i, own in enumerate(owns) if any((own ^ other).bit_count() <= 2 for other in owns[:i])]
    assert len(alike) <= ExpertPlayer.candidates // 2


def test_an_expert_that_plays_games_out_repeats_itself_and_knows_nothing_hidden() -> None:
    state = midgame(4)
    others = [determinize(observe(state, state.player), Random(shuffle)) for shuffle in range(2)]
    assert len({tuple(other.hands) for other in others}) > 1
    chosen = {make_player("expert:5300n", 7).choose(observe(other, other.player)) for other in (state, *others)}
    assert len(chosen) == 1
