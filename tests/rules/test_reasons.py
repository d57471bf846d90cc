"""Why not? A position, an action, and the sentence that names the rule."""

import pickle

import pytest
from playing import PRINTED, SMALL, Case, sample

from kingdom_builder.content import LOCATIONS, NOMAD_TILES
from kingdom_builder.hexes import SIZE, bits, hex_at, parse_hex
from kingdom_builder.notation import parse_move, parse_position, play
from kingdom_builder.rules import (
    CHOOSE,
    DONE,
    DRAW,
    DRAWING,
    END,
    OTHER,
    USE,
    Action,
    IllegalAction,
    State,
)

ALL_LOCATIONS = ("oracle", "farm", "oasis", "tower", "tavern", "barn", "harbor", "paddock")
OTHER_LOCATIONS = [key for key in LOCATIONS if key not in ALL_LOCATIONS]

# Round 3, seat A with card grass before its mandatory action. The location is in the middle of the map, and
# A has its tile, ready. B stands on e1.
MAP = "GGGGG/GCDWG/GG1MG/GGGKG/GGGGG"


def position(location: str = "farm", *, turn: str = "3A/G/3/-", tile: str = "c3", pieces: str = "b3") -> State:
    card = turn.split("/")[1]
    hand = card if card in "CDFGT" else ""
    return parse_position(
        f"{MAP}({location}) - - 1 C4D4F4G3T4 - {turn} {40 - len(pieces.split(','))}:{pieces}:{tile}:{hand} 39:e1::G"
    )


def action(state: State, text: str) -> Action:
    """The action of this text; a tile by its key."""
    (number,) = parse_move(state.setup, text)
    return number


def why_not(state: State, text: str) -> str:
    """The sentence; it is the one that the refusal gives, and it is one sentence."""
    number = action(state, text)
    message = state.why_not(number)
    assert message is not None
    with pytest.raises(IllegalAction) as refused:
        state.copy().apply(number)
    assert (refused.value.message, refused.value.code) == (message, "illegal")
    reason = str(message)
    assert str(refused.value) == reason
    assert reason.endswith(".")
    assert ". " not in reason
    assert reason.count(".") == 1
    return reason


# ---- building --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("h", "sentence"),
    [
        ("b3", "b3 is occupied by you: one piece a hex."),
        ("e1", "e1 is occupied by seat B: one piece a hex."),
        ("c3", "Nothing may be built on c3 (Farm location)."),
        ("d4", "Nothing may be built on d4 (castle)."),
        ("b2", "b2 is canyon, but the terrain card shows grass."),
        ("d2", "d2 is water, but the terrain card shows grass."),
        ("d3", "d3 is mountain, but the terrain card shows grass."),
        (
            "e5",
            "e5 does not touch your settlements: where you can, you must build next to them "
            "(the terrain card shows grass).",
        ),
        ("f1", "f1 is not on this board."),
        ("t20", "t20 is not on this board."),
    ],
)
def test_a_hex_that_cannot_be_built_on(h: str, sentence: str) -> None:
    assert why_not(position(), h) == sentence


def test_nomad_spaces_and_silos_cannot_be_built_on() -> None:
    state = parse_position("GNI - - - C5 - 3A/G/3/- 40:::G 40:::")
    assert why_not(state, "b1") == "Nothing may be built on b1 (nomad space)."
    assert why_not(state, "c1") == "Nothing may be built on c1 (silo)."


def test_a_legal_action_needs_no_explanation() -> None:
    state = position()
    for text in ("a3", "b4", "farm"):
        assert state.why_not(action(state, text)) is None
    assert position(turn="3A/G/0/-").why_not(END) is None


def test_after_the_mandatory_action_nothing_more_is_built() -> None:
    sentence = "The mandatory action is done: use a tile or end the turn."
    assert why_not(position(turn="3A/G/0/-"), "a3") == sentence


@pytest.mark.parametrize("todo", [1, 2, 3])
def test_the_turn_ends_only_after_the_mandatory_action(todo: int) -> None:
    sentence = f"First build {todo} {'settlements' if todo == 3 else 'more'} on grass."
    assert why_not(position(turn=f"3A/G/{todo}/-"), ".") == sentence


# ---- tiles -----------------------------------------------------------------------------------------------------------


