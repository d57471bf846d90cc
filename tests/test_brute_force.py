"""The library against a second implementation: geometry in full, thousands of positions, whole games side by side."""

import random
from collections import Counter

import brute_force
import pytest
from brute_force import Choice, Place, Position

from kingdom_builder import hexes
from kingdom_builder.board import Board
from kingdom_builder.content import ALWAYS, CARDS, LOCATIONS, OPTIONS, make_setup, playable_sections, random_setup
from kingdom_builder.hexes import AREA, BIT, NEAR, TWO_AWAY, HexSet, at, members, row_col
from kingdom_builder.notation import parse_position
from kingdom_builder.rules import DRAWING, DRAWN, END, USE, Action, MovingLocation, Setup, State
from kingdom_builder.rules.invariants import check
from kingdom_builder.rules.state import CARD, HAND

WHOLE = [(row, col) for row in range(20) for col in range(20)]


def places(x: HexSet) -> set[Place]:
    return {row_col(h) for h in members(x)}


def hexset(some: set[Place] | frozenset[Place]) -> HexSet:
    return hexes.hexset(at(row, col) for row, col in some)


def some_places(rng: random.Random) -> set[Place]:
    """Part of the board: sparse, half full or dense."""
    return set(rng.sample(WHOLE, rng.choice([1, 10, 80, 200, 320])))


# ---- geometry --------------------------------------------------------------------------------------------------------


def test_six_neighbours_lie_in_six_directions() -> None:
    """The second implementation agrees with itself: the table of neighbours and the steps are two tellings."""
    for place in WHOLE:
        ahead = {brute_force.step(place, direction) for direction in brute_force.DIRECTIONS}
        assert ahead == brute_force.neighbours(place)
        for direction, opposite in brute_force.OPPOSITE.items():
            assert brute_force.step(brute_force.step(place, direction), opposite) == place


def test_neighbours_of_every_hex() -> None:
    for place in WHOLE:
        assert places(NEAR[at(*place)]) == brute_force.neighbours(place) & set(WHOLE)


def test_two_steps_in_a_straight_line_from_every_hex() -> None:
    for place in WHOLE:
        twice = {brute_force.step(brute_force.step(place, way), way) for way in brute_force.DIRECTIONS}
        assert places(TWO_AWAY[at(*place)]) == twice & set(WHOLE)


def test_directions_of_every_hex() -> None:
    shifts = dict(zip(("E", "W", "SE", "SW", "NW", "NE"), hexes.DIRECTIONS, strict=True))
    for place in WHOLE:
        for direction, shift in shifts.items():
            ahead = brute_force.step(place, direction)
            if ahead in WHOLE:
                assert at(*place) + shift == at(*ahead)
            else:
                assert not 0 <= at(*place) + shift < hexes.SIZE or not AREA & BIT[at(*place) + shift]


def test_names_count_columns_by_letter_and_rows_from_one() -> None:
    for row, col in WHOLE:
        assert hexes.name(at(row, col)) == "abcdefghijklmnopqrst"[col] + str(row + 1)


@pytest.mark.parametrize("seed", range(40))
def test_sets_of_hexes(seed: int) -> None:
    rng = random.Random(seed)
    some = some_places(rng)
    x = hexset(some)
    assert places(hexes.around(x) & AREA) == {n for place in some for n in brute_force.neighbours(place)} & set(WHOLE)
    assert {frozenset(places(area)) for area in hexes.areas(x)} == {frozenset(a) for a in brute_force.areas(some)}
    assert places(hexes.turned(x)) == {(19 - row, 19 - col) for row, col in some}
    assert [row_col(h) for h in members(x)] == sorted(some)
    assert [hexes.nth(x, k) for k in range(len(some))] == members(x)
    place = rng.choice(WHOLE)
    for radius in range(4):
        assert places(hexes.within(BIT[at(*place)], radius)) == brute_force.within(place, radius) & set(WHOLE)


