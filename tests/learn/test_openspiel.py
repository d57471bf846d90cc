"""The OpenSpiel game: OpenSpiel's own tests, chance, what is hidden, and the same game after copying and storing."""

import os
import pickle
import sys
from collections.abc import Callable
from importlib import import_module
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import mcts

from kingdom_builder.encoding import ACTIONS, decode
from kingdom_builder.learn import openspiel
from kingdom_builder.notation import position_of
from kingdom_builder.rules import observe, scores

SOAK = os.environ.get("HYPOTHESIS_PROFILE") == "soak"
"""Whether this is `make soak`."""

BOXES = ["base", "nomads", "base+crossroads", "harvest", "base+capitol", "base+caves", "all"]
"""Each box alone, with the cards and sections of the base game if it has none of its own, and all together."""

SMALL = "DDGCTFD/GC1TTFF/WWDDGGC/TTFFCCG/MDDWWTT/GGCFFDD/DCTGFWM(farm) fishermen,knights - 2"


def game_of(**parameters: Any) -> Any:
    return pyspiel.load_game(openspiel.NAME, parameters)


def small_position(players: int) -> str:
    """A short game on a small map, with a different card for each seat."""
    hands = "DTCGF"[:players]
    deck = "".join(f"{card}{5 - hands.count(card)}" for card in "CDFGT")
    return " ".join([SMALL, deck, "- 1A/D/3/-", *(f"12:::{card}" for card in hands)])


def small_game(players: int = 2) -> Any:
    return game_of(position=small_position(players))


