"""The daily game: the same for everybody, whatever they do."""

from collections import Counter
from collections.abc import Callable
from datetime import date, timedelta
from random import Random

import pytest

from kingdom_builder.daily import OPPONENT, PERSON, PLAYERS, VERSION, Daily, parse_day
from kingdom_builder.game import Game
from kingdom_builder.notation import position_of
from kingdom_builder.players import make_player, random_action
from kingdom_builder.rules import DRAWN, Action, State, observe
from kingdom_builder.rules.state import ACTION, CARD, HAND

FIRST = date(2026, 11, 18)
DAYS = [FIRST + timedelta(days=days) for days in range(20)]

Decide = Callable[[State], Action]


def played(day: date, decide: Decide) -> Game:
    """The game of a day, with every decision made by a function."""
    game = Daily(day).game()
    for _ in game.run(decide):
        pass
    return game


def at_random(seed: object) -> Decide:
    rng = Random(str(seed))
    return lambda state: random_action(state, rng.random)


def by_bots(name: str) -> Decide:
    bots = [make_player(name, seat) for seat in range(PLAYERS)]
    return lambda state: bots[state.player].choose(observe(state, state.player))


def hand_cards(game: Game) -> dict[tuple[int, int], str]:
    """The cards drawn for a hand, by round and seat."""
    return {
        (state.round, state.player): DRAWN[action]
        for state, action in game.plies
        if action in DRAWN and state.awaiting == HAND
    }


def test_the_game_of_a_date_never_changes() -> None:
    """Whoever changes this has changed the game of everybody: VERSION must be raised with it."""
    assert (VERSION, OPPONENT) == (1, "greedy")
    expected = {
        "2026-11-18": "paddock'/oasis/harbor/barn' discoverers,merchants,miners TDCCCTDCTTFDFDGGGFFCTGDGFGFDFG",
        "2027-02-28": "harbor'/oasis'/tavern'/oracle' hermits,discoverers,lords GTTDGFFCCCFGCDGGTTDCFDFDTGFCTT",
    }
    for text, game in expected.items():
        daily = Daily(parse_day(text))
        cards = "".join(daily._for_hand(number) for number in range(30))
        board, scoring, *_ = position_of(daily.start()).split()
        assert f"{board} {scoring} {cards}" == game


@pytest.mark.parametrize("day", DAYS[:8], ids=str)
def test_everybody_draws_the_same_cards_whatever_they_do(day: date) -> None:
    games = [played(day, at_random(seed)) for seed in range(6)] + [played(day, by_bots("greedy"))]
    expected: dict[tuple[int, int], str] = {}
    for game in games:
        cards = hand_cards(game)
        assert all(expected.setdefault(key, card) == card for key, card in cards.items())
    assert len(expected) > 20


def test_a_card_that_has_left_the_game_changes_only_the_draws_that_it_must() -> None:
    """No terrain fills up on these boards, so cards are taken out by hand."""
    changed = 0
    for day in DAYS:
        daily = Daily(day)
        for state, action in played(day, at_random(day)).plies:
            if action not in DRAWN or len(state.deck) < 2:
                continue
            for card in set(state.deck):
                fewer = state.copy()
                fewer.deck = state.deck.replace(card, "", 1)
                drawn = DRAWN[daily.draw(fewer)]
                assert drawn in fewer.deck
                assert drawn == DRAWN[Daily(day).draw(fewer)]
                if DRAWN[action] in fewer.deck:
                    assert drawn == DRAWN[action]
                else:
                    changed += 1
    assert changed > 50


def test_other_draws_depend_on_what_they_are_for() -> None:
    """A second replaced card, or one for a tile, is not the card that the hand would get."""
    state = Daily(FIRST).game().state
    orders = set()
    for purpose in (CARD, ACTION):
        for lost in range(3):
            trial = state.copy()
            trial.deck = state.deck[lost:]
            trial.awaiting = purpose
            orders.add(tuple(Daily(day).draw(trial) for day in DAYS))
    assert len(orders) == 6


@pytest.mark.parametrize("day", DAYS[:4], ids=str)
def test_the_opponent_answers_the_same_turn_in_the_same_way(day: date) -> None:
    def game() -> Game:
        me, bot = at_random(day), make_player(OPPONENT, Random().random())
        return played(
            day, lambda state: me(state) if state.player == PERSON else bot.choose(observe(state, state.player))
        )

    assert str(game().record()) == str(game().record())


def test_draws_are_dealt_like_from_a_shuffled_pile() -> None:
    """Each terrain five times in the first 25 draws, and in all days about as often at each place."""
    first: Counter[str] = Counter()
    for days in range(1000):
        daily = Daily(FIRST + timedelta(days=days))
        cards = [daily._for_hand(number) for number in range(25)]
        assert set(Counter(cards).values()) == {5}
        first[cards[0]] += 1
    assert all(150 < count < 250 for count in first.values())


def test_days_differ_in_board_cards_and_draws() -> None:
    starts = [Daily(day).start() for day in DAYS]
    assert len({position_of(start) for start in starts}) == len(DAYS)
    assert len({start.setup.board.map for start in starts}) == len(DAYS)
    assert len({tuple(card.key for card in start.setup.cards) for start in starts}) > len(DAYS) / 2
    assert len({tuple(Daily(day)._for_hand(number) for number in range(10)) for day in DAYS}) == len(DAYS)


def test_a_date_that_is_none_is_refused_in_a_sentence() -> None:
    for text in ("", "today", "2026-13-01", "18.11.2026"):
        with pytest.raises(ValueError, match="is not a date: expected one such as 2026-11-18"):
            parse_day(text)
