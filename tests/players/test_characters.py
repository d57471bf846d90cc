"""The easy bot is between random and greedy, and a character plays for the card that it likes."""

from dataclasses import replace
from random import Random

import pytest

from kingdom_builder.arena.studies.characters import MATCHES, play_match
from kingdom_builder.content import CARDS, random_setup
from kingdom_builder.players import LEVELS, make_player
from kingdom_builder.players.characters import CHARACTERS, Character
from kingdom_builder.players.greedy import GreedyPlayer
from kingdom_builder.players.weights import WEIGHTS
from kingdom_builder.rules import State, drive, observe

BOARDS = 5


def by_key(character: Character) -> str:
    return character.key


def final(seat: int, player: GreedyPlayer, seed: int, liked: str) -> State:
    """The end of a game against greedy in which the liked card is not in play."""
    rng = Random(f"board {seed}")
    setup = random_setup(rng, 2)
    while liked in [card.key for card in setup.scoring]:
        setup = random_setup(rng, 2)
    players = [GreedyPlayer(Random(seed)), GreedyPlayer(Random(seed))]
    players[seat] = player
    state = State(setup)
    for _ in drive(state, lambda state: players[state.player].choose(observe(state, state.player)), rng.random):
        pass
    return state


@pytest.mark.parametrize("character", CHARACTERS, ids=by_key)
def test_a_character_plays_for_its_card_even_if_it_is_not_in_play(character: Character) -> None:
    card = CARDS[character.likes]
    paid = [0, 0]
    for seed in range(BOARDS):
        for seat in range(2):
            state = final(seat, character.make_player(Random(seed)), seed, card.key)
            paid[0] += card.score(state, seat)[0]
            paid[1] += card.score(state, 1 - seat)[0]
    assert paid[0] > 1.25 * paid[1]


def test_a_character_without_its_taste_is_greedy() -> None:
    for seat in range(2):
        indifferent = replace(CHARACTERS[0], liking=0.0, likes="lords")
        states = [
            final(seat, player, 1, "lords") for player in (indifferent.make_player(Random(1)), GreedyPlayer(Random(1)))
        ]
        assert states[0] == states[1]


def test_what_a_character_likes_is_in_its_weights_and_everywhere_the_same() -> None:
    for character in CHARACTERS:
        level = LEVELS[character.key]
        assert (level.name, level.likes, level.text) == (character.name, character.likes, character.text)
        player = make_player(character.key)
        assert isinstance(player, GreedyPlayer)
        assert dict(player.weights) == {**WEIGHTS, f"likes.{level.likes}": character.liking}


@pytest.mark.parametrize("other", ["random", "greedy"])
def test_easy_is_between_random_and_greedy(other: str) -> None:
    match = play_match("easy", other, 40, seed=5, cores=1)
    assert match.games == 40
    assert (match.win_rate > 0.6) if other == "random" else (match.win_rate < 0.4)


def test_the_study_has_every_character_and_counts_what_its_card_pays() -> None:
    assert {first for first, _ in MATCHES} == {"easy", *[character.key for character in CHARACTERS]}
    match = play_match("marina", "greedy", 8, seed=1, cores=1)
    assert match.card == "fishermen"
    assert 0 < match.card_games < 8
    assert match.ahead_interval[0] <= match.card_gold[0] - match.card_gold[1] <= match.ahead_interval[1]