def test_a_tile_that_one_does_not_have() -> None:
    state = parse_position(f"{MAP}(farm) - - 2 C4D4F4G3T4 - 3A/G/3/- 39:a1::G 39:e1::G")
    assert why_not(state, "farm") == "You have no Farm tile."


def test_a_tile_that_was_lost() -> None:
    assert why_not(position(tile="c3-", pieces="a1"), "farm") == "You have no Farm tile."


def test_a_tile_that_only_another_seat_has() -> None:
    state = parse_position(f"{MAP}(farm) - - 1 C4D4F4G3T4 - 3A/G/3/- 39:a1::G 39:b3:c3:G")
    assert why_not(state, "farm") == "You have no Farm tile."


def test_a_tile_that_was_used() -> None:
    assert why_not(position(tile="c3*"), "farm") == "The Farm has been used in this turn."


def test_a_tile_that_was_used_a_moment_ago() -> None:
    state = position()
    play(state, "farm:a3")
    assert why_not(state, "farm") == "The Farm has been used in this turn."


def test_a_tile_that_is_fresh() -> None:
    sentence = "The Farm tile was taken in this turn: it can be used from your next turn on."
    assert why_not(position(tile="c3+", turn="3A/G/0/-"), "farm") == sentence


def test_two_tiles_of_a_kind_one_used_and_one_fresh() -> None:
    state = parse_position("G1GGG/GGGGG/GGG1G(farm) - - 11 C4D4F4G3T4 - 3A/G/0/- 38:a1,d2:b1*,d3+:G 40:::G")
    assert why_not(state, "farm") == "The Farm has been used in this turn."


@pytest.mark.parametrize("todo", [1, 2])
def test_no_tile_between_the_builds(todo: int) -> None:
    sentence = "No extra action between the settlements of the mandatory action."
    assert why_not(position(turn=f"3A/G/{todo}/-"), "farm") == sentence


@pytest.mark.parametrize("location", ["tavern", "oasis"])
def test_a_tile_for_which_there_is_nothing_to_do(location: str) -> None:
    pieces = "b3" if location == "tavern" else "b3,c2"
    state = position(location, pieces=pieces)
    assert why_not(state, location) == f"{location.capitalize()}: there is no hex for it."


def test_a_tile_that_builds_from_an_empty_supply() -> None:
    state = parse_position(f"{MAP}(farm) - - 1 C4D4F4G3T4 - 3A!/G/0/- 0:b3:c3:G 39:e1::G")
    assert "your supply is empty" in why_not(state, "farm")


def test_one_action_is_finished_before_the_next_begins() -> None:
    state = parse_position("G1GGG/GGGGG/GGG2G(farm,oasis) - - 11 C4D4F4G3T4 - 3A/G/0/farm 38:a1,d2:b1*,d3:G 40:::G")
    assert why_not(state, "oasis") == "One action is finished before the next begins: Farm."
    assert why_not(state, "farm") == "The Farm has been used in this turn."
    assert why_not(state, ".") == "The action of the Farm has begun and must be finished."


# ---- inside the action of each location ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("location", "h", "sentence"),
    [
        ("oracle", "b2", "b2 is canyon, but Oracle: build on the terrain of your card."),
        ("oracle", "e5", "e5 does not touch your settlements: where you can, you must build next to them "
            "(Oracle: build on the terrain of your card)."),
        ("farm", "b2", "b2 is canyon, but Farm: build on grass."),
        ("farm", "b3", "b3 is occupied by you: one piece a hex."),
        ("farm", "c3", "Nothing may be built on c3 (Farm location)."),
        ("farm", "e5", "e5 does not touch your settlements: where you can, you must build next to them "
            "(Farm: build on grass)."),
        ("oasis", "a3", "a3 is grass, but Oasis: build on desert."),
        ("oasis", "e1", "e1 is occupied by seat B: one piece a hex."),
        ("tower", "b2", "b2 is canyon, but Tower: build on land at the edge of the board."),
        ("tower", "e5", "e5 does not touch your settlements: where you can, you must build next to them "
            "(Tower: build on land at the edge of the board)."),
        ("barn", "a1", "Barn: choose one of your own pieces, a1 has none."),
        ("harbor", "e1", "Harbor: choose one of your own pieces, e1 has none."),
        ("paddock", "c3", "Paddock: choose one of your own pieces, c3 has none."),
    ],
)  # fmt: skip
def test_a_hex_that_an_extra_action_does_not_allow(location: str, h: str, sentence: str) -> None:
    assert why_not(position(location, turn=f"3A/G/3/{location}", tile="c3*"), h) == sentence


