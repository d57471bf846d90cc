"""Rules that public implementations of the game get wrong, a test for each.

One is missing here: the Village (only own settlements count, land only) belongs to the Nomads, not to the base game.
"""

import random

import pytest
from base_box import CARDS
from reference.position import drawn

from kingdom_builder.content import random_setup
from kingdom_builder.hexes import bits, hex_at, hex_name, nth
from kingdom_builder.notation import legal_texts, parse_position, play
from kingdom_builder.rules import DRAWING, State, determinize, observe
from kingdom_builder.rules.invariants import check
from kingdom_builder.rules.state import CARD

DECK = "C4D4F4G4T4"


def table(picture: str, legend: str, turn: str, *seats: str, **fields: str) -> State:
    """A drawn map with its locations, a turn and seats as in a position; other fields have defaults."""
    board = "/".join(drawn(picture))
    stock = fields.get("stock", "2" * sum(letter.isdigit() for letter in board)) or "-"
    deck, options = fields.get("deck", DECK), fields.get("options", "-")
    return parse_position(f"{board}{legend} - {options} {stock} {deck} - {turn} {' '.join(seats)}")


def legal(state: State) -> set[str]:
    return set(legal_texts(state))


def play_all(state: State, moves: str) -> None:
    for move in moves.split():
        play(state, move)


def gold(state: State, key: str, seat: int = 0) -> int:
    return CARDS[key].score(state, seat)[0]


def pieces(state: State, seat: int = 0) -> set[str]:
    return {hex_name(h) for h in bits(state.own[seat])}


# ---- terrain full: redraw at once, also mid-turn ---------------------------------------------------------------------

LITTLE_DESERT = """
    D D G G G
     T 1 C C G
    T T C F F
"""
"""Two desert hexes; the location b2 touches b1, c1, a2, c2, b3 and c3."""


def test_terrain_full_between_two_mandatory_builds() -> None:
    state = table(LITTLE_DESERT, "(farm)", "3A/D/3/-", "40:::D", "40:::C")
    play_all(state, "a1 b1")
    assert (state.awaiting, state.builds_left, state.card) == (CARD, 1, "")
    assert legal(state) == {"=C", "=D", "=F", "=G", "=T"}
    play(state, "=T")
    assert legal(state) == {"a2"}, "the third build is on the new terrain, next to what was built"
    play(state, "a2")
    assert legal(state) == {"."}
    play(state, ".")
    assert state.discard == "T", "the desert card left the game"


def test_terrain_full_again_and_again() -> None:
    """A useless card that is drawn leaves the game too."""
    state = table(LITTLE_DESERT, "(farm)", "3A/D/3/-", "40:::D", "40:::C")
    play_all(state, "a1 b1 =D")
    assert state.awaiting == CARD
    assert state.deck.count("D") == 3
    play_all(state, "=D =D")
    assert legal(state) == {"=C", "=D", "=F", "=G", "=T"}
    play(state, "=F")
    assert legal(state) == {"d3", "e3"}
    assert (state.deck + state.discard + "".join(state.hands)).count("D") == 1


def test_terrain_full_at_the_start_of_a_turn() -> None:
    state = table(LITTLE_DESERT, "(farm)", "3A/D/1/-", "38:a1::D", "40:::D", deck="C4D3F4G4T4")
    play_all(state, "b1 =G .")
    assert legal(state) == {"=C", "=D", "=F", "=G", "=T"}, "the hand of A"
    play(state, "=C")
    assert (state.player, state.awaiting, state.hands[1]) == (1, CARD, ""), "B's desert card is gone before any choice"
    play(state, "=T")
    assert legal(state) == {"a2", "a3", "b3"}


def test_terrain_full_by_an_extra_action_before_the_mandatory_action() -> None:
    state = table(LITTLE_DESERT, "(oasis)", "3A/D/3/-", "38:a1,c1:b2:D", "40:::C")
    play(state, "oasis:b1")
    assert (state.awaiting, state.builds_left) == (CARD, 3)
    play(state, "=T")
    assert legal(state) == {"a2"}


