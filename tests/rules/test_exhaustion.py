"""Nobody gets stuck: crowded maps on which room, cards or settlements run out, played to the end at random."""

from random import Random

import pytest
from playing import Case, choose, drawn_setup, start_of

from kingdom_builder.board import Board
from kingdom_builder.content import ALL_SETS, BOXES, LOCATIONS, OPTIONS, make_setup
from kingdom_builder.hexes import AREA, NEAR, bits, parse_hex
from kingdom_builder.notation import parse_position, play, position_of
from kingdom_builder.rules import DONE, END, OTHER, USE, Setup, State, scores, winners
from kingdom_builder.rules.components import Finale
from kingdom_builder.rules.invariants import check

LONGEST = 4000
"""Actions that no crowded game needs."""

CHECKED = 3
"""Every how many actions the invariants are checked."""


def play_to_the_end(state: State, rng: Random, prefer: frozenset[str] = frozenset(), *, complete: bool = True) -> State:
    """A random game; the tiles of the preferred actions are used whenever they can be.

    Unless it is complete, settlements are missing from the start: then the invariants do not hold.
    """
    setup = state.setup
    preferred = sum(1 << USE + kind for kind, action in enumerate(setup.actions) if action.key in prefer)
    for number in range(LONGEST):
        if state.over:
            assert not state.legal()
            if complete:
                check(state)
            return state
        eager = 0 if state.awaiting else state.legal() & preferred
        action = rng.choice(bits(eager)) if eager else choose(state, rng)
        state.apply(action)
        assert state.over or state.legal()
        if complete and (number % CHECKED == 0 or state.acting is not None):
            check(state)
        if number % 40 == 0:
            assert parse_position(position_of(state)) == state
    raise AssertionError(f"not over after {LONGEST} actions: {position_of(state)}")


def board_with(rng: Random, height: int, width: int, letters: str, locations: list[str]) -> Board:
    """A map of random letters, with each of these locations on a hex."""
    places = rng.sample([(row, col) for row in range(height) for col in range(width)], min(len(locations), height))
    rows = [[rng.choice(letters) for _ in range(width)] for _ in range(height)]
    for number, (row, col) in enumerate(places):
        rows[row][col] = str(number + 1)
    return Board(["".join(row) for row in rows], locations[: len(places)])


ALL_KEYS = [location.key for box in BOXES.values() for location in box.locations]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("letters", ["GCDFT", "GCDFTWMVAINK", "GGGGGW", "AVIGM", "NGCDFT", "WMVG"])
def test_tiny_maps_with_any_locations(players: int, letters: str) -> None:
    for seed in range(12):
        rng = Random(f"{players} {letters} {seed}")
        height, width = rng.randint(1, 5), rng.randint(1, 6)
        board = board_with(rng, height, width, letters, rng.sample(ALL_KEYS, min(6, rng.randint(0, height))))
        options = tuple(rng.sample(list(OPTIONS), rng.choice((0, 0, 2, 5))))
        case = Case(players, "small", seed, options, ALL_SETS)
        final = play_to_the_end(State(drawn_setup(rng, board, case)), rng)
        assert winners(final)
        assert min(scores(final)) >= 0


@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize("location", ALL_KEYS)
def test_every_location_alone_on_a_map_that_fills_up(players: int, location: str) -> None:
    """Its tile is used whenever it can be, until nothing is left to do."""
    rows = ["GGCCDDF", "G1WMVTF", "GCTAATF", "GCNKITD", "GCC1DFD"]
    board = Board(rows, [location])
    nomad = {bits(board.nomad_spaces)[0]: Random(location + str(players)).choice(NOMADS)}
    setup = make_setup(board, ["mayors", "shepherds", "rovers"], players, nomads=nomad, tasks=["fortress", "advance"])
    play_to_the_end(State(setup), Random(players), frozenset([location]))


NOMADS = ["sword", "outpost", "resettlement", "treasure", "donation-grass", "donation-water", "donation-mountain"]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_warriors_everywhere(players: int) -> None:
    """Barracks are used at every opportunity: blocked hexes are not free, so cards run out and are replaced."""
    blocked = 0
    for seed in range(6):
        rng = Random(seed)
        rows = ["GCDFT", "1GC1D", "FTGCD", "1TFG2", "DCGTF"]
        setup = make_setup(Board(rows, ["barracks", "bazaar"]), ["families"], players)
        final = play_to_the_end(State(setup), rng, frozenset(["barracks", "bazaar"]))
        blocked += final.blocked.bit_count()
    assert blocked


