"""What players expect of cards, tiles and actions to come."""

from collections.abc import Callable, Iterator, Sequence
from random import Random

import pytest
from playing import LONGEST
from scenes import scene

from kingdom_builder.content import CARDS, random_setup
from kingdom_builder.hexes import AREA, BIT, NEAR, SE, around, bits, hexset, parse_hex, row_col
from kingdom_builder.players import expert, make_player
from kingdom_builder.players.budget import Budget
from kingdom_builder.players.card_heuristics import PROGRESS
from kingdom_builder.players.evaluation import ACTION_GOLD, Evaluator
from kingdom_builder.players.rollouts import Rollouts
from kingdom_builder.players.turn_search import LOOKS, SOURCES, Line, TurnSearch, greedy_step, steps
from kingdom_builder.rules import CHOSEN, END, USE, State, observe, random_draw, scores, turn_of
from kingdom_builder.rules.components import Finale
from kingdom_builder.rules.state import ACTION


def positions(sets: Sequence[str], cards: Sequence[str] | None = None, games: int = 60) -> Iterator[State]:
    """Positions of random games in which somebody has to move; they are played on afterwards."""
    for seed in range(games):
        rng = Random(seed)
        state = State(random_setup(rng, 2, sets=sets, cards=cards))
        bots = [make_player("random", f"{seed} {seat}") for seat in range(2)]
        for _ in range(LONGEST):
            if state.over:
                break
            if state.awaiting:
                state.apply(random_draw(state, rng.random))
                continue
            yield state
            state.apply(bots[state.player].choose(observe(state, state.player)))


def first(sets: Sequence[str], wanted: Callable[[State], bool]) -> State:
    return next(state.copy() for state in positions(sets) if wanted(state))


def usable(state: State, key: str) -> bool:
    """Whether a tile with this action is the only one to use now, at the end of a turn."""
    kinds = [kind for kind, action in enumerate(state.setup.actions) if action.key == key]
    return bool(kinds) and state.acting is None and state.legal() == 1 << USE + kinds[0] | 1 << END


def test_farmers_are_expected_to_pay_for_every_sector() -> None:
    state = State(random_setup(Random(1), 2, cards=("farmers", "miners", "lords")))
    sectors = [bits(sector & state.setup.room) for sector in state.setup.board.sectors]

    def expected(*counts: int) -> float:
        state.own[0] = hexset(h for sector, count in zip(sectors, counts, strict=True) for h in sector[:count])
        return CARDS["farmers"].score(state, 0)[0] + PROGRESS["farmers"](state, 0, 20)

    assert expected(0, 1, 1, 1) >= expected(0, 0, 1, 2) >= expected(0, 0, 0, 3)
    assert expected(1, 1, 1, 1) > expected(0, 1, 1, 2)
    assert expected(5, 5, 5, 5) > 15, "what is to come is spread over all sectors"


def test_farmers_are_not_expected_to_pay_for_a_sector_that_cannot_be_reached() -> None:
    """One without free land, or one that no card and no neighbour leads to."""
    state = State(random_setup(Random(1), 2, cards=("farmers", "miners", "lords")))
    first, *others = state.setup.board.sectors
    state.own[0] = hexset(h for sector in others for h in bits(sector & state.setup.room)[:3])
    state.near[0] = around(state.own[0]) & AREA
    progress = PROGRESS["farmers"]
    assert progress(state, 0, 20) > 0
    full = state.copy()
    full.free &= ~first
    assert progress(full, 0, 20) == 0
    touching = state.copy()
    touching.near[0] = AREA & ~first & ~around(first)  # of every terrain: the sector is far away
    assert progress(touching, 0, 2) == 0
    assert progress(touching, 0, 20) > 0


def test_citizens_know_that_areas_can_be_joined() -> None:
    def expected(picture: str, pieces: str, builds: float = 20) -> float:
        state = scene(picture, "3A/G/3/-", f"{39 - pieces.count(',')}:{pieces}::G", "40:::D", cards="citizens")
        return PROGRESS["citizens"](state, 0, builds)

    open_land = "/".join(["GGGGGGGG"] * 3)
    river = "/".join(["GGGWGGGG"] * 3)
    one_gap = expected(open_land, "a1,b1,c1,e1,f1,g1")
    assert one_gap > expected(open_land, "a1,b1,e1,f1") > 0
    assert one_gap > expected(open_land, "a1,b1,c1,f1,g1,h1") > 0
    assert expected(river, "a1,b1,c1,e1,f1,g1") == 0, "nobody builds on water"
    assert expected(open_land, "a1,b1,c1") == 0
    assert expected(open_land, "a1,b1,c1,e1,f1,g1", builds=0) == 0