def test_terrain_full_by_a_move_of_the_barn() -> None:
    state = table(LITTLE_DESERT, "(barn)", "3A/D/0/-", "38:a1,c1:b2:D", "40:::C")
    play(state, "barn:c1-b1")
    assert state.awaiting == CARD


def test_terrain_that_is_vacated_is_not_full() -> None:
    """A jumps from one desert hex to the other, the last free one: the hex left behind is free again."""
    state = table("G 1 D G D", "(paddock)", "3A/D/0/-", "39:c1:b1:D", "40:::C", stock="1")
    play(state, "paddock:c1-e1")
    assert state.awaiting is None
    assert legal(state) == {"."}


def test_terrain_full_and_no_card_left_voids_the_rest_of_the_mandatory_action() -> None:
    state = table(LITTLE_DESERT, "(farm)", "3A/D/3/-", "40:::D", "40:::C", deck="-")
    play_all(state, "a1 b1")
    assert (state.awaiting, state.builds_left) == (None, 0)
    assert legal(state) == {"."}


# ---- used and unused twin tile, one is lost: the used one goes -------------------------------------------------------

TWO_PADDOCKS = """
    G G G G G G G G G
     G 1 G G G G 1 G G
    G G G G G G G G G
"""
"""Two locations of a kind, b2 and g2."""


@pytest.mark.parametrize(("moved", "lost"), [("a2-c2", ""), ("c2-e2", "b2"), ("h2-f2", ""), ("f2-d2", "g2")])
def test_twin_tile_the_used_one_goes(moved: str, lost: str) -> None:
    """Whichever hex loses contact by the first Paddock, a second use remains."""
    near_b2, near_g2 = ("a2" if moved == "a2-c2" else "c2"), ("h2" if moved == "h2-f2" else "f2")
    seat = f"38:{near_b2},{near_g2}:b2,g2:G"
    state = table(TWO_PADDOCKS, "(paddock)", "3A/G/0/-", seat, "40:::C", stock="11")
    play(state, f"paddock:{moved}")
    assert state.held[0].bit_count() == (1 if lost else 2)
    assert "paddock" in legal(state), "the unused tile is kept"
    mover = moved.split("-")[1]
    play_all(state, f"paddock {mover}")
    play(state, sorted(legal(state))[0])
    assert "paddock" not in legal(state), "two tiles, two uses"
    check_contact(state)


def test_twin_tile_lost_while_both_are_used() -> None:
    state = table(TWO_PADDOCKS, "(paddock)", "3A/G/0/-", "38:c2,f2:b2*,g2:G", "40:::C", stock="11")
    play(state, "paddock:f2-d2")
    assert legal(state) == {"."}
    assert state.held[0].bit_count() == 1


def test_twin_tile_a_fresh_one_goes_before_a_ready_one() -> None:
    """b2 was taken in this turn, g2 is ready; the Barn breaks the contact to g2: one use is left for this turn."""
    state = table(
        """
        G G G G G G G G G
         G 1 G G G G 1 G G
        G G G G G G G G G
         G D D G G G G D 2
        """,
        "(paddock,barn)",
        "3A/D/0/-",
        "37:c2,f2,h4:b2+,g2,i4:D",
        "40:::C",
        stock="111",
    )
    assert legal(state) == {"paddock", "barn", "."}
    play(state, "barn:f2-b4")
    assert "paddock" in legal(state), "the fresh tile went, the ready one is kept"
    play_all(state, "paddock c2")
    play(state, "e2")
    assert legal(state) == {"."}


def check_contact(state: State) -> None:
    """Each tile in hand has a piece next to its hex."""
    for tile in bits(state.held[0]):
        assert state.setup.tile_side[tile] & state.own[0]


