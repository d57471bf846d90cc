"""The puzzles of the package, each of them: what the file says about them is true."""

import json
from collections import Counter
from importlib.resources import files
from random import Random

import pytest

from kingdom_builder.arena.studies.puzzles import (
    LAST_MARGIN,
    LEAST_GAIN,
    MARGIN,
    GoldEvaluator,
    Outcomes,
    all_outcomes,
    boxes_of,
    choose,
    found_outcomes,
    rate,
    turn_starts,
)
from kingdom_builder.hexes import AREA, bits
from kingdom_builder.notation import parse_position, play, position_of
from kingdom_builder.players import random_action
from kingdom_builder.players.puzzles import (
    DIFFICULTIES,
    FILE,
    Puzzle,
    difficulty_of,
    gold_of,
    has_ended,
    puzzles,
    read,
    start_of,
    write,
)
from kingdom_builder.rules import DRAWN, State, scores

PUZZLES = list(puzzles().values())
MODERATE = 400
"""Positions of the search that every answer is compared with; all turns are tried for some of them."""

TEXT = files("kingdom_builder.players").joinpath(FILE).read_text("utf-8")


def test_there_are_at_least_200_in_a_file_of_bounded_size() -> None:
    assert len(PUZZLES) >= 200
    assert len(TEXT.encode()) <= 150_000
    assert len({each.key for each in PUZZLES}) == len(PUZZLES) == TEXT.count("\n") - 1
    assert write(read(TEXT)) == TEXT


def test_they_are_sorted_by_rating_and_mixed() -> None:
    ratings = [each.rating for each in PUZZLES]
    assert ratings == sorted(ratings)
    assert 0 <= ratings[0] < 20
    assert 80 < ratings[-1] <= 100
    assert {each.players for each in PUZZLES} == {2, 3, 4, 5}
    boxes = Counter(key for each in PUZZLES for key in each.sets)
    assert all(boxes[key] >= 15 for key in ("base", "nomads", "crossroads", "harvest"))
    assert sum(each.sets == ("base",) for each in PUZZLES) >= len(PUZZLES) / 5
    for is_last in (False, True):
        assert sum(each.last is is_last for each in PUZZLES) >= len(PUZZLES) / 5


def test_each_difficulty_is_a_third_of_them() -> None:
    found = [difficulty_of(number, len(PUZZLES)) for number in range(len(PUZZLES))]
    assert list(dict.fromkeys(found)) == list(DIFFICULTIES)
    counts = Counter(found).values()
    assert max(counts) - min(counts) <= 1


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: puzzle.key)
def test_the_answer_is_legal_and_no_other_turn_brings_more(puzzle: Puzzle) -> None:
    seen = parse_position(puzzle.position)
    assert position_of(seen) == puzzle.position
    start = puzzle.start()
    seat = start.player
    assert not start.awaiting
    assert not start.setup.board.stand_ins
    assert (puzzle.players, puzzle.sets) == (start.setup.players, boxes_of(start.setup))
    state = start.copy()
    for move in puzzle.turn:
        assert not has_ended(start, state)
        assert not DRAWN.keys() & set(play(state, move))
    assert has_ended(start, state)
    assert scores(state)[seat] == puzzle.gold
    assert puzzle.last is state.ending
    margin = LAST_MARGIN if puzzle.last else MARGIN
    assert puzzle.gold - puzzle.second >= margin
    assert puzzle.gold - scores(start)[seat] >= LEAST_GAIN
    assert puzzle.reasons()
    found = found_outcomes(start, GoldEvaluator(start.setup), MODERATE)
    assert found is not None
    assert found.gold <= puzzle.gold
    assert all(gold == puzzle.gold or gold <= puzzle.second for gold in found.counts)
    rng = Random(puzzle.key)
    for _ in range(20):
        trial = start.copy()
        while not has_ended(start, trial) and not trial.awaiting:
            trial.apply(random_action(trial, rng.random))
        gold = gold_of(trial, seat)
        assert gold == puzzle.gold or gold <= puzzle.second


@pytest.mark.parametrize("puzzle", PUZZLES[::25], ids=lambda puzzle: puzzle.key)
def test_no_turn_at_all_brings_more(puzzle: Puzzle) -> None:
    outcomes = all_outcomes(start_of(puzzle.position))
    assert outcomes is not None
    assert (outcomes.gold, outcomes.second) == (puzzle.gold, puzzle.second)


@pytest.mark.parametrize("puzzle", PUZZLES[::60], ids=lambda puzzle: puzzle.key)
def test_the_rating_is_how_many_players_miss_it(puzzle: Puzzle) -> None:
    """Players get better: the easy ones stay easy, and a rating may be off by two players of nine."""
    failures = rate(puzzle)
    assert failures is not None
    assert abs(failures - puzzle.rating) <= 25


def test_a_file_of_another_format_is_refused() -> None:
    newer = json.dumps({"format": 99}) + "\n"
    with pytest.raises(ValueError, match="expected 1"):
        read(newer)


def test_all_turns_of_a_small_board_are_tried_as_a_naive_count_finds_them() -> None:
    start = parse_position("GGGGG/GG1GG/GGDGG(farm) knights - 2 C5D5F5G3T5 - 1A/G/3/- 40:::G 40:::G")
    outcomes = all_outcomes(start)
    assert outcomes is not None
    counts: Counter[int] = Counter()
    ends = set()

    def build(left: int, state: State) -> None:
        if not left:
            if state.own[0] not in ends:
                ends.add(state.own[0])
                counts[gold_of(state, 0)] += 1
            return
        for h in bits(state.legal() & AREA):
            after = state.copy()
            after.apply(h)
            build(left - 1, after)

    build(3, start)
    assert outcomes.counts == counts
    assert outcomes.gold == max(counts)


def test_outcomes_are_clear_if_few_bring_clearly_more() -> None:
    assert Outcomes((), {20: 1, 18: 99}).are_clear(2)
    assert not Outcomes((), {20: 1, 19: 99}).are_clear(2)
    assert not Outcomes((), {20: 50, 18: 50}).are_clear(2)
    assert not Outcomes((), {20: 100}).are_clear(1)


def test_the_games_to_look_at_are_the_same_every_time() -> None:
    def first() -> list[str]:
        starts = list(turn_starts(1, "test"))[:3]
        return [position_of(each) for each in starts]

    assert first() == first()


def test_a_choice_keeps_within_count_and_size_and_is_sorted() -> None:
    chosen = choose(PUZZLES, 40, 150_000)
    assert len(chosen) == 40
    assert [each.rating for each in chosen] == sorted(each.rating for each in chosen)
    assert {each.players for each in chosen} == {2, 3, 4, 5}
    small = choose(PUZZLES, 200, 20_000)
    assert 0 < len(write(small).encode()) <= 20_100
