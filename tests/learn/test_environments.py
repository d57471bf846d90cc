"""The environments do what PettingZoo and Gymnasium expect, show no hidden card, and play the same games again."""

import os
import subprocess
import sys
import warnings
from collections.abc import Iterator
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env

from kingdom_builder import parse_position, scores
from kingdom_builder.content import ALL_SETS, BOXES, first_game
from kingdom_builder.encoding import Encoder, decode
from kingdom_builder.learn import kingdom_builder_v0
from kingdom_builder.learn.aec import KingdomBuilderEnv
from kingdom_builder.learn.games import Games, Run, begin, gold_by_card, rewards
from kingdom_builder.learn.single import KingdomBuilderSingle
from kingdom_builder.learn.vector import KingdomBuilderVector
from kingdom_builder.rules import IllegalAction, State, winners

with warnings.catch_warnings(action="ignore"):  # it makes its own examples in a way that it calls old
    from pettingzoo.test import api_test, seed_test

IS_LONG = os.environ.get("HYPOTHESIS_PROFILE") == "soak"
GAMES = 1000 if IS_LONG else 1
"""Random games of each mix of boxes and number of players."""

BOXES_ALONE = [("base",), ALL_SETS, *[(key,) if BOXES[key].cards else ("base", key) for key in BOXES if key != "base"]]
MIXES = [
    pytest.param(sets, players, id=f"{'+'.join(sets)} {players}")
    for number, sets in enumerate(BOXES_ALONE)
    for players in range(2, 6)
    if IS_LONG or players == 2 + number % 4
]
"""Boxes and numbers of players: in the long form all, else each box and each number at least once."""

# What PettingZoo says of every environment whose observations are dictionaries.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
]


def play(env: KingdomBuilderEnv, seed: int) -> Iterator[tuple[str, Any, Any]]:
    """A game of random legal actions: who acts, what they see, and what they do."""
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    for agent in env.agent_iter():
        seen, _, is_over, _, _ = env.last()
        assert seen is not None
        action = None if is_over else int(rng.choice(np.flatnonzero(seen["action_mask"])))
        yield agent, seen, action
        env.step(action)


# ---- PettingZoo ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("sets", "players"), MIXES)
def test_pettingzoo_finds_nothing_wrong(sets: tuple[str, ...], players: int) -> None:
    api_test(kingdom_builder_v0.env(players=players, sets=sets), num_cycles=200)


def test_pettingzoo_makes_it_by_its_name() -> None:
    env = pettingzoo.make("aec", "kingdom_builder_v0", players=3)
    assert str(env) == "kingdom_builder_v0"
    assert env.max_num_agents == 3


@pytest.mark.parametrize(("sets", "players"), MIXES)
def test_pettingzoo_finds_that_seeds_decide_everything(sets: tuple[str, ...], players: int) -> None:
    seed_test(lambda: kingdom_builder_v0.env(players=players, sets=sets), num_cycles=50)


@pytest.mark.parametrize(("sets", "players"), MIXES)
def test_random_games_end_without_an_error(sets: tuple[str, ...], players: int) -> None:
    env = kingdom_builder_v0.raw_env(players=players, sets=sets)
    space = env.observation_space("seat_0")
    for seed in range(GAMES):
        for number, (_, seen, _) in enumerate(play(env, seed)):
            assert number % 50 or space.contains(seen)
        assert not env.agents


def test_the_winner_gets_one_and_all_together_nothing() -> None:
    env = kingdom_builder_v0.raw_env(players=4)
    env.reset(seed=1)
    paid = {}
    for agent in env.agent_iter():
        seen, reward, is_over, _, info = env.last()
        assert seen is not None
        if is_over:
            paid[agent] = reward
            assert (reward == 1) == (info["winners"] == [info["seat"]])
            assert info["gold"][info["seat"]] == sum(info["gold_by_card"][info["seat"]].values())
        env.step(None if is_over else int(np.flatnonzero(seen["action_mask"])[0]))
    assert len(paid) == 4
    assert sum(paid.values()) == pytest.approx(0)


