"""Every game comes to an end: also one that begins from an odd position written by hand."""

from random import Random

import pytest
from odd_positions import odd_position

from kingdom_builder.content import ALL_SETS, first_game, make_setup, random_setup
from kingdom_builder.content.setups import board_of
from kingdom_builder.notation import NotationError, as_played_under, parse_position, parse_stored_position, position_of
from kingdom_builder.players import find_hints, forecast, make_player
from kingdom_builder.players.random import random_action
from kingdom_builder.rules import KEPT_RULINGS, RULES_VERSION, State, kept_rulings, observe, random_draw
from kingdom_builder.rules.versions import EMPTY_SUPPLY_GOES_ON

EMPTY = "DDDDDDDD/DDDDDDDD/D1DDDDDD/DDDDDDDD(paddock) - - 1 C5D4F5G5T4 - 1A/D/0/- 0:a1,d4:b3:D 0:h1::T"
"""All supplies are empty, and nothing says that the game ends."""

MOST = 5_000
"""Actions after which a game counts as endless."""


def play_to_the_end(state: State, rng: Random) -> int:
    """Play at random; the number of actions."""
    for number in range(MOST):
        if state.over:
            return number
        draw = state.awaiting is not None
        assert state.legal(), position_of(state)
        state.apply(random_draw(state, rng.random) if draw else random_action(state, rng.random))
        assert min(state.supply) >= 0
    raise AssertionError(f"endless: {position_of(state)}")


def test_a_game_ends_with_the_round_in_which_a_supply_is_empty() -> None:
    state = parse_stored_position(EMPTY)
    play_to_the_end(state, Random(1))
    assert state.round == 1
    assert state.ending


def test_a_round_with_an_empty_supply_is_played_to_its_end() -> None:
    state = parse_stored_position(EMPTY.replace("1A/D/0/-", "7A/D/0/-").replace("0:h1::T", "9:h1::T"))
    seats = set()
    while not state.over:
        seats.add((state.round, state.player))
        state.apply(random_draw(state, Random(1).random) if state.awaiting else random_action(state, Random(1).random))
    assert seats == {(7, 0), (7, 1)}


def test_odd_positions_come_to_an_end_or_are_refused() -> None:
    """As many as a second allows; of 240,000 that were read in longer searches all ended."""
    rng = Random("odd positions")
    refused = ended = 0
    for _ in range(1_500):
        line = odd_position(rng)
        try:
            state = parse_position(line)
        except NotationError:
            refused += 1
            continue
        play_to_the_end(state, rng)
        ended += 1
    assert ended > 100 < refused


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("GG/1G(fort) - - 2 C1 - 1A/G/0/fort 9:a1::G 9:::", "without a card"),
        ("GG/1G(fort) - - 2 C1 - 1A/G/0/fort= 0:a1::G 9:::", "empty supply"),
        ("GG/1G(fort) - - 2 C1 - 1A/G/0/fort 9:a1::G 9::: fort=6", "expected at most 5"),
        ("GG/1G(quarry) - - 2 C1 - 1A/G/0/quarry 9:a1::G 9:::", "0 steps left"),
        ("GGG/1GG(wagon) - - 2 C1 - 1A/G/0/wagon>a1 9:a1::G 9::: wagons=a1", "0 steps left"),
        ("GGG/NGG - - 1 C1 - 1A/G/0/resettlement>a1*999999 9:a1::G 9::: nomads=a2:resettlement", "999999 steps left"),
        ("GG/1G(fort) - - 2 C2 - 1A/C/3/- 9:a1:a2:C 9:::", "the card allows no hex"),
        ("GG/1G(fort) - - 2 C2 - 1A/-/3/- 9:a1:a2:CC 9:::", "the card allows no hex"),
        ("GG/GG - - - C1 - 0A/-/0/= 9::: 9::: 9:::", "3 cards are still to be dealt"),
        ("GG/GG - - - C1D1 - 0A/-/0/=2 9::: 9:::", "3 cards are still to be dealt"),
    ],
)
def test_a_position_that_leads_nowhere_is_refused_in_one_sentence(line: str, reason: str) -> None:
    with pytest.raises(NotationError) as error:
        parse_position(line)
    assert reason in error.value.reason
    assert "\n" not in error.value.reason