def test_a_hex_that_is_not_an_end_of_a_line() -> None:
    state = parse_position(
        f"{MAP}(tavern) - - 1 C4D4F4G3T4 - 3A/G/0/tavern 37:b4,a4,c4:c3*:G 39:e1::G".replace("K", "G")
    )
    rule = "Tavern: build on land directly beyond an end of three or more of your settlements in a row"
    assert why_not(state, "a1") == f"{rule}; a1 (grass) is not such a hex."
    assert why_not(state, "d2") == f"{rule}; d2 (water) is not such a hex."
    assert why_not(state, "a4") == "a4 is occupied by you: one piece a hex."
    assert why_not(state, "c3") == "Nothing may be built on c3 (Tavern location)."
    assert state.why_not(parse_hex("d4")) is None


@pytest.mark.parametrize(
    ("location", "h", "sentence"),
    [
        ("barn", "b3", "Barn: b3 is where the piece stands."),
        ("barn", "b2", "b2 is canyon, but Barn: move to the terrain of your card."),
        ("barn", "e5", "e5 does not touch your other settlements: where you can, you must move next to them "
            "(Barn: move to the terrain of your card)."),
        ("barn", "c4", "c4 is occupied by you: one piece a hex."),
        ("harbor", "b3", "Harbor: b3 is where the piece stands."),
        ("harbor", "a1", "a1 is grass, but Harbor: move to water."),
        ("harbor", "e1", "e1 is occupied by seat B: one piece a hex."),
        ("paddock", "b3", "Paddock: b3 is where the piece stands."),
        ("paddock", "a3", "Paddock: move to land two hexes away in a straight line; a3 (grass) is not such a hex."),
        ("paddock", "d3", "Paddock: move to land two hexes away in a straight line; d3 (mountain) is not such a hex."),
        ("paddock", "d4", "Nothing may be built on d4 (castle)."),
    ],
)  # fmt: skip
def test_a_target_that_a_move_does_not_allow(location: str, h: str, sentence: str) -> None:
    state = position(location, turn=f"3A/G/3/{location}>b3", tile="c3*", pieces="b3,c4")
    assert why_not(state, h) == sentence


def test_a_piece_that_cannot_move() -> None:
    state = parse_position("GWG/1WW/WWW(paddock) - - 1 C4D4F4G4T4 - 3A/G/0/paddock 38:a1,a3:a2*:G 40:::")
    sentence = "Paddock: the piece on a3 cannot move to land two hexes away in a straight line."
    assert why_not(state, "a3") == sentence
    assert state.why_not(parse_hex("a1")) is None


def test_a_piece_that_nothing_but_itself_would_support() -> None:
    """Barn, card grass: c1 touches b1 alone, and the only grass beside a1 is the hex that b1 would leave."""
    state = parse_position("GGGW/1WWW/WWWW(barn) - - 1 C4D4F4G4T4 - 3A/G/0/barn 38:a1,b1:a2*:G 40:::")
    assert why_not(state, "b1") == "Barn: the piece on b1 cannot move to the terrain of your card."
    assert state.why_not(parse_hex("a1")) is None


# ---- draws and the end -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("turn", ["3A/=/2/-", "3A/-/0/="])
@pytest.mark.parametrize("text", ["a3", ".", "farm"])
def test_a_card_has_to_be_drawn_first(turn: str, text: str) -> None:
    assert why_not(position(turn=turn), text) == "A terrain card has to be drawn first."


def test_a_card_that_is_not_in_the_pile() -> None:
    state = parse_position("GG - - - C5D1 - 3A/-/0/= 40::: 40:::")
    assert why_not(state, "=F") == "No flower field card is left in the draw pile."
    assert state.why_not(DRAWING["C"]) is None


@pytest.mark.parametrize("card", "CDFGT")
def test_no_card_is_drawn_when_nobody_needs_one(card: str) -> None:
    assert why_not(position(), f"={card}") == "No card is to be drawn now."


@pytest.mark.parametrize("number", [0, parse_hex("t20"), END, DRAW, DRAW + 4, USE, USE + 50, 600, -1])
def test_after_the_game_nothing_is_legal(number: Action) -> None:
    state = parse_position("GG1(farm) - - 2 C5D1 - 9B!/G/0/# 40::: 40:::G")
    assert str(state.why_not(number)) == "The game is over."


