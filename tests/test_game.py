"""The game object: moves by text, undo, record, history."""

import sys
from itertools import pairwise
from random import Random

import pytest

import kingdom_builder
from kingdom_builder import Board, Game, IllegalMove, NotationError, board_of, parse_position, parse_record
from kingdom_builder.content import ALL_SETS
from kingdom_builder.notation import action_text
from kingdom_builder.players import random_action
from kingdom_builder.rules import EVERYTHING, State
from kingdom_builder.rules.state import HAND


def finished_game(players: int = 2, seed: int = 5) -> Game:
    game = Game.random(players, seed=seed)
    rng = Random(seed)
    while not game.over:
        game.play(action_text(game.setup, random_action(game.state, rng.random)))
    return game


def test_every_public_name_can_be_imported() -> None:
    assert set(kingdom_builder.__all__) == set(kingdom_builder._HOME)
    for name in kingdom_builder.__all__:
        assert getattr(kingdom_builder, name).__name__ == name
    assert not hasattr(kingdom_builder, "Castle")


def test_the_same_seed_gives_the_same_game() -> None:
    assert Game.random(3, seed=4).position == Game.random(3, seed=4).position
    assert Game.random(3, seed=4).position != Game.random(3, seed=5).position


def test_first_cards_are_dealt_by_themselves() -> None:
    game = Game.first(4, seed=1)
    assert game.turn[:2] == (1, 0)
    assert all(len(hand) == 1 for hand in game.state.hands)


def test_an_illegal_or_unreadable_move_changes_nothing() -> None:
    game = Game.first(seed=1)
    before = game.position
    with pytest.raises(IllegalMove, match="First build 3 settlements"):
        game.play(".")
    with pytest.raises(NotationError, match="is not an action"):
        game.play("zz9")
    assert game.position == before
    assert len(game.plies) == 2


def test_a_move_of_several_steps_is_all_or_nothing() -> None:
    game = Game.from_position("GGGGG/GG1GG/GGGGG(paddock) - - 1 C5D5F5G4T4 - 3A/G/0/- 39:b2:c2:G 40:::T", seed=1)
    before = game.position
    with pytest.raises(IllegalMove, match="two hexes away"):
        game.play("paddock:b2-a1")
    assert game.position == before
    game.play("paddock:b2-d2")
    assert game.state.held[0], "d2 touches the same location"


def test_undo_takes_single_actions_back_but_no_draw() -> None:
    game = Game.first(seed=1)
    dealt = game.position
    moves = game.legal_moves()
    game.play(moves[0])
    game.undo()
    assert game.position == dealt
    with pytest.raises(ValueError, match="drawn card"):
        game.undo()


def test_a_record_brings_the_game_back() -> None:
    game = finished_game(3)
    text = str(game.record(Event="test"))
    again = Game.from_record(text)
    assert again.position == game.position
    assert again.scores() == game.scores()
    assert parse_record(text).tags["Event"] == "test"
    assert again.winners() == game.winners()


def test_a_spectators_log_shows_no_drawn_card() -> None:
    game = finished_game()
    hidden = [event for event in game.log() if str(event).endswith("draws a card")]
    assert len(hidden) == sum(state.awaiting == HAND for state, _ in game.plies)
    mine = [event for event in game.log(perspective=0) if str(event) == "A draws a card"]
    assert not mine, "a seat sees its own cards"


def test_the_picture_of_a_game_marks_legal_hexes() -> None:
    game = Game.first(seed=1)
    assert game._repr_svg_().count('href="#kb-highlight"') == len(game.legal_moves())


def deep_size(thing: object, seen: set[int]) -> int:
    """Bytes of an object and all it refers to, shared parts and the setup counted once."""
    if id(thing) in seen:
        return 0
    seen.add(id(thing))
    size = sys.getsizeof(thing)
    if isinstance(thing, State):
        return size + sum(deep_size(getattr(thing, field), seen) for field in State.__slots__)
    if isinstance(thing, dict):
        return size + sum(deep_size(key, seen) + deep_size(value, seen) for key, value in thing.items())
    if isinstance(thing, (list, tuple, frozenset)):
        return size + sum(deep_size(part, seen) for part in thing)
    return size + (deep_size(thing.__dict__, seen) if hasattr(thing, "__dict__") else 0)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_complete_game_with_its_history_takes_less_than_a_megabyte(players: int) -> None:
    game = finished_game(players)
    size = deep_size([game.state, game.plies, game.setup], {id(type(game))})
    assert size < 1_000_000, size


