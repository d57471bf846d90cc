"""What everything on the board and beside it means now: what is said is true, and reveals nothing hidden."""

import re
from random import Random

import pytest
from playing import BASE, SMALL, Case, drawn_board, drawn_setup, sample
from scenes import play_all, scene

from kingdom_builder.board.terrain import CASTLE, CAVE, DIGITS, FARMLAND, NAMES, NOMADS, SILO
from kingdom_builder.content import ALL_SETS, COMPONENTS, LOCATIONS
from kingdom_builder.hexes import NEAR, Hex, bits, hex_name, parse_hex
from kingdom_builder.message import Refusal, seat_letter
from kingdom_builder.rules import USE, ExtraAction, State, determinize, observe
from kingdom_builder.rules.explanations import Explanation, explain_component, explain_hex, things
from kingdom_builder.rules.pieces import pieces_of

CASES = [
    *[Case(players, sets=sets, seed=players) for players in (2, 3, 5) for sets in (BASE, ALL_SETS)],
    *[Case(2, board=SMALL, sets=ALL_SETS, seed=seed) for seed in range(20)],
]
PRINTED_AS = {CASTLE: "castles", SILO: "silo", CAVE: "cave-move", FARMLAND: "farm-action"}
"""What explains a hex that is neither a location nor a nomad space, by its letter."""


def states() -> list[State]:
    return [state for case in CASES for state in sample(case, 4)]


def on_hex(state: State, h: Hex) -> list[str]:
    """What is on a hex, from the map and the pieces."""
    setup = state.setup
    found = [kind.key for kind, owners in pieces_of(state).items() if any(hexes >> h & 1 for hexes in owners)]
    letter = setup.board.letter(h)
    printed = []
    if letter in DIGITS:
        printed.append(dict(setup.board.locations)[h])
    elif letter == NOMADS:
        printed += [setup.nomads[h].key] if h in setup.nomads and state.tiles_left[setup.tile_hex.index(h)] else []
    elif letter == CASTLE and setup.capitols >> h & 1 and "capitolReplacesCastle" in setup.options:
        pass
    elif letter in PRINTED_AS:
        printed.append(PRINTED_AS[letter])
    if setup.capitols >> h & 1:
        printed.append("capitol")
    return found + printed or [letter]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_hex_is_explained_by_all_that_is_on_it(case: Case) -> None:
    for state in sample(case, 4):
        for h in bits(state.setup.board.hexes):
            for seat in (None, 0, state.setup.players - 1):
                found = explain_hex(state, h, seat)
                assert sorted(each.subject.key for each in found) == sorted(on_hex(state, h))
                for each in found:
                    check_claims(state, h, seat, each)


def words(explanation: Explanation) -> str:
    return " ".join(map(str, explanation.lines))


def check_claims(state: State, h: Hex, seat: int | None, explanation: Explanation) -> None:
    """What an explanation says of tiles, castles and pieces, against the state."""
    said = words(explanation)
    setup = state.setup
    if seat is None:
        assert not re.search(r"\b[Yy]ou(rs?)?\b", said.replace("to use in each turn from your", ""))
    if h in setup.tile_hex and explanation.subject.kind == "component":
        tile = setup.tile_hex.index(h)
        left = re.search(r"(\d+|No) tiles? (is|are) left", said)
        assert left
        assert int(left[1].replace("No", "0")) == state.tiles_left[tile]
        if seat is not None:
            assert ("You have one." in said) == bool(state.held[seat] >> tile & 1)
            can_take = state.tiles_left[tile] and not state.taken[seat] >> tile & 1 and not state.over
            assert ("and you take" in said) == bool(can_take)
        for other in range(setup.players):
            named = re.search(rf"seat {seat_letter(other)}[^.]* ha(s|ve) one\.", said)
            assert bool(named) == bool(other != seat and state.held[other] >> tile & 1)
    if explanation.subject.key == "castles":
        beside = [who for who, own in enumerate(state.own) if own & NEAR[h]]
        if seat is not None:
            assert ("You have its 3 gold." in said) == (seat in beside)
        for who in beside:
            assert who == seat or f"seat {seat_letter(who)}" in said
    if explanation.subject.key == "settlement":
        (owner,) = [who for who, own in enumerate(state.own) if own >> h & 1]
        assert "It is yours." in said if owner == seat else f"It belongs to seat {seat_letter(owner)}." in said
        assert f"{state.supply[owner]} of 40" in said
    if explanation.subject.kind == "terrain" and explanation.subject.key not in (NOMADS, CASTLE):
        assert not things(setup) >> h & 1