def test_an_illegal_action_ends_the_game_for_the_agent_or_raises() -> None:
    env = kingdom_builder_v0.env()
    env.reset(seed=1)
    env.step(407)
    assert all(env.terminations.values())
    assert env.rewards["seat_0"] == -1
    assert env.infos["seat_0"]["illegal"]
    raw = kingdom_builder_v0.raw_env()
    raw.reset(seed=1)
    with pytest.raises(IllegalAction):
        raw.step(407)


def test_nothing_can_be_done_before_the_first_reset() -> None:
    env = kingdom_builder_v0.env()
    with pytest.raises(RuntimeError, match=r"no game yet: expected a call of reset\(\) first"):
        env.observe("seat_0")
    with pytest.raises(RuntimeError, match="no game yet"):
        env.step(0)


def test_a_reset_takes_a_setup_or_a_position() -> None:
    env = kingdom_builder_v0.raw_env(players=3)
    env.reset(options={"setup": first_game()})
    assert len(env.agents) == 2
    position = env.position()
    other = kingdom_builder_v0.raw_env()
    other.reset(seed=2, options={"position": position})
    assert other.position() == position
    with pytest.raises(ValueError, match="reset option 'setup': expected a Setup, not str"):
        env.reset(options={"setup": "first"})
    with pytest.raises(ValueError, match="a game of 3: expected at most 2, the agents there are"):
        other.reset(options={"setup": first_game(3)})


def test_a_critic_sees_the_hands_of_all() -> None:
    env = kingdom_builder_v0.raw_env(players=3)
    seen = set()
    for seed in range(40):
        env.reset(seed=seed, options={"setup": first_game(3)})
        assert env.state_space.contains(env.state())
        seen.add(env.state().tobytes())
    assert len(seen) > 30


def test_the_words_of_the_goal_come_with_the_reset() -> None:
    env = kingdom_builder_v0.raw_env()
    env.reset(options={"setup": first_game()})
    assert (
        env.infos["seat_1"]["goal_text"][0]
        == "1 gold for each of your settlements next to water, unless it stands on water."
    )


def test_pictures_are_drawn() -> None:
    env = kingdom_builder_v0.raw_env(render_mode="ansi")
    env.reset(seed=1)
    assert "Fishermen" in env.render() or "gold" in env.render().lower()
    env = kingdom_builder_v0.raw_env(render_mode="rgb_array")
    env.reset(seed=1)
    assert env.render().shape == (240, 246, 3)
    assert len(np.unique(env.render().reshape(-1, 3), axis=0)) > 5


# ---- Gymnasium -------------------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:.*WARN.*")
@pytest.mark.parametrize(("sets", "players"), MIXES)
def test_gymnasium_finds_nothing_wrong(sets: tuple[str, ...], players: int) -> None:
    opponents = ["random", "greedy", "random", "random"][: players - 1]
    env = gymnasium.make("kingdom_builder.learn:KingdomBuilder-v0", opponents=opponents, sets=sets)
    check_env(env.unwrapped, skip_render_check=True)


def test_opponents_play_until_the_learner_decides_again() -> None:
    env = KingdomBuilderSingle(["greedy", "random"])
    lost = 0
    for seed in range(6):
        seen, _ = env.reset(seed=seed)
        is_over = False
        while not is_over:
            masks = env.action_masks()
            assert (masks == seen["action_mask"]).all()
            assert masks.any()
            seen, reward, is_over, _, _ = env.step(int(np.flatnonzero(masks)[0]))
        lost += reward < 0
    assert lost > 3