def test_a_board_full_of_warriors_ends_the_game() -> None:
    """Every free hex is next to a warrior: no card fits, all leave the game, and it is over after the round."""
    line = "GGGGG/G1GGG/GGGGG(barracks) - - 0 C5D5F5G3T5 - 3A/G/3/barracks 39:b1,a2:b2*:G 39:c2,e2:b2:G warriors=b1,e2"
    state = parse_position(line)
    spot = next(h for h in bits(state.legal() & AREA) if not state.own[0] >> h & 1)
    state.apply(spot)
    check(state)
    final = play_to_the_end(state, Random(1))
    assert final.over


@pytest.mark.parametrize("players", [2, 4, 5])
def test_decks_that_run_dry(players: int) -> None:
    """A map with one small terrain only: most cards leave the game; the rest go round and round."""
    for seed in range(8):
        rng = Random(seed)
        rows = ["WWGWW", "W1GGM", "WWGG2"]
        setup = make_setup(Board(rows, rng.sample(ALL_KEYS, 2)), [], players)
        final = play_to_the_end(State(setup), rng)
        cards = final.deck + final.discard + "".join(final.hands)
        assert len(cards) < 25
        assert final.ending


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_crossroads_and_fort_with_a_small_deck(players: int) -> None:
    """Hands of two and three cards, and draws on the way, from a pile that grows thin."""
    several = 0
    for seed in range(6):
        rng = Random(seed)
        rows = ["GGGC1", "G2GCC", "GGDD3", "FFDDG", "F4GGG"]
        locations = ["crossroads", "fort", "bazaar", "quarry"]
        state = State(make_setup(Board(rows, locations), ["lords"], players, ["equalCardsFree"] * (seed % 2)))
        prefer = frozenset(locations)
        hands = Hands()
        play_counting(state, rng, prefer, hands)
        several += hands.most
    assert several >= 12


class Hands:
    most = 0


def play_counting(state: State, rng: Random, prefer: frozenset[str], hands: Hands) -> None:
    preferred = sum(1 << USE + kind for kind, action in enumerate(state.setup.actions) if action.key in prefer)
    for _ in range(LONGEST):
        if state.over:
            return
        eager = 0 if state.awaiting else state.legal() & preferred
        state.apply(rng.choice(bits(eager)) if eager else choose(state, rng))
        check(state)
        hands.most = max(hands.most, *map(len, state.hands))
    raise AssertionError(position_of(state))


@pytest.mark.parametrize("options", [(), ("siloLive",), ("meeplesOnlyByOwnAction",)], ids=str)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_silos_after_the_last_turn(players: int, options: tuple[str, ...]) -> None:
    """Seats play in turn order, each at most three for each silo, and then the game is over."""
    played = 0
    for seed in range(5):
        rng = Random(seed)
        rows = ["GGGGGGGCCCCDDDDGTTTT", "GIGGGIGCCICCTDDGTATA", "GCCDDFGCCCFFTDIGTTTF", "GTIGMAGTCFFFIDWGGGFF"] * (
            players - 1
        )
        rows[1] = rows[1].replace("M", "1").replace("W", "1").replace("TATA", "1ATA")
        setup = make_setup(Board(rows, ["wagon"]), ["rovers", "mayors"], players, options)
        state = State(setup)
        order: list[tuple[int, int]] = []
        gold = 0
        for _ in range(LONGEST):
            if state.over:
                break
            was_silo = isinstance(state.acting, Finale)
            state.apply(choose(state, rng))
            check(state)
            if isinstance(state.acting, Finale):
                assert state.ending
                assert 1 <= state.steps <= 3
                assert not state.awaiting
                assert state.legal()
                order.append((state.player, state.memory["silos"].bit_count()))
                gold = gold if was_silo else state.memory.get("rovers", 0)
                assert state.memory.get("rovers", 0) == gold, "RULES 8.2: no red gold in the silo phase"
        assert state.over
        assert [seat for seat, _ in order] == sorted(seat for seat, _ in order)
        for seat in range(players):
            left = [silos for other, silos in order if other == seat]
            assert left == sorted(left, reverse=True)
        played += len(order)
        assert not isinstance(state.acting, Finale)
    assert played


@pytest.mark.parametrize("players", [2, 5])
def test_caves_with_nowhere_to_go(players: int) -> None:
    for seed in range(8):
        rng = Random(seed)
        rows = [["GVG", "VGV", "GVG"], ["VVVV", "VGGV", "VVVV"], ["GGVWW", "WWWWW", "AAVGG"]][seed % 3]
        play_to_the_end(State(make_setup(Board(rows), ["hermits"], players)), rng, frozenset(["cave-move"]))


