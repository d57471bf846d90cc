"""The game in words: what is told, what is hidden, and what happens to moves that are not legal."""

import os
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from kingdom_builder.content import ALL_SETS, first_game
from kingdom_builder.hexes import NEAR, hex_names, parse_hex
from kingdom_builder.learn.games import Games, Reward, read_start
from kingdom_builder.learn.text import HOW_TO_PLAY, MOST_MOVES, TextEnvironment, TextGame
from kingdom_builder.message import Refusal
from kingdom_builder.rules import Action, Observation

SOAK = os.environ.get("HYPOTHESIS_PROFILE") == "soak"

SHORT = "GGDDTT/G1DWTG/GKDDGG/TTTTGG(farm) fishermen,knights - 2 C5D4F5G5T4 - 1A/D/3/- 4:::D 4:::T"
"""A short game on a small map: A has desert to build on, B has forest."""

LATE = "GGDDTT/G1DWTG/GKDDGG/TTTTGG(farm) fishermen,knights - 2 C5D5F5G5T4 - 9B!/T/0/- 0:c2,d3:: 1:a4,b4,c4::T"
"""B ends the last turn with 6 gold for Knights and 3 for the castle; A has 2, and 2 for the water."""


class Crashing:
    """A bot that fails at once."""

    def choose(self, seen: Observation) -> Action:
        raise RuntimeError("out of ideas")


def short_game(position: str = SHORT, opponent: str = "greedy") -> TextGame:
    return TextGame(read_start(position, Random(1)), 0, [opponent], Random(1))


def legal_in(text: str) -> list[str]:
    """The legal moves as a language model would read them."""
    lines = text.partition("Legal moves")[2].splitlines()[1:]
    moves: list[str] = []
    for line in lines:
        said = line.removeprefix("- ")
        if said.startswith(("build on", "choose for")):
            moves += said.rpartition(": ")[2].split()
        else:
            moves.append(said.split()[0])
    return moves


@pytest.mark.parametrize(("players", "sets"), [(2, ("base",)), (3, ALL_SETS), (5, ("base", "crossroads"))])
def test_whoever_plays_what_the_text_calls_legal_reaches_the_end(players: int, sets: tuple[str, ...]) -> None:
    for seed in range(100 if SOAK else 1):
        environment = TextEnvironment(["random"] * (players - 1), sets)
        rng = Random(seed)
        text, reward, done = environment.reset(seed), 0.0, False
        game = environment.game
        assert game is not None
        while not done:
            assert reward == 0
            moves = legal_in(text)
            assert sorted(moves) == sorted(game.game.legal_moves())
            text, reward, done = environment.step(rng.choice(moves))
            assert "Not played" not in text
        assert "The game is over: " in text
        assert "Legal moves" not in text
        assert -1 <= reward <= 1
        assert (f"The game is over: {'ABCDE'[game.seat]} wins." in text) == (reward == 1)


def test_the_beginning_says_who_plays_and_what_is_printed() -> None:
    setup = first_game(3)
    environment = TextEnvironment(["greedy", "easy"], games=Games(setup=setup), seat=1)
    text = environment.reset(seed=1)
    assert text.startswith("You are seat B of 3. Seat A is played by greedy, seat C is played by easy.")
    for card in setup.scoring:
        assert f"- {card.name} ({card.key}): {card.text_for(setup.board.special_kinds)}" in text
    assert "4 gold for each location or castle that your settlements connect" in text
    for tile in ("Tavern (tavern)", "Paddock (paddock)", "Oasis (oasis)", "Farm (farm)"):
        assert f"- {tile}: " in text
    assert "Position: tavern/paddock/oasis/farm fishermen,knights,merchants - " in text
    assert "Round 1, seat B plays. Build 3 settlements on " in text
    assert "A begins turn 1 with " in text


def test_pieces_and_options_in_force_are_told() -> None:
    from kingdom_builder.content import board_of, make_setup

    board = board_of("tower/barracks/lighthouse/tavern")
    setup = make_setup(board, ["lords"], options=["lordsNeedPresence"])
    text = TextEnvironment().reset(1, {"setup": setup})
    assert "- warrior (a piece): Stands on land" in text
    assert "- Option in force: " in text