def test_what_is_remembered_does_not_depend_on_the_order_in_which_it_was() -> None:
    state = State(random_setup(Random(1), 2, sets=("base", "nomads")))
    evaluator = Evaluator(state.setup)
    other = state.copy()
    state.memory = {"shepherds": 3, "walls": 1}
    other.memory = {"walls": 1, "shepherds": 3}
    assert evaluator.gold(state, 0) == evaluator.gold(other, 0)
    assert len(evaluator._gold) == 1


def test_a_start_in_a_corner_or_behind_water_is_judged_lower_than_one_in_the_open() -> None:
    def expected(place: str, water: str = "") -> float:
        rows = [["CDFGT"[(row + column) % 5] for column in range(20)] for row in range(20)]
        for row, column in [row_col(parse_hex(each)) for each in water.split()]:
            rows[row][column] = "W"
        picture = "/".join(map("".join, rows))
        state = scene(picture, "3B/D/1/-", f"37:{place}::?", "40:::D", cards="citizens")
        return Evaluator(state.setup).expected(state, 0)

    assert expected("a1,b1,a2") < expected("k10,l10,k11") - 1
    lake = " ".join(f"{column}{row}" for column in "efgh" for row in range(1, 7)) + " a7 b7 c7 d7 e7 a8 b8 c8 d8 e8"
    assert expected("c3,d3,c4", lake) < expected("c3,d3,c4")


def test_a_tile_that_builds_is_worth_more_than_none() -> None:
    """It shortens the game, and everything that counted for each round of it counted less: the tile cost gold."""
    for seed in range(20):
        state = State(random_setup(Random(seed), 2))
        evaluator = Evaluator(state.setup)
        for tile in bits(evaluator.building):
            h = bits(state.setup.tile_side[tile] & state.free)[0]
            state.own[0], state.near[0] = BIT[h], NEAR[h]
            state.held[0] = 0
            without = evaluator.worth(state, 0)
            state.held[0] = 1 << tile
            assert evaluator.worth(state, 0) > without


def test_rovers_are_expected_to_pay_what_the_end_of_the_turn_pays() -> None:
    paid = 0
    for state in positions(("base", "harvest"), ("rovers", "miners", "lords"), games=3):
        if not state.legal() >> END & 1:
            continue
        seat = state.player
        before = CARDS["rovers"].score(state, seat)[0]
        expected = PROGRESS["rovers"](state, seat, 10)
        assert PROGRESS["rovers"](state, 1 - seat, 10) == 0
        after = state.copy()
        after.apply(END)
        assert before + expected == CARDS["rovers"].score(after, seat)[0]
        paid += expected > 0
    assert paid


def test_a_finished_task_is_expected_to_pay_no_more() -> None:
    state = State(random_setup(Random(1), 2))
    centre = parse_hex("k10")
    ring = bits(NEAR[centre])

    def fortress(neighbours: int) -> float:
        state.own[0] = BIT[centre] | hexset(ring[:neighbours])
        return PROGRESS["fortress"](state, 0, 20)

    assert fortress(6) == 0
    assert fortress(5) > fortress(4) > fortress(2) > 0
    road = [parse_hex("c3") + SE * step for step in range(7)]
    assert set(road) <= set(bits(AREA))
    for length, most in [(7, 0.0), (6, 7.0)]:
        state.own[0] = hexset(road[:length])
        assert PROGRESS["road"](state, 0, 20) <= most
    assert PROGRESS["road"](state, 0, 20) > 0


def test_a_tile_that_is_used_once_is_worth_nothing_when_the_game_ends() -> None:
    state = first(
        ("base", "nomads"), lambda state: bool(state.held[state.player] & state.setup.nomad_tiles & ~state.just_taken)
    )
    evaluator = Evaluator(state.setup)
    number = len(evaluator.progress)
    _, _, before = evaluator.features(state, state.player)
    state.ending = True
    _, _, after = evaluator.features(state, state.player)
    assert sum(before[number : number + len(evaluator.kinds)]) > 0
    assert sum(after[number : number + len(evaluator.kinds)]) == 0


