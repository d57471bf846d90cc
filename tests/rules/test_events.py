"""Events: one for what a player sees as one thing."""

from collections import Counter

import pytest
from playing import Case, game
from scenes import scene

from kingdom_builder.content import ALL_SETS
from kingdom_builder.hexes import hex_names, parse_hex
from kingdom_builder.rules import END, State, events
from kingdom_builder.rules.components import BY_SEAT
from kingdom_builder.rules.events import Counted


def applied(state: State, h: str) -> list[str]:
    """What happens when a hex is chosen."""
    before = state.copy()
    state.apply(parse_hex(h))
    return [str(event) for event in events(before, parse_hex(h), state)]


def hall(options: str = "-") -> State:
    return scene(
        "G G G G G G / G G G G G G / G G G G G G / 1 G G G G G / G G G G G G",
        "4A/G/0/city-hall",
        "39:b4:a4*:G",
        "38:f5::T",
        locations="city-hall",
        options=options,
    )


def test_a_city_hall_is_one_event() -> None:
    assert applied(hall(), "c2") == ["A places the city hall around c2"]


def test_what_a_city_hall_takes_is_told_after_it() -> None:
    state = scene(
        "G G G G G G / G G G G G G / G G G G 2 G / 1 G G G G G / G G G G G G",
        "4A/G/0/city-hall",
        "39:b4:a4*:G",
        "38:f5::T",
        locations="city-hall,farm",
        cards="shepherds,ambassadors,families",
    )
    said = applied(state, "c2")
    assert said[0] == "A places the city hall around c2"
    assert said[1:] == ["A collects 2 gold from Shepherds", "A takes the Farm tile of e3"]


def test_a_city_hall_that_is_placed_elsewhere_moves_as_a_whole() -> None:
    before, after = hall(), hall()
    before.apply(parse_hex("c2"))
    after.apply(parse_hex("b2"))
    assert len(hex_names(before.own[0] & after.own[0])) > 1
    assert [str(event) for event in events(before, parse_hex("b2"), after)] == ["A moves from c2 to b2"]


def test_gold_that_is_earned_knows_its_hex() -> None:
    state = scene("G G D / G G D / D D D", "4A/G/3/-", "40:::G", "38:c1,a3::T", cards="ambassadors,shepherds,families")
    before = state.copy()
    state.apply(parse_hex("b1"))
    (earned,) = [event for event in events(before, parse_hex("b1"), state) if isinstance(event, Counted)]
    assert (earned.seat, earned.component.key, earned.gold, earned.hex) == (0, "ambassadors", 1, parse_hex("b1"))


def test_gold_of_the_end_of_a_turn_has_no_hex_and_a_number_is_no_gold() -> None:
    state = scene("G G D / G G D / D D D", "4A/G/1/-", "38:a1,b1::G", "38:c1,a3::T", cards="rovers")
    state.apply(parse_hex("a2"))
    before = state.copy()
    state.apply(END)
    (earned,) = [event for event in events(before, END, state) if isinstance(event, Counted)]
    assert (earned.gold, earned.hex) == (1, None)
    number = scene("G G D / G 1 D / D D D", "4A/G/3/-", "40:::G", "40:::T", locations="cathedral")
    before = number.copy()
    number.apply(parse_hex("b1"))
    (counted,) = [event for event in events(before, parse_hex("b1"), number) if isinstance(event, Counted)]
    assert (counted.after, counted.gold) == (1, 0)


@pytest.mark.parametrize(
    "case", [Case(players, sets=ALL_SETS, seed=seed) for players in (2, 5) for seed in (1, 2)], ids=str
)
def test_gold_of_events_is_what_the_cards_that_collect_it_pay(case: Case) -> None:
    """Cards that pay during the game pay nothing else: what they and the treasures pay is what events told."""
    earned: Counter[tuple[int, str]] = Counter()
    for step in game(case):
        for event in events(step.before, step.action, step.after):
            if isinstance(event, Counted):
                earned[event.seat, event.component.key.removesuffix("s")] += event.gold
    last = game(case)[-1].after
    for seat in range(last.setup.players):
        for card in last.setup.scoring:
            if any(kind == BY_SEAT for kind in card.fields.values()) or card.key == "treasures":
                assert earned[seat, card.key.removesuffix("s")] == card.score(last, seat)[0], card.key
