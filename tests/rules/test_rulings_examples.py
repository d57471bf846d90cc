"""The worked examples of the rules reference (RULES 11) that concern the expansions, each as a test.

Where an example has a board and pieces they are taken from `data/examples.json`; the others are played on small
drawn maps. Those of the base game are in `test_examples.py`.
"""

import pytest
from scenes import EXAMPLES, after, example, expected, gold, legal, pieces, places, play_all, scene, tiles, walls

from kingdom_builder.hexes import hex_at, hex_name
from kingdom_builder.notation import legal_texts, play
from kingdom_builder.rules import State, scores
from kingdom_builder.rules.state import CARD

# ---- Nomads ----------------------------------------------------------------------------------------------------------


def test_x12_families_across_a_redraw() -> None:
    state = scene(
        """
        D D C C
         G G G G
        """,
        "2A/D/3/-",
        "40:::D",
        "40:::G",
        cards="families",
    )
    play_all(state, "a1 b1")
    assert state.awaiting == CARD, "the desert is full"
    play_all(state, "=C c1")
    assert gold(state, "families") == 2


def test_x31_village() -> None:
    """Three own settlements around c3."""
    state = example("X31", "3A/G/0/-", "village", "e5", "e5=1")
    assert after(state, "village") == {"c3"}


def test_x31_village_does_not_count_foreign_settlements() -> None:
    meadow = "\n".join(EXAMPLES["X31"]["board"])[:-1] + "1"
    state = scene(meadow, "3A/G/0/-", "38:b2,c2:e5:G", "39:d3::", locations="village")
    assert legal(state) == {"."}


def test_x33_quarry() -> None:
    state = example("X33", "3A/D/0/-", "quarry", "c3")
    assert after(state, "quarry") == {"c1", "d1"}, "g5 is desert too, but touches no own settlement"
    assert after(state, "c1") == {"d1", "done"}
    assert after(state, "d1") == {"."}
    assert walls(state) == {"c1", "d1"}


def test_x33_quarry_one_wall_only() -> None:
    state = example("X33", "3A/D/0/-", "quarry", "c3")
    play(state, "quarry:d1,done")
    assert (legal(state), walls(state)) == ({"."}, {"d1"})


def test_x35_donation_keeps_the_adjacency_rule() -> None:
    state = example("X35", tile="a6", printed="a6=N", nomads="a6:donation-desert")
    assert after(state, "donation-desert") == places("(0,2) (1,2)")
    assert after(state, "c2") == places("(0,2) (0,3) (1,3) (2,3)"), "no other action in between"
    assert after(state, "c1") == places("(0,3) (1,3) (2,3)")
    play(state, "d1")
    assert (state.acting, state.builds_left, state.supply[0]) == (None, 3, 36)


def test_x36_donation_of_water() -> None:
    board = "\n".join(EXAMPLES["X36"]["board"]).replace("L", "N")
    state = scene(board, "3A/D/0/-", "39:e3:c3:D", "40:::", nomads="c3:donation-water")
    assert after(state, "donation-water") == {"f3"}
    play_all(state, "f3 f2 g3")
    assert (gold(state, "fishermen"), gold(state, "miners")) == (1, 2)


def test_x38_resettlement() -> None:
    """One settlement moves three steps, past a farm and to a nomad space, another one."""
    state = scene(
        """
        G G G G G G G
         G G G 1 G G N
        G G G G G G G
         G G G G G G G
        """,
        "3A/G/0/-",
        "38:b1,a4:g2:G",
        "40:::C",
        locations="farm",
        nomads="g2:resettlement",
    )
    play_all(state, "resettlement b1")
    assert after(state, "c1") == {"b1", "d1", "b2", "c2", "a4", "done"}
    play(state, "d1")
    assert tiles(state) == ["farm", "resettlement"], "the farm's tile is taken on the way"
    play(state, "c1")
    assert tiles(state) == ["resettlement"], "and lost with the next step"
    assert after(state, "a4") == {"a3", "b3", "b4", "done"} | {"c1"}
    assert after(state, "b3") == {"."}, "four steps in all"
    assert pieces(state) == {"c1", "b3"}