@pytest.mark.parametrize("number", [-2, -1, DRAW + 5, USE - 1, USE + 1, 600, 10**9])
def test_numbers_of_no_action(number: Action) -> None:
    state = position()
    reason = state.why_not(number)
    assert reason is not None
    assert str(reason).startswith(f"There is no action {number}: expected a hex,")
    with pytest.raises(IllegalAction, match=f"There is no action {number}") as refused:
        state.apply(number)
    assert refused.value.action == number


def test_a_refusal_can_be_sent_to_another_process() -> None:
    with pytest.raises(IllegalAction) as refused:
        position().apply(600)
    copy = pickle.loads(pickle.dumps(refused.value))
    assert (type(copy), copy.action, str(copy)) == (IllegalAction, 600, str(refused.value))


def test_the_padding_between_rows_is_not_on_the_board() -> None:
    state = sample(Case(2), 1)[0]
    padding = [h for h in range(SIZE) if h not in {hex_at(row, col) for row in range(20) for col in range(20)}]
    assert [str(state.why_not(h)) for h in padding] == [f"Hex {h} is not on this board." for h in padding]


# ---- everywhere ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", [Case(3, board, seed) for board in (PRINTED, SMALL) for seed in range(3)], ids=str)
def test_a_sentence_about_a_hex_is_true(case: Case) -> None:
    """Occupied hexes are called occupied, special hexes by their name, others by their terrain or by adjacency."""
    for state in sample(case, 30):
        if state.over or state.awaiting or state.acting is not None or not state.builds_left:
            continue
        board = state.setup.board
        for row in range(board.height):
            for col in range(board.width):
                h = hex_at(row, col)
                reason = state.why_not(h)
                occupied = any(own >> h & 1 for own in state.own)
                if reason is None:
                    assert state.legal() >> h & 1
                elif board.special >> h & 1:
                    assert f"({state.setup.ground(h)})" in str(reason)
                elif occupied:
                    mine = state.own[state.player] >> h & 1
                    assert ("occupied by you" if mine else "occupied by seat") in str(reason)
                elif not state.card_hexes >> h & 1:
                    assert f"is {state.setup.ground(h)}, but the terrain card shows" in str(reason)
                else:
                    assert "does not touch your settlements" in str(reason)
                    assert not state.near[state.player] >> h & 1


@pytest.mark.parametrize("location", ALL_LOCATIONS)
def test_every_location_explains_every_hex_of_the_board(location: str) -> None:
    """Before, during and after its action, on a map where it has something to do."""
    line = f"GGGGG/GCDWG/GG1GG/GGGGG/GGGGG({location}) - - 1 C4D4F4G3T4 - 3A/G/3/- 36:b3,a4,b4,c4:c3:G 39:e1::G"
    state = parse_position(line)
    assert state.why_not(USE) is None
    for text in (location, "step", "step"):
        if text == location:
            play(state, text)
        elif state.acting is not None:
            state.apply(min(h for h in range(SIZE) if state.legal() >> h & 1))
        for h in range(SIZE):
            reason = state.why_not(h)
            assert (reason is None) == bool(state.legal() >> h & 1)
            if reason is not None:
                assert str(reason).endswith(".")
                assert ". " not in str(reason)
                assert ".." not in str(reason)
    assert state.acting is None


def explained_everywhere(state: State) -> None:
    """Every number is legal or has a reason of one sentence, whatever the step."""
    for number in (*range(-1, USE + len(state.setup.actions) + 1), 600):
        message = state.why_not(number)
        legal = number >= 0 and bool(state.legal() >> number & 1)
        assert (message is None) == legal, number
        if message is not None:
            reason = str(message)
            assert reason.endswith(".")
            assert not {". ", ".."} & {reason[i : i + 2] for i in range(len(reason))}
            assert "None" not in reason


def explained_on_the_way(state: State, seen: set[tuple[object, ...]], depth: int = 5) -> None:
    """The state and every state that an action in progress leads to, one for each kind of step."""
    explained_everywhere(state)
    if state.acting is None or not depth:
        return
    kinds = {
        (choice >= SIZE and choice, bool(state.own[state.player] >> choice & 1)): choice
        for choice in bits(state.legal())
    }
    for choice in kinds.values():
        after = state.copy()
        after.apply(choice)
        step = (after.acting and after.acting.key, after.source, after.steps, after.awaiting, depth)
        if step not in seen:
            seen.add(step)
            explained_on_the_way(after, seen, depth - 1)