# ---- a tile taken this turn: usable from the next turn ---------------------------------------------------------------


def test_a_tile_taken_this_turn_is_usable_from_the_next_turn() -> None:
    state = table(
        """
        D D G G G
         T 1 C C C
        T T C F F
         T T T T F
        """,
        "(oasis)",
        "3A/C/3/-",
        "40:::C",
        "40:::T",
    )
    play_all(state, "c2 d2 c3")
    assert state.held[0] == 1
    assert legal(state) == {"."}
    play_all(state, ". =G a3 a4 b4 . =F")
    assert (state.player, state.round) == (0, 4)
    assert legal(state) == {"c1", "d1", "e1", "oasis"}
    play(state, "oasis")
    assert legal(state) == {"a1", "b1"}


def test_a_tile_taken_this_turn_by_an_extra_action_waits_too() -> None:
    """A Paddock leads to the second Paddock hex: that tile is not for this turn."""
    state = table(TWO_PADDOCKS, "(paddock)", "3A/G/0/-", "38:c2,d2:b2:G", "40:::C", stock="12")
    play(state, "paddock:d2-f2")
    assert state.held[0].bit_count() == 2
    assert legal(state) == {"."}


# ---- losing the last contact: at once, and never again from that hex -------------------------------------------------


def test_losing_the_last_contact_costs_the_tile_at_once() -> None:
    """The Farm tile is ready; the Paddock takes the last settlement away from the Farm."""
    state = table(
        """
        G G G G G G G G
         G 1 G G G G 2 G
        G G G G G G G G
        """,
        "(farm,paddock)",
        "3A/G/0/-",
        "38:c2,h2:b2,g2:G",
        "40:::C",
        stock="11",
    )
    assert legal(state) == {"farm", "paddock", "."}
    play_all(state, "paddock c2")
    assert state.held[0].bit_count() == 2, "the piece has not arrived"
    play(state, "e2")
    assert state.held[0].bit_count() == 1
    assert legal(state) == {"."}
    assert state.tiles_left == [1, 1], "it is not put back"


def test_losing_the_last_contact_means_never_again_from_that_hex() -> None:
    state = table(TWO_PADDOCKS, "(paddock)", "3A/G/0/-", "39:c2:b2:G", "40:::G", stock="12", deck="C4D4F4G3T4")
    play_all(state, "paddock:c2-e2 . =G i1 i2 i3 . =G d2 c2")
    assert {"c2", "d2", "e2"} == pieces(state), "A is back where it took the tile"
    assert state.tiles_left == [1, 2]
    assert state.held[0] == 0


def test_another_contact_keeps_the_tile() -> None:
    state = table(TWO_PADDOCKS, "(paddock)", "3A/G/0/-", "38:c2,a2:b2:G", "40:::C", stock="12")
    play(state, "paddock:c2-e2")
    assert state.held[0] == 1


# ---- Barn and Harbor -------------------------------------------------------------------------------------------------

BAY = """
    W W G G G W
     G 1 G G G W
    G G D G D D
"""


def test_barn_lifts_first_so_a_piece_does_not_support_its_own_target() -> None:
    """c2 touches the desert c3, but once it is lifted nothing of A does: every desert hex is open."""
    state = table(BAY, "(barn)", "3A/D/0/-", "39:c2:b2:D", "40:::C")
    play_all(state, "barn c2")
    assert legal(state) == {"c3", "e3", "f3"}


def test_barn_the_vacated_hex_closes_the_far_ones() -> None:
    """c3 is desert and touches c2: to stay there is what the rule asks, so that it has nowhere to go."""
    state = table(BAY, "(barn)", "3A/D/0/-", "38:c2,c3:b2:D", "40:::C")
    play(state, "barn")
    assert legal(state) == {"c2"}, "c3 could only stay"
    play(state, "c2")
    assert legal(state) == {"e3", "f3"}, "nothing free touches c3: free choice"