def test_x39_outpost() -> None:
    state = example("X39", tile="a6", printed="a6=N", nomads="a6:outpost")
    assert legal(state) == {"c1", "c2", "outpost"}
    assert after(state, "outpost") == expected("X01"), "all eight desert hexes"
    assert after(state, "g5") == {"c1", "c2", "f6", "g6"}


SWORDS = """
    G G G G G N
     G 1 G G G G
    G G G G G G
     G G G G G C
"""


def test_x40_sword() -> None:
    state = scene(SWORDS, "3A/G/0/-", "40::f1:G", "38:b3,e4:b2:C", "40:::", locations="farm", nomads="f1:sword")
    assert after(state, "sword") == {"b3", "e4"}
    assert after(state, "b3") == {"."}, "C has no piece and is skipped"
    assert state.supply == [40, 39, 40]
    assert tiles(state, 1) == [], "it was the last piece next to the farm"


def test_x41_sword_and_the_end_of_the_game() -> None:
    state = scene(SWORDS, "9B!/G/0/-", "0:a1,b1,c1::", "39:e4:f1:G", locations="farm", nomads="f1:sword")
    play_all(state, "sword:a1")
    assert (state.supply[0], state.ending) == (1, True)
    play(state, ".")
    assert state.over


def test_x42_nomad_tile_timing() -> None:
    state = scene(SWORDS, "4A/G/3/-", "39:d1::G", "39:a4::G", locations="paddock", nomads="f1:donation-canyon")
    play_all(state, "e1 d2")
    assert after(state, "e2") == {"."}, "not in the round of the claim"
    play_all(state, ". =G b4 c4 d4 . =G")
    assert (state.round, state.player) == (5, 0)
    assert "donation-canyon" in legal(state)


def test_x42_the_tile_is_gone_after_the_next_turn() -> None:
    state = scene(SWORDS, "5A/G/3/-", "39:d1:f1:G", "39:a4::D", locations="paddock", nomads="f1:donation-canyon")
    assert "donation-canyon" in legal(state), "d1 does not touch the nomad space, which does not matter"
    play_all(state, "c1 b1 a1 .")
    assert tiles(state) == ["paddock"], "used or not, the donation is gone; c1 has brought a paddock"


def test_x43_treasure() -> None:
    state = scene(SWORDS, "4A/G/3/-", "39:d1::G", "39:a4::C", locations="paddock", nomads="f1:treasure")
    play(state, "e1")
    assert scores(state) == [3, 0]
    assert (tiles(state), state.tiles_left) == ([], [2, 0])
    play_all(state, "d2 c1")
    assert legal(state) == {"."}


@pytest.mark.parametrize(("moves", "pay"), [("b2 d2 c2", 2), ("c1 c2 d3", 2), ("b2 c2 e2", 0), ("c2 d3 c1", 2)])
def test_x76_families(moves: str, pay: int) -> None:
    state = scene("GGGGG/GGGGG/GGGGG", "2A/G/3/-", "37:a2,e1,d1::G", "40:::C", cards="families")
    play_all(state, moves)
    assert gold(state, "families") == pay


def test_x79_ambassadors() -> None:
    """B on c2; A builds c1 and d3 by the card and c4 by the Garden."""
    board = "\n".join(EXAMPLES["X79"]["board"]).replace("L", "1")
    state = scene(board, "3A/D/2/-", "38:b2,d4:c3:D", "39:c2::", locations="garden", cards="ambassadors")
    play(state, "c1")
    assert gold(state, "ambassadors") == 1
    play_all(state, "d3 garden:c4")
    assert pieces(state) >= {hex_name(hex_at(*place)) for place, owner, _ in EXAMPLES["X79"]["pieces"] if owner == "A"}
    assert gold(state, "ambassadors") == 2


def test_x79_moving_next_to_b_gives_nothing() -> None:
    state = scene(SWORDS, "3A/G/0/-", "39:c2:b2:G", "39:e1::", locations="paddock", cards="ambassadors")
    play(state, "paddock:c2-e2")
    assert gold(state, "ambassadors") == 0


# ---- Crossroads ------------------------------------------------------------------------------------------------------


def test_x44_warrior_blocked_hexes() -> None:
    state = example("X44", "3B/G/3/-", "barracks", printed="e5=1")
    assert legal(state) == {"a2", "b1", "c1", "d1", "d2"}
    assert pieces(state, 1) == {"a1", "c2"}, "B's settlement stays"