def with_all_locations() -> list[State]:
    """States on drawn maps that together have all locations."""
    keys = list(LOCATIONS)
    case = Case(2, board=SMALL, sets=ALL_SETS)
    boards = [drawn_board(Random(n), 9, 9, ALL_SETS, keys[n : n + 8]) for n in range(0, len(keys), 8)]
    return [State(drawn_setup(Random(n), board, case)) for n, board in enumerate(boards)]


def test_every_component_and_every_piece_is_explained_somewhere() -> None:
    explained: set[str] = set()
    kinds: set[str] = set()
    for state in [*states(), *with_all_locations()]:
        for component in state.setup.components:
            explanation = explain_component(state, component.key, 0)
            assert explanation.subject.key == explanation.rule == component.key
            explained.add(component.key)
        for h in bits(state.setup.board.hexes):
            for each in explain_hex(state, h, None):
                kinds.add(each.subject.key)
                assert each.rule or each.subject.kind != "component"
                assert each.lines or each.subject.kind != "terrain"
    assert explained == {component.key for component in COMPONENTS}
    assert {"settlement", "walls", "warriors", "wagons", "ships", "city-halls"} <= kinds
    assert set(NAMES) - {"K", "I", "V", "A"} <= kinds


def test_everything_that_lies_on_the_board_says_how_it_is_taken() -> None:
    for component in COMPONENTS:
        if isinstance(component, ExtraAction) and hasattr(component, "takes"):
            assert str(component.takes).startswith("Put a piece next to it and you take")


def test_what_a_card_pays_is_what_it_pays() -> None:
    for state in states():
        for card in state.setup.scoring:
            for seat in range(state.setup.players):
                said = words(explain_component(state, card.key, seat))
                assert f"It pays you {card.score(state, seat)[0]} gold now." in said


def test_a_tile_can_be_used_if_it_says_so() -> None:
    checked = 0
    for state in states():
        for kind, action in enumerate(state.setup.actions):
            said = words(explain_component(state, action.key, state.player))
            if state.held[state.player] & state.setup.kind_tiles[kind] and state.acting is not action:
                assert ("You can use it now." in said) == bool(not state.awaiting and state.legal() >> USE + kind & 1)
                checked += 1
    assert checked > 100


@pytest.mark.parametrize("case", CASES[:6], ids=str)
def test_an_explanation_does_not_depend_on_hidden_cards(case: Case) -> None:
    for state in sample(case, 4):
        for seat in (None, 0):
            seen = observe(state, seat)
            told = everything(seen, seat)
            for seed in range(2):
                assert everything(observe(determinize(seen, Random(seed)), seat), seat) == told


def everything(seen: State, seat: int | None) -> list[object]:
    """All that can be asked."""
    hexes = [explain_hex(seen, h, seat) for h in bits(seen.setup.board.hexes)]
    return [*hexes, *[explain_component(seen, component.key, seat) for component in seen.setup.components]]


def test_a_second_tile_from_the_same_hex_is_out_of_reach() -> None:
    state = scene("GGGG/G1GG/GGGG", "3A/G/3/-", "39:d3:b2-:G", "40:::T", locations="farm")
    (farm,) = explain_hex(state, parse_hex("b2"), 0)
    assert words(farm).startswith("You have had its tile: nobody takes a second one from the same hex.")
    (farm,) = explain_hex(state, parse_hex("b2"), 1)
    assert words(farm).startswith("Put a piece next to it and you take a tile")


def test_a_scout_is_explained_by_the_tile_that_sends_it() -> None:
    state = scene("GGGG/G1GG/GGGG", "3A/G/3/-", "38:a1,a2:b2:G", "40:::T", locations="scout-cabin")
    play_all(state, "scout-cabin b1")
    (scout,) = explain_hex(state, parse_hex("b1"), 1)
    assert (scout.subject.key, scout.rule, words(scout)) == ("scouts", "scout-cabin", "It belongs to seat A.")


def test_what_is_not_there_is_refused() -> None:
    state = scene("GGGG/G1GG/GGGG", "3A/G/3/-", "40:::G", "40:::T", locations="farm")
    with pytest.raises(Refusal, match="t20 is not on the board"):
        explain_hex(state, parse_hex("t20"), 0)
    with pytest.raises(Refusal, match="'paddock' is not in this game"):
        explain_component(state, "paddock", 0)


def test_things_are_the_hexes_with_more_than_terrain() -> None:
    for state in states():
        plain = {h for h in bits(state.setup.board.hexes) if state.setup.board.letter(h) not in "123456789KNIV"}
        assert {hex_name(h) for h in bits(things(state.setup))}.isdisjoint({hex_name(h) for h in plain})
        assert len(plain) + things(state.setup).bit_count() == state.setup.board.hexes.bit_count()