def test_an_action_that_waits_for_a_card_is_worth_something() -> None:
    state = first(("base", "crossroads"), lambda state: usable(state, "fort"))
    evaluator = Evaluator(state.setup)
    line = greedy_step(Line((), state), evaluator)
    assert line.state.awaiting == ACTION
    assert evaluator.left_to_do(line.state) >= ACTION_GOLD


def test_the_bazaar_is_not_a_step_before_something_is_built_or_moved() -> None:
    state = first(("base", "harvest"), lambda state: usable(state, "bazaar"))
    lines = list(steps(Line((), state), Evaluator(state.setup), SOURCES, LOOKS, set()))
    assert lines
    for line in lines:
        assert line.state.acting is None or line.state.own != state.own or line.state.free != state.free


def test_every_hex_of_every_card_in_hand_is_looked_at() -> None:
    def hexes_of_cards(state: State) -> dict[int, list[int]]:
        found = {}
        for card in [action for action in CHOSEN if state.legal() >> action & 1]:
            chosen = state.copy()
            chosen.apply(card)
            found[card] = bits(chosen.legal() & AREA)
        return found

    state = first(("base", "crossroads"), lambda state: any(len(h) > LOOKS for h in hexes_of_cards(state).values()))
    found = {line.actions for line in steps(Line((), state), Evaluator(state.setup), SOURCES, LOOKS, set())}
    assert {(card, h) for card, hexes in hexes_of_cards(state).items() for h in hexes} <= found


def test_the_rest_of_a_turn_that_a_card_interrupts_is_not_a_turn_of_a_rollout() -> None:
    state = first(("base", "crossroads"), lambda state: usable(state, "fort"))
    seen = observe(state, state.player)
    whole, interrupted = [expert.greedy_turns(seen, [action], 2) for action in bits(state.legal())]
    assert interrupted == whole + 1


def test_where_building_has_consequences_each_order_is_looked_at() -> None:
    for cards, matters in [(("shepherds", "miners", "lords"), True), (("hermits", "miners", "lords"), False)]:
        state = next(positions(("base", "nomads"), cards))
        built: set[object] = set()
        assert list(steps(Line((), state), Evaluator(state.setup), SOURCES, LOOKS, built))
        assert bool(built) is not matters


def test_the_search_finds_the_order_that_pays_most() -> None:
    """Shepherds pay for a settlement that has no free hex of its terrain beside it at that moment."""
    looked = 0
    for state in positions(("base", "nomads"), ("shepherds", "miners", "lords"), games=30):
        if state.builds_left != 3 or state.ready or not 2 < state.legal().bit_count() < 9:
            continue
        evaluator, seat = Evaluator(state.setup), state.player
        search = TurnSearch(state.copy(), evaluator, Budget(nodes=100_000).spend)
        search.run()
        most = max(evaluator.gold(each, seat) for each in whole_turns(state.copy()))
        assert max(evaluator.gold(line.state, seat) for line in search.found) == most
        looked += 1
        if looked == 12:
            break
    assert looked == 12


def whole_turns(state: State) -> Iterator[State]:
    """All ways to build what has to be built, in all orders."""
    if state.awaiting or not state.builds_left:
        yield state
        return
    for h in bits(state.legal() & AREA):
        after = state.copy()
        after.apply(h)
        yield from whole_turns(after)


def test_what_a_seat_does_after_its_last_turn_is_a_turn_of_its_own() -> None:
    last: dict[int, object] = {}
    for state in positions(("base", "harvest")):
        if isinstance(state.acting, Finale):
            break
        last[state.player] = turn_of(state)
    assert isinstance(state.acting, Finale)
    assert turn_of(state) != last[state.player]


def test_in_games_played_out_each_tile_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two of a kind count twice, once a turn."""
    state = first(("base", "nomads"), lambda state: state.builds_left == 3 and state.acting is None)
    quick = Rollouts(Evaluator(state.setup))
    tiles, worth = quick.other_tiles[0]
    numbers = bits(tiles)
    assert len(numbers) > 1

    def end(state: State, tie_break: int) -> None:
        state.over = True

    monkeypatch.setattr(quick, "_play_turn", end)
    for held in (numbers[:1], numbers[:2]):
        state.over = False
        state.held[state.player] = hexset(held)
        gold = quick.play_out(state, Random(1))
        assert gold[state.player] == pytest.approx(scores(state)[state.player] + worth * len(held))