SILO_PHASE = "GGGGGG/GGIGGG/GGGGGG - - - C3D3F3G3T3 - 9A!/-/0/silo*3 5:c1:: 4:d2:: silos=c2"
"""The last turns are over; both seats may still use the silo on c2. No card is drawn any more."""


def test_undo_stops_at_the_decision_of_another_seat_in_the_silo_phase() -> None:
    game = Game.from_position(SILO_PHASE, seed=1)
    game.play("b1")
    game.play(".")
    assert game.player == 1
    with pytest.raises(ValueError, match="another player"):
        game.undo()
    game.play("e2")
    game.undo()
    assert game.player == 1
    with pytest.raises(ValueError, match="another player"):
        game.undo()


@pytest.mark.parametrize("seed", range(6))
def test_the_repr_of_a_game_and_of_its_state_and_board_recreates_them(seed: int) -> None:
    game = Game.random(3, sets=ALL_SETS, seed=seed)
    rng = Random(seed)
    for _ in range(40):
        game.play(action_text(game.setup, random_action(game.state, rng.random)))
    again = eval(repr(game), {"Game": Game})
    assert (again.position, again.actions()) == (game.position, game.actions())
    assert eval(repr(game.state), {"parse_position": parse_position}) == game.state
    board = game.setup.board
    assert eval(repr(board), {"board_of": board_of, "Board": Board}) == board


def test_the_repr_of_a_drawn_board_recreates_it() -> None:
    board = Game.from_position(SILO_PHASE).setup.board
    assert repr(board) == "Board(['GGGGGG', 'GGIGGG', 'GGGGGG'], [])"
    assert eval(repr(board), {"Board": Board}) == board


def test_a_turn_is_taken_back_as_a_whole_and_no_further() -> None:
    game = Game.from_position(SILO_PHASE, seed=1)
    game.play("b1")
    game.play("d1")
    game.undo_turn()
    assert game.position == Game.from_position(SILO_PHASE).position
    game.play("b1")
    game.play(".")
    game.play("e2")
    game.play("e1")
    game.undo_turn()
    assert (game.player, len(game.plies)) == (1, 2)


def test_nothing_can_be_taken_back_once_the_game_is_over() -> None:
    game = finished_game()
    with pytest.raises(ValueError, match="over"):
        game.undo()


def test_turns_follow_each_other_without_gaps_and_the_finale_is_a_turn_of_its_own() -> None:
    game = finished_game(3)
    turns = game.turns()
    assert [turn.begin for turn in turns[1:]] == [turn.end for turn in turns[:-1]]
    assert (turns[0].begin, turns[-1].end) == (0, len(game.plies))
    assert [turn.turn.seat for turn in turns[3:]] == [number % 3 for number in range(len(turns) - 3)]
    assert all(before.turn != after.turn for before, after in pairwise(turns))
    silo = Game.from_position("GGGGGG/GGIGGG/GGGGGG - - - C3D3F3G3T3 - 9B!/G/0/- 5:: 5:c1::G".replace("5::", "5:::"))
    silo.play(".")
    assert [(str(each.turn), each.turn.is_finale) for each in silo.turns()] == [("9B", False), ("9B", True)]


@pytest.mark.parametrize("perspective", [None, 0, 1, EVERYTHING])
def test_a_log_read_while_the_game_goes_on_is_the_log_read_afterwards(perspective: int | None) -> None:
    game = Game.random(2, sets=ALL_SETS, seed=3)
    rng = Random(3)
    heard = [game.events_of(ply, perspective) for ply in range(len(game.plies))]
    for _ in range(150):
        if game.over:
            break
        game.play(action_text(game.setup, random_action(game.state, rng.random)))
        heard += [game.events_of(ply, perspective) for ply in range(len(heard), len(game.plies))]
        if game.undo_limit < len(game.plies) and rng.random() < 0.2:
            game.undo()
            del heard[len(game.plies) :]
    again = game.record().game(draws=False)
    assert heard == [again.events_of(ply, perspective) for ply in range(len(again.plies))]


def test_a_log_forgets_what_was_taken_back() -> None:
    game = Game.from_position(SILO_PHASE, seed=1)
    game.play("b1")
    assert [str(event) for event in game.events_of(0)] == ["A builds on b1"]
    game.undo()
    game.play("d1")
    game.play("e1")
    assert [str(event) for event in game.events_of(1)] == ["A builds on e1"]