def test_barn_the_vacated_hex_closes_the_far_ones_but_not_the_near_ones() -> None:
    """e3 next to d2 may go to d3, which touches d2 too, but not to f3, which only e3 touched."""
    state = table(
        """
        G G G G G G
         G 1 G G G G
        G G G D D D
        """,
        "(barn)",
        "3A/D/0/-",
        "37:a2,d2,e3:b2:D",
        "40:::C",
    )
    play_all(state, "barn e3")
    assert legal(state) == {"d3"}


def test_barn_a_lone_piece_may_go_anywhere_but_not_stay() -> None:
    state = table(BAY, "(barn)", "3A/D/0/-", "38:a1,c3:b2:D", "40:::C")
    play_all(state, "barn c3")
    assert legal(state) == {"e3", "f3"}, "nothing touches a1: free choice, the null move is not offered"


def test_harbor_lifts_first() -> None:
    """a2 touches the water of a1 and b1; without it nothing of A touches water."""
    state = table(BAY, "(harbor)", "3A/D/0/-", "39:a2:b2:D", "40:::C")
    play_all(state, "harbor a2")
    assert legal(state) == {"a1", "b1", "f1", "f2"}


def test_harbor_the_vacated_hex_closes_the_far_ones() -> None:
    """A on b1 and a1, both water; f1 and f2 are far. Each touches the other, so that neither may go."""
    state = table(BAY, "(harbor)", "3A/D/0/-", "38:a1,b1:b2:D", "40:::C")
    assert legal(state) == {"."}


def test_harbor_moves_on_water_next_to_another_piece() -> None:
    state = table(BAY, "(harbor)", "3A/D/0/-", "38:a2,f1:b2:D", "40:::C")
    play(state, "harbor")
    assert legal(state) == {"a2", "f1"}
    play(state, "f1")
    assert legal(state) == {"a1", "b1"}
    play(state, "b1")
    assert pieces(state) == {"a2", "b1"}


# ---- Fishermen: nothing for pieces on water --------------------------------------------------------------------------


def test_fishermen_nothing_for_pieces_on_water() -> None:
    state = table(BAY, "(harbor)", "3A/D/0/-", "36:a1,a2,f1,d2:b2:D", "38:b1,e1::C")
    assert gold(state, "fishermen") == 1, "a2; a1 and f1 stand on water, d2 touches none"
    assert gold(state, "fishermen", 1) == 1, "e1; b1 stands on water"


def test_fishermen_water_under_a_piece_is_still_water() -> None:
    state = table("W G G", "", "3A/G/0/-", "39:b1::G", "39:a1::C")
    assert gold(state, "fishermen") == 1


# ---- Workers: 1 a settlement, however many special hexes it touches --------------------------------------------------


def test_workers_one_a_settlement() -> None:
    """b1 lies between two castles, c2 between a castle and the Farm, e3 touches the Farm only."""
    state = table(
        """
        K G K G G
         G G G 1 G
        G G G G G
        """,
        "(farm)",
        "3A/G/0/-",
        "37:b1,c2,e3::G",
        "40:::C",
        stock="2",
    )
    assert gold(state, "workers") == 3


# ---- Lords: ties, zero, empty sector ---------------------------------------------------------------------------------


def lords(*counts: int, options: str = "-") -> list[int]:
    """The gold of Lords for these numbers of settlements of each player in one sector, the other three being empty."""
    columns = iter("abcdefghij")
    seats = [f"{40 - count}:{','.join(f'{next(columns)}1' for _ in range(count))}::" for count in counts]
    seats[0] += "G"
    state = table("G G G G G G G G G G G", "", "3A/G/0/-", *seats, options=options)
    return [gold(state, "lords", seat) for seat in range(len(counts))]