def play(game: Any, rng: Random, look: Callable[[Any], None] = lambda _: None) -> Any:
    """The end of a game with random actions."""
    state = game.new_initial_state()
    while not state.is_terminal():
        look(state)
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, chances)[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_openspiels_own_simulation_on_a_small_map(players: int) -> None:
    pyspiel.random_sim_test(small_game(players), num_sims=2, serialize=True, verbose=False)


@pytest.mark.parametrize(
    ("players", "sets"),
    list(product([2, 3, 4, 5], BOXES)) if SOAK else [(2, "base"), (2, "base+crossroads"), (3, "all")],
)
def test_openspiels_own_simulation(players: int, sets: str) -> None:
    for seed in range(3 if SOAK else 1):
        game = game_of(players=players, sets=sets, seed=seed)
        pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("sets", BOXES)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_random_games_end_with_the_share_of_the_victory(players: int, sets: str) -> None:
    for seed in range(1000 if SOAK else 1):
        game = game_of(players=players, sets=sets, seed=seed)
        state = play(game, Random(seed))
        gold = scores(state.state)
        returns = state.returns()
        assert sum(returns) == pytest.approx(0)
        assert {seat for seat, share in enumerate(returns) if share == max(returns)} == {
            seat for seat, each in enumerate(gold) if each == max(gold)
        }
        assert len(state.history()) <= game.max_game_length() / 5


def test_parameters_choose_the_setup() -> None:
    first = game_of(players=3, sets="base+nomads", seed=1)
    assert str(first.new_initial_state()) == str(game_of(players=3, sets="base+nomads", seed=1).new_initial_state())
    assert str(first.new_initial_state()) != str(game_of(players=3, sets="base+nomads", seed=2).new_initial_state())
    by_name = pyspiel.load_game("python_kingdom_builder(players=3,sets=base+nomads,seed=1)")
    assert str(by_name.new_initial_state()) == str(first.new_initial_state())
    assert first.num_players() == 3
    assert first.num_distinct_actions() == ACTIONS
    with_option = game_of(sets="base+crossroads", options="lordsNeedPresence")
    assert with_option.new_initial_state().state.setup.options == {"lordsNeedPresence"}


@pytest.mark.parametrize(
    ("parameters", "problem"),
    [
        ({"players": 6}, "6 players: expected 2 to 5"),
        ({"sets": "base,nomads"}, "unknown set 'base,nomads': expected all, or some of base, .* with [+] between"),
        ({"options": "none"}, "unknown option 'none'"),
        ({"position": "DDD/DDD - - - C5D4F5G5T5 - 1A/D/3/- 40:::D 40:::?"}, "a position with hidden cards: expected"),
        ({"position": "nowhere"}, "expected"),
    ],
)
def test_wrong_parameters_are_refused_in_a_sentence(parameters: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        game_of(**parameters)


def test_a_position_survives_openspiels_way_to_write_games() -> None:
    game = small_game(3)
    again = pyspiel.load_game(str(game))
    assert str(again.new_initial_state()) == str(game.new_initial_state()) == small_position(3)
    assert again.num_players() == 3
    assert pickle.loads(pickle.dumps(game)).get_parameters() == game.get_parameters()


def test_chance_has_the_odds_of_the_draw_pile() -> None:
    state = game_of(position="DDD/DDD - - - C1D2F5 GGT 1A/-/0/= 37:a1,b1,c1:: 40:::T").new_initial_state()
    assert state.is_chance_node()
    assert state.chance_outcomes() == [(0, 1 / 8), (1, 2 / 8), (2, 5 / 8)]
    assert [state.action_to_string(outcome) for outcome in state.legal_actions()] == ["=C", "=D", "=F"]
    state.apply_action(0)
    assert state.state.hands[0] == "C"


def test_actions_are_written_in_notation_and_have_the_common_numbers() -> None:
    state = small_game().new_initial_state()
    texts = [state.action_to_string(action) for action in state.legal_actions()]
    assert texts[:3] == ["a1", "b1", "g1"]
    assert state.legal_actions()[:3] == [0, 1, 6]
    assert state.string_to_action("b1") == 1
    for _ in range(3):
        state.apply_action(state.legal_actions()[0])
    assert [state.action_to_string(action) for action in state.legal_actions()] == ["."]
    assert state.legal_actions() == [400]


def after_draws(*draws: str) -> Any:
    """A new game of three after the first draws, by terrain."""
    state = game_of(players=3, seed=4).new_initial_state()
    for draw in draws:
        state.apply_action("CDFGT".index(draw))
    return state


def test_what_is_hidden_is_nowhere() -> None:
    """Two states that differ only in cards that A may not see look the same to A, in numbers and in words."""
    one, other = after_draws("C", "D", "T"), after_draws("C", "T", "G")
    assert one.observation_tensor(0) == other.observation_tensor(0)
    assert one.information_state_tensor(0) == other.information_state_tensor(0)
    assert one.observation_string(0) == other.observation_string(0)
    assert one.information_state_string(0) == other.information_state_string(0)
    for seat in (1, 2):
        assert one.observation_tensor(seat) != other.observation_tensor(seat)
        assert one.observation_string(seat) != other.observation_string(seat)
        assert one.information_state_string(seat) != other.information_state_string(seat)


def test_a_seat_remembers_what_it_has_seen() -> None:
    """B's card is hidden at first, and told once it is played; A's way there is told too."""
    state = after_draws("C", "D", "T")
    for _ in range(4):
        state.apply_action(state.legal_actions()[0])
    state.apply_action(0)
    moves = state.information_state_string(2).split("- 0A/-/0/= 40::: 40::: 40::: ")[1]
    assert moves.startswith("=? [?// ] =? [?/?/ ] =T [C/?/T ]")
    assert moves.endswith(". [/?/T C] =? [?/D/T C]")
    own = state.information_state_string(0).split("- 0A/-/0/= 40::: 40::: 40::: ")[1]
    assert own.endswith(". [/?/? C] =C [C/D/? C]")


def test_tensors_are_the_encoding_of_what_the_seat_sees() -> None:
    game = small_game(3)

    def check(state: Any) -> None:
        for seat in range(3):
            observer.set_from(state, seat)
            seen = observe(state.state, seat)
            assert state.observation_string(seat) == position_of(seen)
            assert observer.tensor.tolist() == state.observation_tensor(seat)
            seen.discard = "".join(sorted(seen.discard, key="CDFGT".index))  # its order is not written
            assert position_of(decode(observer.dict)) == position_of(seen)

    observer = game.make_py_observer()
    play(game, Random(2), check)


@pytest.mark.parametrize(
    ("private", "letters"),
    [("NONE", "?"), ("SINGLE_PLAYER", "?T"), ("ALL_PLAYERS", "DT")],
)
def test_observers_see_no_hand_or_one_or_all(private: str, letters: str) -> None:
    state = game_of(position="DDD/DDD - - - C5D4F5G5T4 - 1A/D/3/- 40:::D 40:::T").new_initial_state()
    kind = pyspiel.IIGObservationType(perfect_recall=False, private_info=getattr(pyspiel.PrivateInfoType, private))
    text = state.get_game().make_py_observer(kind).string_from(state, 1)
    assert text.endswith("D 40:::T" if private != "NONE" else "D 40:::?")
    assert set(text.split()[-1].split(":")[-1]) <= set(letters)


def test_an_observer_of_nothing_public_is_refused() -> None:
    kind = pyspiel.IIGObservationType(perfect_recall=False, public_info=False)
    with pytest.raises(ValueError, match="expected public information too"):
        small_game().make_py_observer(kind)
    with pytest.raises(ValueError, match="expected none"):
        small_game().make_py_observer(None, {"planes": 3})


def test_copies_go_their_own_way() -> None:
    state = small_game().new_initial_state()
    copy = state.clone()
    copy.apply_action(copy.legal_actions()[0])
    assert str(copy) != str(state)
    assert state.history() == []
    assert copy.information_state_string(0) != state.information_state_string(0)


def test_stored_states_go_on_as_they_were() -> None:
    game = game_of(players=3, sets="all", seed=6)
    kept: list[str] = []
    told: list[str] = []

    def keep(state: Any) -> None:
        if state.move_number() % 50 == 7:
            kept.append(pyspiel.serialize_game_and_state(game, state))
            told.append("".join(state.information_state_string(seat) for seat in range(3)))

    play(game, Random(6), keep)
    assert len(kept) > 3
    for text, words in zip(kept, told, strict=True):
        again_game, again = pyspiel.deserialize_game_and_state(text)
        assert str(again_game) == str(game)
        assert "".join(again.information_state_string(seat) for seat in range(3)) == words
        assert again.legal_actions()
        play_on = again.clone()
        play_on.apply_action(play_on.legal_actions()[0])


def test_openspiels_search_and_environment_work_with_it() -> None:
    game = small_game()
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = mcts.MCTSBot(game, 1.4, 10, evaluator, random_state=np.random.RandomState(1))
    state = game.new_initial_state()
    assert bot.step(state) in state.legal_actions()

    environment = rl_environment.Environment(game)
    environment.seed(3)
    step = environment.reset()
    while not step.last():
        seat = step.observations["current_player"]
        assert len(step.observations["info_state"][seat]) == game.information_state_tensor_size()
        step = environment.step([step.observations["legal_actions"][seat][0]])
    assert sum(step.rewards) == 0


def test_without_openspiel_the_module_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, openspiel.__name__)
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(ImportError, match=r"^OpenSpiel is missing: pip install 'kingdom-builder\[learn\]'$"):
        import_module(openspiel.__name__)