@pytest.mark.parametrize("location", OTHER_LOCATIONS)
def test_every_location_of_the_other_boxes_explains_every_number(location: str) -> None:
    count = " cathedral=2,0" if location == "cathedral" else ""
    pieces = {"barracks": "warriors", "wagon": "wagons", "lighthouse": "ships"}.get(location)
    on_board = "" if pieces is None else f" {pieces}={'d2' if location == 'lighthouse' else 'e6'}"
    for more in {"", on_board}:
        line = (
            (
                f"GGGGGFT/GCDWGGG/GG1WGAG/GGGGGGG/GGGGGMG/GGGGGGG/GGGGGGG({location},farm) - - 1 C4D4F4G3T4 - 3A/G/3/- "
                f"33:b3,a4,b4,c4,c5,d2,e6:c3:G 39:e1::G{count}{more}"
            )
            .replace("G/GGGGGGG(", "2/GGGGGGG(")
            .replace(" 1 C4", " 11 C4")
            .replace("c3:G 39", "c3,g6*:G 39")
        )
        state = parse_position(line)
        explained_everywhere(state)
        if location == "bazaar":
            assert state.legal() >> USE & 1
        if state.legal() >> USE & 1:
            state.apply(USE)
            explained_on_the_way(state, set())
        else:
            assert location == "crossroads"


@pytest.mark.parametrize("tile", list(NOMAD_TILES))
def test_every_nomad_tile_explains_every_number(tile: str) -> None:
    line = (
        "GGGGG/GCDWF/GGNWT/GGGGM/GGGGG - - 0 C4D4F4G3T4 - 3A/G/3/- 36:b3,a4,b4,c4:c3:G 38:e1,e5::G 39:a1:: "
        f"nomads=c3:{tile}"
    )
    state = parse_position(line)
    explained_everywhere(state)
    if tile == "treasure":
        assert not state.legal() >> USE & 1
    else:
        state.apply(USE)
        explained_on_the_way(state, set())


def test_walls_scouts_and_warriors_say_what_is_in_the_way() -> None:
    line = (
        "GGGGG/G1GGG/GG2GG(barracks,scout-cabin) - - 11 C4D4F4G3T4 - 3A/G/3/- "
        "38:a1,e3:b2,c3*:G 39:e1::G warriors=e3 scouts=b1"
    )
    state = parse_position(line)
    assert why_not(state, "b1") == "b1 has a scout on it until the end of the turn."
    assert why_not(state, "e2") == "e2 is next to a warrior: nothing may be put there."
    assert why_not(state, "e3") == "e3 is occupied by you: one piece a hex."
    walled = parse_position("GGGGG/G1GGG(quarry) - - 1 C4D4F4G3T4 - 3A/G/3/- 39:a1:b2:G 39:e1::G walls=b1")
    assert why_not(walled, "b1") == "b1 has a stone wall: it stays for the rest of the game."


def test_the_choice_between_cards_is_explained() -> None:
    state = parse_position("GGCCC/G1CTT(crossroads) - - 1 C4D4F4G3T4 - 3A/-/3/- 39:a1:b2:CD 39:e1::G")
    assert why_not(state, "b1") == "Choose one of your terrain cards first."
    assert why_not(state, "!D") == "No free desert hex is left: a useless card cannot be chosen."
    assert why_not(state, "!G") == "You have no grass card."
    assert why_not(state, ".") == "Choose a card and build first."
    assert why_not(state, "crossroads") == "Crossroads: it always works, and is never used."
    play(state, "!C")
    assert why_not(state, "!D") == "There is no choice between several terrain cards now."
    assert why_not(state, "done") == why_not(state, "other") == "No extra action is in progress."


@pytest.mark.parametrize("number", [CHOOSE, CHOOSE + 4, DONE, OTHER])
def test_choices_of_the_other_boxes_are_refused_in_the_base_game(number: Action) -> None:
    state = position()
    reason = state.why_not(number)
    assert reason is not None
    with pytest.raises(IllegalAction, match=str(reason)):
        state.apply(number)