def test_lords_ties_all_get_the_gold() -> None:
    assert lords(3, 3, 2, 1) == [12, 12, 6, 0]
    assert lords(3, 2, 2, 1) == [12, 6, 6, 0]
    assert lords(2, 2, 2) == [12, 12, 12]
    assert lords(1, 2, 3, 2, 1) == [0, 6, 12, 6, 0]


def test_lords_zero_may_be_second() -> None:
    assert lords(3, 0) == [12, 6]
    assert lords(2, 0, 2, 0) == [12, 6, 12, 6]
    assert lords(3, 0, options="lordsNeedPresence") == [12, 0]
    assert lords(2, 0, 2, 1, options="lordsNeedPresence") == [12, 0, 12, 6]


def test_lords_an_empty_sector_pays_nobody() -> None:
    assert lords(0, 0) == [0, 0]
    assert lords(0, 0, 0, options="lordsNeedPresence") == [0, 0, 0]


# ---- end: the round is completed -------------------------------------------------------------------------------------


@pytest.mark.parametrize("last", [0, 1, 2])
def test_end_the_round_is_completed(last: int) -> None:
    """Whoever builds the last settlement, the game ends after the third seat's turn of the same round."""
    supplies = [1 if seat == last else 20 for seat in range(3)]
    seats = [f"{supply}:::{'G' if seat == 0 else 'C'}" for seat, supply in enumerate(supplies)]
    state = table(
        """
        G G G G G G
         G G G G G G
        C C C C C C
         C C C C C C
        """,
        "",
        "7A/G/3/-",
        *seats,
        deck="C3D5F5G4T5",
    )
    rng = random.Random(last)
    turns = []
    while not state.over:
        if not state.awaiting and state.player not in turns:
            turns.append(state.player)
        assert state.round == 7
        take_any(state, rng)
    assert turns == [0, 1, 2]


# ---- a player leaves: the game goes on -------------------------------------------------------------------------------


def take_any(state: State, rng: random.Random) -> None:
    """A random stand-in: knows only what its seat sees, and plays any legal action; chance draws from the pile."""
    if state.awaiting:
        state.apply(DRAWING[rng.choice(state.deck)])
        return
    seen = observe(state, state.player).legal()
    state.apply(nth(seen, rng.randrange(seen.bit_count())))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("leaving", range(5))
def test_a_player_leaves_the_game_goes_on(players: int, leaving: int) -> None:
    """At any moment, also in the middle of an action, a stand-in plays on from what the leaving seat sees."""
    rng = random.Random(f"{leaving} of {players}")
    seat = leaving % players
    state = State(random_setup(rng, players))
    for _ in range(rng.randrange(40 * players)):
        if not state.over:
            take_any(state, rng)
    world = determinize(observe(state, seat), rng)
    assert world.hands[seat] == state.hands[seat]
    assert world.own == state.own
    assert state.awaiting or world.legal() == state.legal()
    check(world)
    for table_ in (state, world):
        while not table_.over:
            take_any(table_, rng)
        check(table_)
        assert min(table_.supply) == 0


def test_a_player_leaves_with_a_piece_lifted() -> None:
    state = table(BAY, "(barn)", "3A/D/0/barn>c2", "38:c2,c3:b2*:D", "40:::C")
    world = determinize(observe(state, 0), random.Random(1))
    take_any(world, random.Random(1))
    assert world.acting is None
    assert world.own[0] >> hex_at(1, 2) & 1 == 0


def test_a_player_without_a_card_does_not_end_the_game_while_another_has_one() -> None:
    """RULES is silent on a game that runs out of cards (docs/decisions/0006): it ends when nobody has a card left."""
    state = parse_position("GGG/GGG - - - - - 3A/G/0/- 37:a1,b1,c1::G 40:::C")
    play_all(state, ". =G")
    assert (state.player, state.builds_left, state.ending) == (1, 0, False)
    play_all(state, ". a2 b2 c2")
    assert state.ending
    play_all(state, ". .")
    assert state.over