def test_x44_a_card_of_blocked_desert_is_replaced() -> None:
    board = "\n".join(EXAMPLES["X44"]["board"])[:-1] + "1"
    state = scene(board, "3A/G/0/-", "40:c3::G", "38:a1,c2::D", locations="barracks", warriors="c3", deck="C4D4F4G4T4")
    play_all(state, ". =G")
    assert (state.player, state.awaiting) == (1, CARD)
    play(state, "=G")
    assert legal(state) == {"a2", "b1", "c1", "d1", "d2"}


WARRIOR = """
    G G G G G N
     G 1 G G G G
    G G G G G G
     G G G G G C
"""


def test_x46_warrior_leaving() -> None:
    """B's settlement b3 stands next to A's warrior on c3."""
    state = scene(
        WARRIOR.replace("C", "2"), "3B/G/0/-", "40:c3::", "38:b3,a1:b2:G", locations="paddock,barracks", warriors="c3"
    )
    assert after(state, "paddock") == {"a1", "b3"}, "it may move away"
    assert after(state, "b3") == {"c1"}, "not to d3, which is blocked"


def test_x46_nobody_may_move_in() -> None:
    state = scene(
        WARRIOR.replace("C", "2"), "3B/G/0/-", "40:c3::", "39:c1:b2:G", locations="paddock,barracks", warriors="c3"
    )
    assert after(state, "paddock:c1") == {"a1", "e1"}, "b3 and d3 are next to the warrior"


def test_x46_the_sword_removes_a_piece_beside_a_warrior() -> None:
    state = scene(
        WARRIOR.replace("C", "2"),
        "3A/G/0/-",
        "40:c3:f1:G",
        "39:b3::",
        locations="paddock,barracks",
        warriors="c3",
        nomads="f1:sword",
    )
    play(state, "sword:b3")
    assert pieces(state, 1) == set()


def reachable(state: State, action: str) -> set[str]:
    """Where a wagon or ship can end, however it goes."""
    found: set[str] = set()
    play(state, action)
    play(state, legal_texts(state)[0])
    todo = [state]
    while todo:
        here = todo.pop()
        if here.acting is None:
            continue
        for choice in legal(here) - {"done", "other"}:
            there = here.copy()
            play(there, choice)
            found.add(choice)
            todo.append(there)
    return found


def test_x47_wagon_movement() -> None:
    state = example("X47", "3A/G/0/-", "wagon", "c3")
    assert reachable(state, "wagon") - {"e4"} == expected("X47")


def test_x49_ship_movement() -> None:
    state = example("X49", "3A/G/0/-", "lighthouse", "c3")
    assert reachable(state, "lighthouse") - {"f2"} == expected("X49")


def test_x50_placing_ship_and_wagon() -> None:
    assert after(example("X50", "3A/G/0/-", "lighthouse", "c3"), "lighthouse") == {"f3"}
    assert after(example("X50", "3A/G/0/-", "wagon", "c3"), "wagon") == places("(1,3) (1,4) (2,3) (3,3) (3,4)")


def test_x50_free_choice_of_water() -> None:
    board = "\n".join(EXAMPLES["X50"]["board"]).replace("L", "1")
    state = scene(board, "3A/G/0/-", "39:a1:c3:G", "40:::", locations="lighthouse")
    assert after(state, "lighthouse") == {"f2", "g2", "f3", "g3", "g4"}


def test_x52_city_hall_scoring() -> None:
    state = example("X52", "3A/G/0/-", "city-hall", printed="f6=1")
    keys = ["citizens", "hermits", "discoverers", "knights", "fortress", "chainers", "travellers"]
    assert [gold(state, key) for key in keys] == [4, 1, 3, 6, 6, 1, 4]


def test_x53_fort_without_room() -> None:
    state = scene("GGG/G1G/GGG", "3A/G/3/-", "39:a1:b2:G", "40:::D", locations="fort")
    play_all(state, "fort =C")
    assert (state.supply[0], state.discard) == (39, "C"), "nothing is built, the card is discarded"
    assert "fort" not in legal(state), "the action is spent"
    assert state.card == "G"


CROSSING = """
    D D D G G G
     1 G G G 2 G
    G G D D G G
     D G G G G G
"""