@pytest.mark.parametrize("rows", [["G"], ["W"], ["A"], ["V"], ["K"], ["GI"], ["GN"], ["1"], ["M1W"]])
def test_maps_of_hardly_any_hex(rows: list[str]) -> None:
    for key in LOCATIONS if any("1" in row for row in rows) else ["farm"]:
        board = Board(rows, [key])
        for players in (2, 5):
            nomads = dict.fromkeys(bits(board.nomad_spaces), "donation-grass")
            play_to_the_end(State(make_setup(board, ["mayors"], players, nomads=nomads)), Random(1))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_printed_boards_of_all_boxes_come_to_an_end(players: int) -> None:
    for seed in range(3):
        play_to_the_end(start_of(Case(players, "printed", 100 + seed, (), ALL_SETS)), Random(seed))


def test_a_seat_with_an_empty_supply_can_always_end_its_turn() -> None:
    """RULES 4.6: supply 0 leaves moves, walls, pieces of other kinds; and never a duty to build."""
    for key in ALL_KEYS:
        state = parse_position(
            f"GGGGG/G1GCG/GGWMG/GGGGG({key}) - - 1 C4D5F5G3T5 - 3A!/G/0/- 0:a1,b1,a2,e4:b2:G 38:e1,e2::C"
        )
        for seed in range(4):
            play_to_the_end(state.copy(), Random(seed), frozenset([key]), complete=False)
        assert state.legal() >> END & 1


def test_a_vehicle_that_cannot_step_can_still_be_taken_back() -> None:
    for key, field, hexes in (("wagon", "wagons", "GWW/W1G/WWW"), ("lighthouse", "ships", "GGG/G1W/GGG")):
        line = f"{hexes}({key}) - - 1 C5D5F5G4T5 - 3A/G/0/- 40:c2:b2:G 40::: {field}=c2"
        state = parse_position(line)
        play(state, f"{key}:c2")
        assert state.legal() == 1 << OTHER
        play(state, "other")
        assert not state.own[0]
        assert field not in state.memory
        assert position_of(state).split(" ")[7] == "40::b2-:G"
        check(state)


def test_a_donation_stops_when_supply_or_terrain_runs_out() -> None:
    line = "GGGGG/GNGWG/GGGGG - - 0 C5D5F5G4T5 - 3A/G/3/- {supply}:a1:b2:G 40::: nomads=b2:donation-{terrain}"
    state = parse_position(line.format(supply=2, terrain="grass"))
    play(state, "donation-grass:b1,c1")
    assert state.acting is None
    assert (state.supply[0], state.builds_left, state.ending) == (0, 0, True)
    state = parse_position(line.format(supply=5, terrain="water"))
    play(state, "donation-water:d2")
    assert (state.acting, state.supply[0], state.builds_left) == (None, 4, 3)


def test_a_sword_spares_who_has_nothing_and_takes_from_all_others() -> None:
    line = "GGGGG/GNGGG/GGGGG - - 0 C5D5F5G1T5 - 3A/G/0/- 39:a1:b2:G {} nomads=b2:sword"
    state = parse_position(line.format("38:c1,d1::G 40:::G 39:e1::G"))
    play(state, "sword:c1")
    assert state.acting is not None
    assert bits(state.legal()) == bits(state.own[3])
    play(state, "e1")
    assert state.acting is None
    assert state.supply == [39, 39, 40, 40]
    nobody = parse_position(line.format("40:::G 40:::G"))
    assert not nobody.legal() >> USE & 1


@pytest.mark.parametrize(
    ("key", "move", "further"),
    [
        ("quarry", "quarry:a2", "c1"),
        ("cathedral", "cathedral:a2", "c1"),
    ],
)
def test_a_card_is_replaced_inside_an_action_which_then_goes_on(key: str, move: str, further: str) -> None:
    """RULES 4.3: the last grass hex is taken, a new card is drawn at once, and the action goes on with its terrain."""
    count = " cathedral=3,0" if key == "cathedral" else ""
    line = f"GGC/G1C/CCC({key}) - - 1 C5D5F5G3T5 - 3A/G/0/- 38:a1,b1:b2:G 40:::G{count}"
    state = parse_position(line)
    play(state, move)
    assert (state.awaiting, state.acting is None) == ("card", False)
    assert parse_position(position_of(state)) == state
    play(state, "=D")
    assert state.awaiting == "card"
    play(state, "=C")
    assert state.legal() >> parse_hex(further) & 1
    assert state.legal() >> DONE & 1
    done = state.copy()
    play(done, "done")
    assert done.legal() == 1 << END
    play(state, further)
    assert state.own[0] >> parse_hex(further) & 1 or state.memory["walls"] >> parse_hex(further) & 1