@pytest.mark.parametrize("height", [1, 2, 3, 9, 10, 11, 19, 20])
@pytest.mark.parametrize("width", [1, 2, 3, 9, 10, 11, 19, 20])
def test_edge_rows_and_sectors_of_a_map(height: int, width: int) -> None:
    map_ = ("G" * width,) * height
    board = Board(map_)
    everywhere = brute_force.on_map(map_)
    assert places(board.hexes) == everywhere
    assert places(board.edge) == brute_force.on_edge(map_)
    for row, line in enumerate(board.rows):
        assert places(line) == {place for place in everywhere if place[0] == row}
    for here, quadrant in zip(brute_force.SECTORS, board.sectors, strict=True):
        assert places(quadrant) == {place for place in everywhere if brute_force.sector(place) == here}


def test_three_in_a_row_in_every_place_and_direction() -> None:
    """Alone on a meadow, three settlements in a row let the Tavern build on both ends, never round the border."""
    state = parse_position(f"{'/'.join(['G' * 20] * 20)} - - - C5D5F5G4T5 - 1A/G/0/- 37:::G 40:::")
    for place in WHOLE:
        for direction in ("E", "SE", "SW"):
            three = [place, brute_force.step(place, direction)]
            three.append(brute_force.step(three[1], direction))
            before = brute_force.step(place, brute_force.OPPOSITE[direction])
            behind = brute_force.step(three[2], direction)
            if set(three) <= set(WHOLE):
                line = state.copy()
                line.own[0] = hexset(set(three))
                line.free ^= line.own[0]
                assert places(LOCATIONS["tavern"].legal(line)) == {before, behind} & set(WHOLE)


def test_sections_are_what_the_rules_say() -> None:
    """RULES 1.1 and 1.6: castles and locations of each section, no two special hexes closer than three steps."""
    for key, section in playable_sections().items():
        printed = Counter("".join(section.rows))
        assert (printed["1"], printed["K"]) == ((1, 2) if key in ("oracle", "harbor") else (2, 1))
        special = [p for p in brute_force.on_map(section.rows) if section.rows[p[0]][p[1]] in brute_force.SPECIAL]
        assert all(brute_force.within(place, 2) & set(special) == {place} for place in special)
        assert not brute_force.on_edge(section.rows) & set(special)