def test_neighbours_are_as_the_introduction_says() -> None:
    said = " ".join(HOW_TO_PLAY.split())
    for name, neighbours in (("c3", "b3, d3, b2, c2, b4 and c4"), ("c4", "b4, d4, c3, d3, c5 and d5")):
        assert f"those of {name} are {neighbours}" in said or f"neighbours of {name} are {neighbours}" in said
        assert set(hex_names(NEAR[parse_hex(name)])) == set(neighbours.replace(" and", ",").split(", "))


def test_legal_moves_say_what_they_bring() -> None:
    """Every hex pays 2 gold with Knights; c2, d1 and d3 touch water, c3 the castle, and c1 to c3 the Farm."""
    game = short_game()
    assert game.legal_moves().splitlines() == [
        "Legal moves (5):",
        "- build on desert, +3 gold: d1 d3",
        "- build on desert, take the Farm tile, +2 gold: c1",
        "- build on desert, take the Farm tile, +3 gold: c2",
        "- build on desert, take the Farm tile, +5 gold: c3",
    ]
    assert game.play("c3") is None
    assert "Round 1, seat A plays. Build 2 more on desert." in game.view()
    assert game.legal_moves().splitlines()[1:] == ["- build on desert, +1 gold: c2", "- build on desert, +3 gold: d3"]
    assert game.play("d3") is None
    assert game.scores().splitlines()[:5] == [
        "Seat A (you): 8 gold",
        "- Fishermen 1: d3",
        "- Knights 4: c3 d3",
        "- Castles 3: c3",
        "Seat B: 0 gold",
    ]


def test_extra_actions_and_choices_are_explained() -> None:
    position = SHORT.replace(" 2 C", " 1 C").replace("1A/", "2A/").replace("4:::D", "4:b1:b2:D")
    text = short_game(position).legal_moves()
    assert "- farm uses the Farm: Build one settlement on a grass hex" in text
    game = short_game(position)
    assert game.play("farm") is None
    assert "choose for the Farm" in game.legal_moves()
    assert "- . ends your turn" in short_game(position.replace("/3/-", "/0/-")).legal_moves()


def test_legal_moves_are_told_before_a_card_is_chosen() -> None:
    """Without a card in play there is no terrain to name."""
    game = short_game(SHORT.replace("C5D4", "C4D4").replace("1A/D/", "1A/-/").replace("4:::D", "4:::CD"))
    assert game.legal_moves().splitlines() == ["Legal moves (1):", "- !D plays your desert card"]
    assert game.play("!D") is None
    assert "- build on desert" in game.legal_moves()


def test_a_move_that_is_not_legal_is_not_played_and_the_text_says_why() -> None:
    environment = TextEnvironment(seat=0)
    environment.reset(1, {"position": SHORT})
    text, reward, done = environment.step("c1 a1 c2")
    assert text.startswith("Not played: 'a1 c2'. a1 is grass, but the terrain card shows desert.\nA builds on c1\n")
    assert (reward, done) == (0.0, False)
    assert environment.game is not None
    assert environment.game.why_not("a1") == "a1 is grass, but the terrain card shows desert."
    assert environment.game.why_not("c2") == "'c2' is legal now."
    assert environment.step(" ")[0].startswith("No move was given")
    assert environment.step("=C")[0].startswith("Not played: '=C'. Cards draw themselves")
    assert environment.step("c2 " * (MOST_MOVES + 1))[0].startswith("Too much at once: expected at most 50 moves")
    assert environment.game.why_not("k" * 2000) == "A move of 2000 characters: expected at most 1000."


def test_moves_behind_the_end_of_the_turn_are_not_played() -> None:
    game = short_game()
    problem = game.play("c1 c2 d3 . c3 c4")
    assert problem == "Not played, since your turn was over: 'c3 c4'."
    news = game.news()
    assert "B builds on " in news
    assert "B draws a card" in news.splitlines()
    assert game.news() == ""


def test_what_is_hidden_is_told_nowhere() -> None:
    """Two games that differ only in B's hidden card are told in the same words."""
    texts = []
    for position in (SHORT, SHORT.replace("G5T4", "G4T5").replace("4:::T", "4:::G")):
        game = short_game(position)
        told = [game.introduction(), game.view(), game.board(), game.hints(), game.why_not("a1"), game.news()]
        assert game.play("c1") is None
        texts.append([*told, game.news(), game.view(), game.board(), game.hints()])
    assert texts[0] == texts[1]