def test_no_card_is_left_inside_an_action() -> None:
    """The pile is empty when the card has to be replaced: the action can be stopped and the turn ended."""
    for key, count in (("quarry", ""), ("cathedral", " cathedral=3,0")):
        line = f"GGC/G1C/CCC({key}) - - 1 - - 3A/G/0/- 38:a1,b1:b2:G 40:::C{count}"
        state = parse_position(line)
        play(state, f"{key}:a2")
        assert (state.awaiting, state.card) == (None, "")
        play_to_the_end(state, Random(1), complete=False)


def free_ring(setup: Setup) -> bool:
    return any(NEAR[h].bit_count() == 6 for h in bits(setup.room))


def test_a_city_hall_is_placed_once_and_for_all() -> None:
    rows = ["GGGGGGG"] * 3 + ["GGG1GGG"] + ["GGGGGGG"] * 3
    setup = make_setup(Board(rows, ["city-hall"]), ["citizens"], 3)
    assert free_ring(setup)
    placed = 0
    for seed in range(6):
        final = play_to_the_end(State(setup), Random(seed), frozenset(["city-hall"]))
        halls = final.memory.get("city-halls", 0)
        assert all((halls & own).bit_count() in (0, 7) for own in final.own)
        placed += halls.bit_count() // 7
    assert placed


def test_all_cards_of_a_hand_leave_the_game_if_none_allows_a_hex() -> None:
    """RULES 4.3: while the choice is open, useless cards go together; single cards are drawn until one fits."""
    state = parse_position("GGGGG/GG1GG/GGGGG(crossroads) - - 2 C3D4F5G4T5 C 3A/-/0/= 40::: 40:::CD")
    play(state, "=T")
    assert (state.player, state.hands[1], state.awaiting, state.builds_left) == (1, "", "card", 3)
    play(state, "=F")
    assert state.awaiting == "card"
    play(state, "=G")
    assert (state.hands[1], state.card) == ("G", "G")
    check(state)


def test_a_lifted_warrior_does_not_block() -> None:
    """RULES 4.4: it may step to a hex next to where it stood; what stands next to another warrior stays blocked."""
    line = "GGGGGG/GNGGGG/GGGGGG - - 0 C5D5F5G3T5 - 3A/G/0/- 37:a1,c1,f1:b2:G 40:::G nomads=b2:resettlement"
    state = parse_position(
        line.replace("GNGGGG", "GNGG1G(barracks)")
        .replace("(barracks)/GGGGGG", "/GGGGGG(barracks)")
        .replace(" 0 C5", " 10 C5")
        + " warriors=c1,f1"
    )
    play(state, "resettlement:c1")
    assert [spot for spot in ("b1", "d1", "c2") if state.legal() >> parse_hex(spot) & 1] == ["b1", "d1", "c2"]
    play(state, "d1")
    assert not state.legal() >> parse_hex("e1") & 1


def test_a_city_hall_needs_seven_free_hexes_its_centre_too() -> None:
    """RULES 6.3: neither around a location nor around a piece."""
    rows = "/".join(["GGGGGGGGGG", "GGGGGGGGGG", "GG1GGGGGGG", *["GGGGGGGGGG"] * 5])
    seats = "38:a3,c7:c3*:G 39:h4::G"
    state = parse_position(f"{rows}(city-hall) - - 1 C5D5F5G3T5 - 3A/G/0/city-hall {seats}")
    legal = state.legal()
    taken = [parse_hex(text) for text in ("c3", "c7", "h4", "a3")]
    assert legal
    for h in taken:
        assert not legal & (NEAR[h] | 1 << h)


def test_the_numbers_of_the_cathedral_are_gone_with_its_tile() -> None:
    line = (
        "GGGGG/G1GGG/GGGGG/GGG2G(cathedral,paddock) - - 11 C5D5F5G3T5 - 3A/G/0/- 38:a1,d3:b2,d4:G 40:::G cathedral=3,2"
    )
    state = parse_position(line.replace("a1", "b1"))
    play(state, "paddock:b1-d1")
    assert [state.of_seat("cathedral", seat) for seat in (0, 1)] == [0, 2]


def test_scouts_placed_again_leave_their_first_hexes() -> None:
    """RULES 6.4: the Bazaar may relocate the scouts; there are only two of them."""
    line = "GGGGG/G1GGG/GGGGG/GGG2G(scout-cabin,bazaar) - - 11 C5D5F5G3T5 - 3A/G/0/- 38:a1,d3:b2,d4:G 40:::G"
    state = parse_position(line)
    play(state, "scout-cabin:b1,c1")
    assert state.scouts.bit_count() == 2
    play(state, "bazaar:scout-cabin")
    assert not state.scouts
    play(state, "e3")
    play(state, "c2")
    assert state.scouts == 1 << parse_hex("e3") | 1 << parse_hex("c2")
    check_near = state.copy()
    play(check_near, ".")
    assert not check_near.scouts