@pytest.mark.parametrize("seed", range(20))
def test_boards_are_four_sections_perhaps_turned(seed: int) -> None:
    board = random_setup(random.Random(seed)).board
    for row, col in WHOLE:
        place = board.placed[row // 10 * 2 + col // 10]
        inside = (9 - row % 10, 9 - col % 10) if place.turned else (row % 10, col % 10)
        letter = place.section.rows[inside[0]][inside[1]]
        if letter in brute_force.DIGITS:
            key = place.section.locations[int(letter) - 1]
            assert (at(row, col), key) in board.locations
        else:
            assert board.letter(at(row, col)) == letter


# ---- positions -------------------------------------------------------------------------------------------------------


def plain(state: State) -> Position:
    """The same position in plain sets."""
    return Position(
        state.setup.board.map,
        tuple(frozenset(places(own)) for own in state.own),
        state.player,
        state.card,
        state.supply[state.player],
        state.setup.options,
    )


def compare_locations(state: State, position: Position) -> None:
    """Every location of the base game, whether it is on the board or not."""
    assert set(LOCATIONS) == set(brute_force.BUILDS) | set(brute_force.MOVES)
    for key, location in LOCATIONS.items():
        using = state.copy()
        using.acting, using.source, using._legal = location, None, None
        offered = brute_force.first_choices(position, key)
        assert places(location.legal(using)) == offered, (key, position)
        if isinstance(location, MovingLocation):
            for source in position.own:
                using.source = at(*source)
                targets = brute_force.MOVES[key](position, source)
                assert places(location.legal(using)) == targets, (key, source, position)


def compare_mandatory(state: State, position: Position) -> None:
    building = state.copy()
    building.todo, building.acting, building.source, building.ready, building._legal = 3, None, None, 0, None
    if position.supply:
        assert places(building.legal()) == brute_force.mandatory(position), position


def compare_scores(state: State, position: Position) -> None:
    """All ten cards and the castles for every seat, not only the cards in play."""
    everything = [*CARDS.values(), *ALWAYS]
    assert {card.key for card in everything} == set(brute_force.CARDS)
    for seat in range(state.setup.players):
        for card in everything:
            gold, paying = card.score(state, seat)
            assert gold == brute_force.CARDS[card.key](position, seat), (card.key, seat, position)
            assert not paying & ~(state.own[seat] | state.setup.board.special), (card.key, seat, position)


def test_a_settlement_between_two_castles_pays_for_both_and_is_shown_once() -> None:
    """Two castles with one settlement between them: 6 gold, and the hex that pays is that of the settlement."""
    state = parse_position("KGK/GGG - - - C4D4F4G4T4 - 1A/G/3/- 39:b1::G 40:::")
    gold, paying = ALWAYS[0].score(state, 0)
    assert gold == 6
    assert places(paying) == {(0, 1)}


MAP_LETTERS = "GCDFTGCDFTGCDFTWWMAVKNI1234"
"""Mostly land; every letter that a map can have, and special hexes next to each other and on the edge."""
LEGEND = "farm,barn,harbor,tavern"


def random_map(rng: random.Random, letters: str = MAP_LETTERS) -> list[str]:
    size = rng.choice([(1, 7), (6, 1), (3, 4), (6, 7), (9, 11), (12, 10), (20, 20)])
    return ["".join(rng.choices(letters, k=size[1])) for _ in range(size[0])]


def scattered_position(rng: random.Random) -> State:
    """Pieces thrown on a map of chance, on water and mountains too, a third of them in clumps."""
    rows = random_map(rng)
    players = rng.randint(2, 5)
    room = [p for p in brute_force.on_map(tuple(rows)) if rows[p[0]][p[1]] not in brute_force.SPECIAL]
    rng.shuffle(room)
    thrown: list[list[str]] = [[] for _ in range(players)]
    for row, col in room[: rng.randint(0, len(room))]:
        seat = rng.randrange(players) if rng.random() < 0.7 else col // 3 % players
        if len(thrown[seat]) < 40:
            thrown[seat].append(hexes.name(at(row, col)))
    stock = "2" * sum(letter in "1234" for row in rows for letter in row) or "-"
    card = rng.choice("CDFGT")
    deck = "".join(f"{terrain}4" for terrain in "CDFGT")
    player = rng.randrange(players)
    options = ",".join(option for option in sorted(OPTIONS) if rng.random() < 0.5) or "-"
    seats = [
        f"{rng.choice([0, 1, 40])}:{','.join(pieces)}::{card if seat == player else ''}"
        for seat, pieces in enumerate(thrown)
    ]
    turn = f"7{'ABCDE'[player]}/{card}/0/-"
    return parse_position(f"{'/'.join(rows)}({LEGEND}) - {options} {stock} {deck} - {turn} {' '.join(seats)}")


@pytest.mark.parametrize("seed", range(60))
def test_scattered_pieces(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(35):
        state = scattered_position(rng)
        position = plain(state)
        compare_mandatory(state, position)
        compare_locations(state, position)
        compare_scores(state, position)


# ---- whole games, side by side ---------------------------------------------------------------------------------------


def twin_of(setup: Setup) -> brute_force.Game:
    kinds = {row_col(h): key for h, key in setup.board.locations}
    return brute_force.Game(setup.board.map, kinds, setup.players, setup.options)


def as_choice(setup: Setup, action: Action) -> Choice:
    if action < END:
        return row_col(action)
    if action == END:
        return brute_force.END
    if action in DRAWN:
        return "draw", DRAWN[action]
    return "use", setup.locations[action - USE].key


def tile_places(setup: Setup, tiles: int) -> set[Place]:
    return {row_col(setup.board.locations[tile][0]) for tile in members(tiles)}


def compare_tables(state: State, twin: brute_force.Game) -> None:
    """Everything that lies on the table and in the hands."""
    setup = state.setup
    assert [places(own) for own in state.own] == twin.pieces
    assert state.supply == twin.supply
    assert sorted(state.deck) == sorted(twin.deck)
    assert list(state.discard) == twin.discarded
    assert (state.hands, state.card) == (twin.hands, twin.card)
    assert (state.round, state.player, state.ending, state.over) == (twin.round, twin.seat, twin.ending, twin.over)
    assert state.awaiting == {"hand": HAND, "card": CARD, "": None}[twin.draws_for]
    if not state.awaiting:
        assert state.todo == twin.builds_left
    tiles = twin.tiles
    assert {row_col(h): left for (h, _), left in zip(setup.board.locations, state.stock, strict=True)} == tiles.stock
    for seat in range(setup.players):
        assert tile_places(setup, state.taken[seat]) == tiles.taken_from[seat]
        assert tile_places(setup, state.held[seat]) == tiles.supported_by[seat]
    if not state.over and state.awaiting != HAND:
        for kind, location in enumerate(setup.locations):
            own_tiles = state.held[state.player] & setup.kind_tiles[kind]
            tallies = Counter(tiles.owned[state.player][location.key])
            ready, fresh = (own_tiles & state.ready).bit_count(), (own_tiles & state.fresh).bit_count()
            assert ready == tallies[brute_force.READY]
            assert fresh == tallies[brute_force.FRESH]
            assert own_tiles.bit_count() - ready - fresh == tallies[brute_force.USED]


def play_side_by_side(setup: Setup, rng: random.Random, look_every: int) -> int:
    """A random game in both implementations; returns how many times a full card was replaced."""
    state = State(setup)
    twin = twin_of(setup)
    number = replaced = 0
    while not state.over:
        legal = {as_choice(setup, action) for action in members(state.legal())}
        assert legal == twin.choices()
        if state.awaiting:
            replaced += state.awaiting == CARD
            action = DRAWING[rng.choice(state.deck)]
        else:
            number += 1
            if number % look_every == 0:
                position = plain(state)
                compare_locations(state, position)
                compare_mandatory(state, position)
                compare_scores(state, position)
            action = hexes.nth(state.legal(), rng.randrange(state.legal().bit_count()))
            if action == END and rng.random() < 0.8:  # use the tiles more often than chance would
                action = hexes.nth(state.legal(), state.legal().bit_count() - 1)
        state.apply(action)
        twin.play(as_choice(setup, action))
        compare_tables(state, twin)
        check(state)
    assert twin.over
    assert not twin.choices()
    return replaced


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("seed", range(3))
def test_random_games_on_official_boards(seed: int, players: int) -> None:
    rng = random.Random(f"{players} players, {seed}")
    play_side_by_side(random_setup(rng, players), rng, look_every=5 * players)


@pytest.mark.parametrize("seed", range(24))
def test_random_games_on_small_maps(seed: int) -> None:
    """Where terrain fills up, cards are replaced at every stage of a turn; hexes touch several locations at once."""
    rng = random.Random(seed)
    rows = ["".join(rng.choices("GGCCDDFFTTWM12345K", k=9 + seed % 2)) for _ in range(8 + seed % 3)]
    board = Board(rows, rng.sample(sorted(LOCATIONS), 5))
    options = [option for option in sorted(OPTIONS) if rng.random() < 0.3]
    setup = make_setup(board, (), rng.choice([2, 2, 3]), options)
    assert play_side_by_side(setup, rng, look_every=11) > 0


@pytest.mark.parametrize("seed", range(40))
def test_random_games_until_the_cards_run_out(seed: int) -> None:
    """On a scrap of land the draw pile is soon exhausted, then the cards are."""
    rng = random.Random(seed)
    rows = ["".join(rng.choices("GGCCDDFFTTTW12", k=5)) for _ in range(rng.choice([3, 5]))]
    board = Board(rows, rng.sample(sorted(LOCATIONS), 2))
    options = [option for option in sorted(OPTIONS) if rng.random() < 0.3]
    setup = make_setup(board, (), rng.choice([2, 4, 5, 5]), options)
    play_side_by_side(setup, rng, look_every=7)


def test_the_last_card_is_shuffled_and_drawn_again() -> None:
    """Nothing is left in either pile: the card that A discards at the end of the turn is the new pile."""
    state = parse_position("GGG/GGG - - - - - 3A/G/0/- 37:a1,b1,c1::G 40:::C")
    state.apply(END)
    assert members(state.legal()) == [DRAWING["G"]]
    state.apply(DRAWING["G"])
    assert (state.hands, state.deck, state.discard) == (["G", ""], "", ""), "B's canyon card found no canyon"