def test_x54_crossroads_tile() -> None:
    state = scene(CROSSING, "3A/-/3/-", "39:b3:a2,e2:DG", "40:::T", locations="crossroads,oracle")
    assert legal(state) == {"!D", "!G"}, "the Oracle needs the card too"
    assert after(state, "!D") == {"c3", "a4", "oracle"}
    assert after(state, "c3 d3 a4") == {"oracle", "."}
    assert after(state, "oracle") == {"a1", "b1", "c1"}
    play_all(state, "a1 . =C")
    assert state.discard == "DG"
    assert state.player == 0, "two cards are drawn"
    play(state, "=D")
    assert (state.player, state.hands[0]) == (1, "CD")


def test_x54_barn_cathedral_and_quarry_use_the_chosen_card() -> None:
    def begin(location: str, **fields: str) -> State:
        state = scene(CROSSING, "3A/-/3/-", "39:b3:a2,e2:DG", "40:::T", locations=f"crossroads,{location}", **fields)
        assert location not in legal(state) or location == "cathedral", "taking one more number needs no card"
        play(state, "!D")
        return state

    assert after(begin("barn"), "c3 d3 a4 barn b3") == {"a1", "b1", "c1"}
    assert after(begin("cathedral", cathedral="1,0"), "cathedral") == {"c3", "a4", "other"}
    assert after(begin("quarry"), "quarry") == {"c3", "a4"}


def test_x87_task_road() -> None:
    assert gold(example("X87", "3A/G/0/-"), "road") == 7
    meadow = "\n".join(EXAMPLES["X87"]["board"])
    row = scene(meadow, "3A/G/0/-", "32:a3,b3,c3,d3,e3,f3,g3,h3::G", "40:::")
    six = scene(meadow, "3A/G/0/-", "34:c1,c2,d3,d4,e5,e6::G", "40:::")
    assert (gold(row, "road"), gold(six, "road")) == (0, 0)


def test_x88_task_place_of_refuge() -> None:
    assert gold(example("X88", "3A/G/0/-"), "place-of-refuge") == 8
    board = "\n".join(EXAMPLES["X88"]["board"]).replace("L", "1")
    five = scene(board, "3A/G/0/-", "35:b1,c1,a2,c2,b3::G", "40:::", locations="farm")
    assert gold(five, "place-of-refuge") == 0


def test_x94_meeples_count_in_scoring() -> None:
    state = scene(
        """
        G G G G G G G
         1 2 3 G G G G
        G G G W M W G
         G G G G G G G
        G G G G G G G
        """,
        "3A/G/0/-",
        "37:a5,c5,g5,e5,d3,e3::G",
        "40:::",
        locations="barracks,wagon,lighthouse",
        warriors="e5",
        ships="d3",
        wagons="e3",
    )
    assert gold(state, "knights") == 8, "four on the last row"
    assert (gold(state, "miners"), gold(state, "fishermen")) == (1, 1), "the ship, and the wagon"


def test_x95_fort_with_outpost() -> None:
    state = scene("GGGGT/G1GGG/GGGNT", "3A/G/0/-", "39:a1:b2,d3:G", "40:::D", locations="fort", nomads="d3:outpost")
    play_all(state, "fort =G")
    assert legal(state) == {"b1", "a2", "outpost"}
    assert after(state, "outpost") == {"b1", "c1", "d1", "a2", "c2", "d2", "e2", "a3", "b3", "c3"}
    assert after(state, "d1") == {"."}


def test_x96_bazaar_and_barracks() -> None:
    state = scene("GGGGGG/G1GG2G/GGGGGG", "3A/G/0/-", "39:a1:b2,e2:G", "40:::D", locations="barracks,bazaar")
    play_all(state, "barracks:b1 bazaar:barracks")
    assert {"b1", "d1", "f3"} <= legal(state), "take it back, or place the second"
    play(state, "f3")
    assert pieces(state) == {"a1", "b1", "f3"}


def test_x96_no_third_warrior() -> None:
    state = scene(
        "GGGGGG/G1GG2G/GGGGGG", "3A/G/0/-", "39:a1,f3:b2,e2:G", "40:::D", locations="barracks,bazaar", warriors="f3"
    )
    play_all(state, "barracks:b1 bazaar:barracks")
    assert legal(state) == {"b1", "f3"}, "both stand on the board: one may be taken back"