def test_a_seat_can_be_chosen() -> None:
    env = KingdomBuilderSingle(["random"], seat=1)
    assert env.reset(seed=3)[1]["seat"] == 1
    seats = {KingdomBuilderSingle(["random"]).reset(seed=seed)[1]["seat"] for seed in range(20)}
    assert seats == {0, 1}
    with pytest.raises(ValueError, match="seat 2: expected 0 to 1"):
        KingdomBuilderSingle(["random"], seat=2).reset(seed=1)


def test_unknown_opponents_are_refused_at_once() -> None:
    with pytest.raises(ValueError, match="'gready' is not a player"):
        KingdomBuilderSingle(["gready"])
    with pytest.raises(ValueError, match="no opponents: expected at least one"):
        KingdomBuilderSingle([])


def test_an_illegal_action_loses_with_the_reason_or_raises() -> None:
    env = KingdomBuilderSingle(["random"])
    env.reset(seed=1)
    _, reward, is_over, _, info = env.step(407)
    assert (reward, is_over) == (-1, True)
    assert info["illegal"]
    env = KingdomBuilderSingle(["random"], illegal="raise")
    env.reset(seed=1)
    with pytest.raises(IllegalAction):
        env.step(407)


# ---- many at once ----------------------------------------------------------------------------------------------------


def batches(envs: KingdomBuilderVector, steps: int) -> Iterator[Any]:
    """What a batch shows while the first legal action is played in each game."""
    seen, info = envs.reset(seed=5)
    yield seen, info
    for _ in range(steps):
        seen, reward, over, _, info = envs.step(seen["action_mask"].argmax(1))
        yield seen, info, reward, over


def equal(one: Any, other: Any) -> bool:
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(equal(one[key], other[key]) for key in one)
    return np.array_equal(one, other)


def test_worker_processes_change_nothing() -> None:
    here = KingdomBuilderVector(5, players=3)
    there = KingdomBuilderVector(5, players=3, workers=2)
    ended = 0
    try:
        for one, other in zip(batches(here, 250), batches(there, 250), strict=True):
            assert all(equal(a, b) for a, b in zip(one, other, strict=True))
            ended += int(one[3].sum()) if len(one) > 2 else 0
    finally:
        there.close()
    assert ended > 0


def test_a_batch_shows_what_each_game_shows_alone() -> None:
    envs = KingdomBuilderVector(4, sets=ALL_SETS, players=4, gold=True)
    runs = [begin(Games(4, ALL_SETS), Random(f"5 {number}"), gold=True) for number in range(4)]
    for seen, info, *rest in batches(envs, 120):
        if rest and rest[1].any():
            break
        for number, run in enumerate(runs):
            alone = run.encoder.observation(run.state, run.state.player)
            assert info["seat"][number] == run.state.player
            assert all(np.array_equal(seen[name][number], alone[name]) for name in alone), number
            run.play(int(alone["action_mask"].argmax()))


def test_rewards_of_all_seats_come_with_the_end() -> None:
    envs = KingdomBuilderVector(3, reward="gold")
    for _, info, *rest in batches(envs, 400):
        if rest and rest[1].any():
            number = int(np.flatnonzero(rest[1])[0])
            assert info["rewards"][number, :2].tolist() == info["gold"][number, :2].tolist()
            assert info["rewards"][number, :2].sum() > 0
            return
    pytest.fail("no game has ended")


def test_a_batch_against_opponents_shows_the_learner_only() -> None:
    envs = KingdomBuilderVector(3, opponents=["random"])
    seats = None
    for _, info, *rest in batches(envs, 30):
        if rest and rest[1].any():
            break
        assert seats is None or np.array_equal(seats, info["seat"])
        seats = info["seat"]


@pytest.mark.filterwarnings("ignore:.*WARN.*")
def test_gymnasium_makes_batches() -> None:
    envs = gymnasium.make_vec("kingdom_builder.learn:KingdomBuilder-v0", 2, vectorization_mode="vector_entry_point")
    seen, _ = envs.reset(seed=1)
    assert seen["planes"].shape == (2, 44, 20, 20)
    envs.close()