def test_an_action_is_taken_back_until_a_card_is_drawn() -> None:
    game = short_game()
    before = game.view()
    game.play("c1 c2")
    game.undo()
    assert "Build 2 more on desert" in game.prompt()
    game.undo(whole_turn=True)
    assert game.view() == before
    game.play("c1 c2")
    game.news()
    game.undo(whole_turn=True)
    game.play("d1")
    assert game.news().splitlines() == ["A builds on d1"]
    game.play("c1 c2 .")
    with pytest.raises(Refusal, match="Nothing to undo"):
        game.undo()


def test_the_same_seed_tells_the_same_game() -> None:
    def told(seed: int) -> list[str]:
        environment = TextEnvironment(["easy"], ALL_SETS)
        texts = [environment.reset(seed)]
        rng = Random(5)
        for _ in range(12):
            assert environment.game is not None
            texts.append(environment.step(rng.choice(environment.game.game.legal_moves()))[0])
        return texts

    assert told(3) == told(3)
    assert told(3) != told(4)


def test_games_follow_each_other_without_a_new_seed() -> None:
    environment = TextEnvironment(seat=0)
    first = environment.reset(3)
    second = environment.reset()
    assert first != second
    assert [environment.reset(3), environment.reset()] == [first, second]


def test_rewards_are_those_that_were_asked_for() -> None:
    kinds: tuple[Reward, ...] = ("victory", "gold", "lead")
    totals = {}
    for reward in kinds:
        environment = TextEnvironment(["greedy"], reward=reward, seat=1)
        environment.reset(1, {"position": LATE})
        text, totals[reward], done = environment.step(".")
        assert done
        assert "The game is over: B wins." in text
    assert totals == {"victory": 1, "gold": 9, "lead": 5}
    with pytest.raises(ValueError, match=r"no game to play: call reset\(\) first"):
        environment.step(".")


def test_a_bot_that_fails_is_named_and_another_plays_on() -> None:
    game = short_game(opponent="py:learn.test_text:Crashing")
    game.play("c1 c2 d3 .")
    news = game.news()
    assert news.startswith(
        "py:learn.test_text:Crashing of seat B failed with RuntimeError: out of ideas: another plays"
    )
    assert "B builds on " in news
    game.close()


def test_the_board_is_drawn_without_colours() -> None:
    game = short_game()
    game.play("c1")
    lines = game.board().splitlines()
    assert lines[0].startswith("    a b c d")
    assert lines[1].startswith(" 1  g gAd*d t t")
    assert lines[2].startswith(" 2   gFa*d ~ t g")
    assert "\x1b" not in game.board()


@pytest.mark.parametrize(
    ("arguments", "options", "problem"),
    [
        ({"opponents": []}, {}, "no opponents: expected at least one name"),
        ({"opponents": ["nobody"]}, {}, "'nobody' is not a player"),
        ({"seat": 2}, {}, "seat 2: expected 0 to 1"),
        ({}, {"players": 3}, "reset options players: expected setup or position"),
        ({}, {"setup": "first"}, "reset option 'setup': expected a Setup, not str"),
        ({}, {"position": "first"}, "expected board, cards"),
    ],
)
def test_wrong_arguments_are_refused_in_a_sentence(
    arguments: dict[str, Any], options: dict[str, Any], problem: str
) -> None:
    with pytest.raises(ValueError, match=problem):
        TextEnvironment(**arguments).reset(1, options)


def test_hidden_cards_of_a_position_are_dealt_by_the_seed() -> None:
    position = SHORT.replace("G5T4", "G5T5").replace("4:::T", "4:::?")
    hands = {tuple(read_start(position, Random(seed)).hands) for seed in range(20)}
    assert len(hands) > 1
    assert all(hand[0] == "D" and hand[1] in "CDFGT" for hand in hands)


def test_rounds_are_told_in_order() -> None:
    environment = TextEnvironment(["random"], seat=0)
    text = environment.reset(2)
    rounds = []
    done = False
    while not done:
        assert environment.game is not None
        rounds.append(environment.game.game.state.round)
        text, _, done = environment.step(legal_in(text)[0])
    assert all(a <= b for a, b in pairwise(rounds))
    assert max(rounds) >= 13