def test_an_observer_knows_when_there_is_no_card_to_draw() -> None:
    """The unseen cards are all in the hands of others: none is left for the Fort."""
    state = parse_position("GGGG/1GGG(fort) - - 2 - - 1A/G/0/- 9:a1:a2:G 9:::C")
    assert observe(state, 0).legal() == state.legal()
    with_card = parse_position("GGGG/1GGG(fort) - - 2 T1 - 1A/G/0/- 9:a1:a2:G 9:::C")
    assert observe(with_card, 0).legal() == with_card.legal() != state.legal()


def test_a_bot_does_not_wait_for_a_card_that_cannot_come() -> None:
    """It chose another piece to move again and again, to come to a draw, while the only card was in another's hand."""
    state = parse_position(
        "FGDC/TDDG/NGTC/FVDD families,workers,hermits - 0 - - 2A!/-/0/resettlement>d1*1 0:a1,d1,b2,d3:a3*: "
        "3:b3,a4,c4:a3:F nomads=a3:resettlement family=a1,d1,d2 walls=c1"
    )
    greedy = make_player("greedy")
    actions = 0
    while state.player == 0 and actions < 10:
        state.apply(greedy.choose(observe(state, 0)))
        actions += 1
    assert actions <= 3


def test_in_play_an_empty_supply_always_brings_the_end() -> None:
    """So that the mended rule changes nothing but positions written by hand, whatever the Sword does."""
    swords = 0
    for seed in range(20):
        rng = Random(seed)
        state = State(random_setup(rng, 2 + seed % 4, sets=ALL_SETS, options=["swordCancelsEnd"] * (seed % 2)))
        swords += any(tile.key == "sword" for tile in state.setup.nomads.values())
        while not state.over:
            draw = state.awaiting is not None
            state.apply(random_draw(state, rng.random) if draw else random_action(state, rng.random))
            assert state.ending or all(state.supply)
    assert swords


# ---- stored games go on as they began --------------------------------------------------------------------------------

KEPT = as_played_under(EMPTY, 1)
"""Endless: it goes on by the rules before this was mended."""


def test_a_game_goes_on_under_the_rules_that_it_began_with() -> None:
    assert as_played_under(EMPTY, RULES_VERSION) == EMPTY
    assert KEPT.split()[2] == EMPTY_SUPPLY_GOES_ON
    state = parse_position(KEPT)
    assert position_of(state) == KEPT
    assert kept_rulings(state.setup) == {EMPTY_SUPPLY_GOES_ON}
    assert not kept_rulings(parse_stored_position(EMPTY).setup)
    rng = Random(1)
    for _ in range(MOST):
        state.apply(random_draw(state, rng.random) if state.awaiting else random_action(state, rng.random))
    assert not state.over
    assert as_played_under(EMPTY.replace(" - - 1", " - siloLive 1"), 1).split()[2] == "emptySupplyGoesOn,siloLive"
    with pytest.raises(ValueError, match=f"version 99 of the rules: expected 1 to {RULES_VERSION}"):
        as_played_under(EMPTY, 99)


@pytest.mark.parametrize("key", KEPT_RULINGS)
def test_kept_rulings_are_not_for_new_games(key: str) -> None:
    with pytest.raises(ValueError, match="unknown option"):
        first_game(2, [key])
    with pytest.raises(ValueError, match="unknown option"):
        random_setup(Random(1), options=[key])
    with pytest.raises(NotationError) as error:
        parse_position(EMPTY.replace(" - - 1", " - nonsense 1"))
    assert key not in str(error.value)
    assert make_setup(board_of("tavern/paddock/oasis/farm"), [], 2, [key]).options == {key}


# ---- nobody thinks forever ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", [KEPT, KEPT.replace("b3:D", "b3*:D"), KEPT.replace("0:h1::T", "0:h1,g1::T")])
@pytest.mark.parametrize("level", ["random", "greedy", "hard:300n", "hard:100ms", "expert:2000n", "expert:300ms"])
def test_players_answer_in_an_endless_position(level: str, line: str) -> None:
    state = parse_position(line)
    player = make_player(level, 1)
    for _ in range(10):
        if state.awaiting:
            state.apply(random_draw(state, Random(1).random))
        else:
            state.apply(player.choose(observe(state, state.player)))


def test_advice_is_given_in_an_endless_position() -> None:
    state = parse_position(KEPT)
    assert find_hints(observe(state, 0))
    assert len(forecast(state)) == 2