def test_impossible_batches_are_refused() -> None:
    with pytest.raises(ValueError, match="0 games: expected 1 or more"):
        KingdomBuilderVector(0)
    with pytest.raises(ValueError, match="3 workers: expected 0 to 2"):
        KingdomBuilderVector(2, workers=3)
    with pytest.raises(ValueError, match="a list of seeds"):
        KingdomBuilderVector(2).reset(seed=[1, 2])


def test_a_mistake_in_a_worker_is_raised_here() -> None:
    envs = KingdomBuilderVector(2, workers=2)
    try:
        envs.reset(seed=1)
        with pytest.raises(IllegalAction):
            envs.step(np.array([407, 407]))
    finally:
        envs.close()


# ---- what is hidden, and what a game is worth ------------------------------------------------------------------------


def test_an_agent_sees_what_its_seat_may_know() -> None:
    env = kingdom_builder_v0.raw_env(players=3, sets=ALL_SETS)
    for number, (agent, seen, _) in enumerate(play(env, 4)):
        if number % 25 == 0:
            hands = decode(seen).hands
            seat = int(agent[-1])
            assert all(
                "?" in hand or not hand or seat == other
                for other, hand in enumerate(hands)
                if other != decode(seen).player
            )


@pytest.mark.parametrize(
    ("gold", "victory", "lead", "rank"),
    [
        ([10, 20], [-1, 1], [-10, 10], [-1, 1]),
        ([15, 15], [0, 0], [0, 0], [0, 0]),
        ([30, 10, 20], [1, -0.5, -0.5], [10, -20, -10], [1, -1, 0]),
        ([30, 30, 20], [0.25, 0.25, -0.5], [0, 0, -10], [0.5, 0.5, -1]),
    ],
)
def test_rewards(
    monkeypatch: pytest.MonkeyPatch, gold: list[int], victory: list[float], lead: list[float], rank: list[float]
) -> None:
    monkeypatch.setattr("kingdom_builder.learn.games.scores", lambda state: gold)
    state = State(first_game(len(gold)))
    assert rewards(state, "victory") == pytest.approx(victory)
    assert rewards(state, "gold") == gold
    assert rewards(state, "lead") == lead
    assert rewards(state, "rank") == rank


def test_gold_by_card_adds_up() -> None:
    run = Run(first_game(), Random(1))
    while not run.state.over:
        run.play(int(run.encoder.mask(run.state).argmax()))
    for seat in range(2):
        assert sum(gold_by_card(run.state, seat).values()) == scores(run.state)[seat]
    assert winners(run.state)


GOLDEN = """
import hashlib
import numpy as np
from kingdom_builder.learn import kingdom_builder_v0
digest = hashlib.sha256()
for players, sets in ((2, ("base",)), (4, ("base", "nomads", "crossroads", "harvest", "capitol", "caves"))):
    env = kingdom_builder_v0.raw_env(players=players, sets=sets)
    env.reset(seed=11)
    rng = np.random.default_rng(11)
    for agent in env.agent_iter():
        seen, reward, is_over, _, _ = env.last()
        for name in sorted(seen):
            digest.update(seen[name].tobytes())
        digest.update(repr(reward).encode())
        env.step(None if is_over else int(rng.choice(np.flatnonzero(seen["action_mask"]))))
print(digest.hexdigest()[:16])
"""


@pytest.mark.parametrize("hash_seed", ["0", "1", "4242"])
def test_games_are_the_same_in_every_process(hash_seed: str) -> None:
    printed = subprocess.run(
        [sys.executable, "-c", GOLDEN],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert printed.strip() == "4725c99ac768fcc5"


def test_the_encoder_of_a_position_knows_its_setup() -> None:
    state = parse_position("DDDD/D1DG/DDGG/CCCC(farm) fishermen - 2 C5D4F5G5T5 - 1A/D/3/- 40:::D 40:::?")
    assert Encoder(state.setup).mask(state).sum() == 8
