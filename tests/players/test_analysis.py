"""The analysis of turns: exact where the last turn can be counted out, and a planted blunder stands out."""

from collections.abc import Iterator
from random import Random

import pytest

from kingdom_builder.content import ALL_SETS, random_setup
from kingdom_builder.game import Game
from kingdom_builder.notation import parse_position, play, position_of
from kingdom_builder.players import analysis, make_player, random_action
from kingdom_builder.players.analysis import MISTAKES, accuracy, accuracy_of, analyse_game, analyse_turn, decided_turns
from kingdom_builder.rules import DRAWN, END, Action, State, observe, scores, turn_of

LAST_TURNS = {
    "three in a row win": (
        "GGGGGG/GGGGGG/DDDDDD/DDDDDD knights - - C5D4F5G4T5 - 9B!/G/3/- 0:a3,b3,c3,d3::D 3:a1,b1::G",
        {"c1", "d1", "e1"},
    ),
    "water pays, grass does not": (
        "GGGGWW/GGGGGG/DDDDDD/DDDDDD fishermen - - C5D4F5G4T5 - 9B!/G/3/- 0:a3,b3,c3::D 3:c1::G",
        {"d1", "d2", "e2"},
    ),
    "the farm reaches the third shore": (
        "GGDDWW/G1GGGW/DDDGGG/DDDDDD(farm) fishermen - 1 C5D3F5G5T5 - 9B!/D/1/- 0:a3,b3,c3::D 2:c1:b2:D",
        {"d1"},
    ),
}
"""The last turn of a game, in which only one set of hexes wins."""


def ends_of_turn(state: State) -> Iterator[tuple[tuple[Action, ...], State]]:
    """Every way to play the last turn of a game, by trying all of them."""
    stack: list[tuple[tuple[Action, ...], State]] = [((), state)]
    seen: set[str] = set()
    while stack:
        actions, at = stack.pop()
        if at.over:
            yield actions, at
            continue
        for action in range(at.legal().bit_length()):
            if at.legal() >> action & 1:
                after = at.copy()
                after.apply(action)
                key = position_of(after)
                if after.over or key not in seen:
                    seen.add(key)
                    stack.append(((*actions, action), after))


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A short search, for whole games."""
    monkeypatch.setattr(analysis, "POSITIONS", 600)


def margin(state: State, seat: int) -> int:
    gold = scores(state)
    return gold[seat] - max(gold[:seat] + gold[seat + 1 :])


@pytest.mark.parametrize("name", LAST_TURNS)
def test_a_forced_win_is_found_and_the_loss_is_exact(name: str) -> None:
    position, winning = LAST_TURNS[name]
    start = parse_position(position)
    ways = list(ends_of_turn(start))
    best = max(margin(after, start.player) for _, after in ways)
    assert best > 0
    rng = Random(name)
    for actions, after in [
        *rng.sample(ways, min(12, len(ways))),
        max(ways, key=lambda way: margin(way[1], start.player)),
    ]:
        found = analyse_turn(start, actions)
        assert found.lost == best - margin(after, start.player)
        if found.better:
            won = start.copy()
            for move in found.better.moves:
                play(won, move)
            assert won.over
            assert margin(won, start.player) == best
            assert winning <= {move.rpartition(":")[2] for move in found.better.moves}
            assert len(found.better.events) >= len(winning)
        else:
            assert margin(after, start.player) == best


def played_game(seed: int, sets: tuple[str, ...], blunder: int | None = None) -> Game:
    """A game of two searching bots; in one round the first seat plays whatever is legal."""
    rng = Random(seed)
    game = Game(State(random_setup(rng, 2, sets=sets)), seed)
    bots = [make_player("hard:150n", seat) for seat in range(2)]

    def decide(state: State) -> Action:
        if state.player == 0 and state.round == blunder:
            return random_action(state, rng.random)
        return bots[state.player].choose(observe(state, state.player))

    for _ in game.run(decide):
        pass
    return game


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("sets", [("base",), ALL_SETS])
def test_a_planted_blunder_stands_out(sets: tuple[str, ...]) -> None:
    found = list(analyse_game(played_game(5, sets, blunder=3)))
    worst = max(found, key=lambda turn: turn.lost)
    assert (worst.turn.round, worst.turn.seat) == (3, 0)
    assert worst.mistake in ("blunder", "mistake")
    assert worst.better
    assert worst.better.reasons
    first, second = accuracy(found, 0), accuracy(found, 1)
    assert first is not None
    assert second is not None
    assert first < second


@pytest.mark.usefixtures("quick")
def test_every_turn_with_a_decision_is_analysed_once_and_better_lines_can_be_played() -> None:
    game = played_game(7, ALL_SETS, blunder=2)
    found = list(analyse_game(game))
    assert [turn.ply for turn in found] == [turn.begin for turn in decided_turns(game)]
    decisions = [ply for ply, action in enumerate(game.actions()) if action not in DRAWN]
    covered = [ply for turn in decided_turns(game) for ply in range(turn.begin, turn.end)]
    assert set(decisions) <= set(covered)
    for turn in found:
        assert turn.lost >= 0
        assert turn.better or not turn.lost
        if turn.better:
            state = game.state_at(turn.better.ply).copy()
            assert turn_of(state) == turn.turn
            for move in turn.better.moves:
                play(state, move)


def test_the_analysis_does_not_know_hidden_cards() -> None:
    """What another seat holds changes nothing."""
    game = Game.random(2, sets=ALL_SETS, seed=11)
    rng = Random(2)
    for _ in game.run(lambda state: random_action(state, rng.random)):
        if game.state.round == 4 and game.player == 0 and not game.state.awaiting:
            break
    start = game.state
    actions = []
    trial = start.copy()
    while turn_of(trial) == turn_of(start) and not trial.awaiting:
        actions.append(END if trial.legal() >> END & 1 else random_action(trial, rng.random))
        trial.apply(actions[-1])
    other = start.copy()
    kept, swapped = other.hands[1][0], next(card for card in other.deck if card != other.hands[1][0])
    other.hands[1] = other.hands[1].replace(kept, swapped, 1)
    other.deck = "".join(sorted(other.deck.replace(swapped, kept, 1)))
    assert position_of(other) != position_of(start)
    assert analyse_turn(other, actions) == analyse_turn(start, actions)


def test_marks_and_accuracy_follow_from_what_was_lost() -> None:
    assert list(MISTAKES.values()) == sorted(MISTAKES.values(), reverse=True)
    assert accuracy_of(0) == 100
    assert accuracy_of(3) > accuracy_of(3.1)
    assert accuracy([], 0) is None
