"""Whatever is refused, the reason for it is true: in positions of chance, for every action that is not legal."""

import ast
from collections.abc import Iterator
from random import Random

import pytest
from claims import CLAIMS, WANTED, check_reasons, numbers_of
from message_templates import SOURCE
from odd_positions import odd_position
from playing import PRINTED, SET_CHOICES, SMALL, WIDE, Case, start_of
from reference.bridge import choose
from scenes import play_all

from kingdom_builder.content import ALL_SETS, OPTIONS
from kingdom_builder.hexes import bits
from kingdom_builder.notation import NotationError, parse_move, parse_position, position_of
from kingdom_builder.rules import USE, State, turn_of


def walk(state: State, rng: Random) -> Iterator[tuple[State, set[str], set[str]]]:
    """A game of chance: each state, and the kinds of tiles used and taken in its turn."""
    used: set[str] = set()
    taken: set[str] = set()
    setup = state.setup
    while not state.over:
        yield state, used, taken
        action = choose(state, rng)
        seat, before, turn = state.player, state.taken[state.player], turn_of(state)
        if action >= USE and (state.acting is None or setup.actions[action - USE].lifts_adjacency):
            used = used | {setup.actions[action - USE].key}
        state.apply(action)
        taken = taken | {setup.actions[setup.tile_kind[tile]].key for tile in bits(state.taken[seat] & ~before)}
        if turn_of(state) != turn:
            used, taken = set(), set()
    yield state, used, taken


def said_in(case: Case) -> set[str]:
    """The templates of all reasons in a game, each of which is checked."""
    rng = Random(str(case))
    every = 5 if case.board == SMALL else 40
    said = set()
    for number, (here, used, taken) in enumerate(walk(start_of(case), rng)):
        if number % every == 0 or (here.acting is not None and number % every < every // 2) or here.over:
            said |= check_reasons(here, used, taken, numbers_of(here))
    return said


CASES = [
    *[Case(2 + n % 4, SMALL, 40 + n, tuple(sorted(OPTIONS)[n % 13 :: 5]), ALL_SETS) for n in range(80)],
    *[Case(2 + n % 4, SMALL, 180 + n, (), sets) for n, sets in enumerate(SET_CHOICES)],
    *[Case(players, board, 90, (), ALL_SETS) for players in (2, 3, 4, 5) for board in (PRINTED, WIDE)],
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_reason_in_a_game_of_chance_is_true(case: Case) -> None:
    assert said_in(case)


# ---- what was false --------------------------------------------------------------------------------------------------

CATHEDRAL = "GGGGG/G1GGG/GGGGG(cathedral) - - 1 C3D3F3G3T3 - 3A/G/3/cathedral 38:a1,a2:b2*:G 40:::T"
CARDS = "GGDGG/G1GGG/GGGGG({}) - - 1 C3D3F3G3T3 - 3A/-/3/- 38:a1,a2:b2:DG 40:::T"
AFTER = "GGGGG/G1GGG/GGGGG({}) - - 1 C3D3F3G3T3 - 3A{}/G/0/- {}:a1,a2:b2:G 39:e3::T"
SILO = "GGGGGG/GGIGGG/GGGGGG/GGGGGG - - - C3D3F3G3T3 - 9A!/-/0/silo*3 {}:c1,d1,f4:: 4:a4:: silos=c2"
NOMAD = "GGGGG/GNGGG/GGGGG - - 0 C3D3F3G3T3 - 3A/G/0/- 39:a1:b2:G {} nomads=b2:{}"
OUTPOSTS = "GGGGG/GNGGG/GGGNG - - 00 C3D3F3G3T3 - 3A/G/3/- 39:a1:b2,d3:G 40:::T nomads=b2:outpost,d3:outpost"
HALL = "b1,c1,a2,b2,c2,b3,c3"
FULL_OF_WALLS = ",".join([f"{column}{row}" for row in "34567" for column in "abcde"])
WALLED = (
    f"GGGGG/G1GGG/{'/'.join(['GGGGG'] * 5)}(quarry) - - 1 C3D3F3G3T3 - 3A/G/0/- 39:a1:b2:G 40:::T walls={FULL_OF_WALLS}"
)

TOWN = "GGGGGG/GGGGGG/GGGGGG/1GGG2G(city-hall,bazaar) - - 11 C3D3F3G3T3 - 3A/G/0/- 38:a3,f1:a4,e4:G 40:::T"
MARKET = "GGGGG/G1G2G/GGGGG/3GGGG(bazaar,farm,tower) - - 112 C3D3F3G3T3 - 3A/G/0/- 38:a1,e1:b2,d2:G 40:::T"

SCENES: dict[str, tuple[str, str, str, str]] = {
    "the Cathedral at 0": (CATHEDRAL, "", "b1", "Cathedral: it is at 0, and nothing can be built."),
    "the Cathedral with an empty supply": (
        CATHEDRAL.replace("3A/G/3", "3A!/G/0").replace("38:", "0:") + " cathedral=2,0",
        "",
        "b1",
        "Cathedral: your supply is empty.",
    ),
    "the Cathedral before a card is chosen": (
        CARDS.format("cathedral") + " cathedral=2,0",
        "cathedral",
        "b1",
        "Cathedral: choose one of your terrain cards first.",
    ),
    "the Oracle before a card is chosen": (
        CARDS.format("oracle"),
        "",
        "oracle",
        "Oracle: choose one of your terrain cards first.",
    ),
    "the Barn before a card is chosen": (
        CARDS.format("barn"),
        "",
        "barn",
        "Barn: choose one of your terrain cards first.",
    ),
    "the Quarry before a card is chosen": (
        CARDS.format("quarry"),
        "",
        "quarry",
        "Quarry: choose one of your terrain cards first.",
    ),
    "a card in the middle of an action": (
        CARDS.format("cathedral"),
        "cathedral",
        "!D",
        "One action is finished before the next begins: Cathedral.",
    ),
    "the Oracle without a card": (
        AFTER.format("oracle", "", "38").replace("/G/0", "/-/0").replace("b2:G", "b2:"),
        "",
        "oracle",
        "Oracle: you have no terrain card in play.",
    ),
    "the Crossroads": (
        AFTER.format("crossroads", "", "38"),
        "",
        "crossroads",
        "Crossroads: it always works, and is never used.",
    ),
    "a Crossroads just taken": (
        AFTER.format("crossroads", "", "38").replace("b2:G", "b2+:G"),
        "",
        "crossroads",
        "Crossroads: it always works, and is never used.",
    ),
    "a Bazaar with nothing to repeat": (
        AFTER.format("bazaar", "", "38"),
        "",
        "bazaar",
        "Bazaar: there is no action of a location to repeat.",
    ),
    "a city hall that stands": (
        TOWN.replace("38:a3,f1", f"38:a3,f1,{HALL}") + f" city-halls={HALL}",
        "",
        "city-hall",
        "City hall: your city hall is on the board already.",
    ),
    "a Sword without victims": (
        NOMAD.format("40:::T", "sword"),
        "",
        "sword",
        "Sword: no other player has a piece that can be removed.",
    ),
    "a Fort without cards": (
        AFTER.format("fort", "", "38").replace("C3D3F3G3T3", "-"),
        "",
        "fort",
        "Fort: no terrain card is left to draw.",
    ),
    "a Farm with an empty supply": (AFTER.format("farm", "!", "0"), "", "farm", "Farm: your supply is empty."),
    "a Quarry without walls": (WALLED, "", "quarry", "Quarry: no stone wall is left."),
    "a Resettlement without steps": (
        "GWWWW/WNWWG/WWWWW - - 0 C3D3F3G3T3 - 3A/G/0/- 39:a1:b2:G 40:::T nomads=b2:resettlement",
        "",
        "resettlement",
        "Resettlement: none of your pieces can take a step.",
    ),
    "another piece at the beginning of a Resettlement": (
        NOMAD.format("40:::T", "resettlement").replace("39:a1", "38:a1,e3"),
        "resettlement:a1",
        "e3",
        "Resettlement: the piece on a1 takes the first step.",
    ),
    "a second Outpost": (OUTPOSTS, "outpost", "outpost", "Outpost: the next build may be anywhere already."),
    "the silo after a first move": (
        SILO.format(5),
        "f4 e1",
        "b1",
        "Silo: you move pieces with this one, and cannot build too.",
    ),
    "the silo with an empty supply": (SILO.format(0), "", "b1", "Silo: your supply is empty."),
    "the silo after a first build": (
        SILO.format(5),
        "b1",
        "f4",
        "Silo: you build with this one, and cannot move pieces too.",
    ),
    "a tile in the silo phase": (
        "GGGGGG/GGIGGG/GG1GGG/GGGGGG(farm) - - 1 C3D3F3G3T3 - 9A!/-/0/silo*3 5:c1,c4:c3: 4:a4:: silos=c2",
        "",
        "farm",
        "Farm: tiles are not used after the last turn.",
    ),
    "a lifted warrior": (
        "GGGGG/G1GGG/GGGG2(paddock,barracks) - - 12 C3D3F3G3T3 - 3A/G/0/- 39:a1,c1:b2:G 40:::T warriors=c1",
        "paddock:c1",
        "d1",
        "Paddock: move to land two hexes away in a straight line; d1 (grass) is not such a hex.",
    ),
    "a third warrior": (
        "GGGGGG/G1GGGG(barracks) - - 1 C3D3F3G3T3 - 3A/G/0/- 39:a1,c1,e1:b2:G 40:::T warriors=c1,e1",
        "barracks",
        "a2",
        "Barracks: both of your warriors are on the board; choose one to take back.",
    ),
    "a city hall at the edge": (
        TOWN,
        "city-hall",
        "a1",
        "City hall: choose the centre of seven free land hexes, at least one of them next to your settlements; "
        "a1 is not such a centre.",
    ),
    "a city hall where it stands": (
        TOWN,
        "city-hall:b2 bazaar:city-hall",
        "b2",
        "City hall: b2 is where the piece stands.",
    ),
    "a tile that the Bazaar repeats without having it": (
        MARKET,
        "farm:b1 bazaar",
        "tower",
        "You have no Tower tile.",
    ),
    "a tile that the Bazaar repeats before its use": (
        MARKET.replace(" 112 ", " 111 ").replace("b2,d2:", "b2,d2,a4:").replace("38:a1,e1", "37:a1,e1,a3"),
        "farm:b1 bazaar",
        "tower",
        "Bazaar: you have not used Tower in this turn.",
    ),
}  # fmt: skip


def check_scene(line: str, moves: str) -> tuple[State, set[str]]:
    """The state after the moves, and the templates of all reasons in it."""
    state = parse_position(line)
    play_all(state, moves)
    names = {action.key for action in state.setup.actions}
    used = {move.partition(":")[0] for move in moves.split()} & names
    used |= {state.setup.actions[state.setup.tile_kind[tile]].key for tile in bits(state.used())}
    taken = {state.setup.actions[state.setup.tile_kind[tile]].key for tile in bits(state.just_taken)}
    return state, check_reasons(state, used, taken, numbers_of(state))


def test_every_reason_in_an_odd_position_is_true() -> None:
    """Positions that somebody could type: tiny maps, odd supplies and hands, actions in progress."""
    rng = Random("odd reasons")
    read = 0
    for _ in range(6_000):
        try:
            line = position_of(parse_position(odd_position(rng)))
        except NotationError:
            continue
        check_scene(line, "")
        read += 1
    assert read > 200


@pytest.mark.parametrize(("line", "moves", "refused", "sentence"), SCENES.values(), ids=[*SCENES])
def test_the_reason_that_holds_is_given(line: str, moves: str, refused: str, sentence: str) -> None:
    state, _ = check_scene(line, moves)
    (number,) = parse_move(state.setup, refused)
    assert str(state.why_not(number)) == sentence


def test_every_reason_is_given_somewhere_and_has_its_claim() -> None:
    said = set().union(*[check_scene(line, moves)[1] for line, moves, _, _ in SCENES.values()])
    for case in CASES[:60]:
        said |= said_in(case)
    assert said == set(CLAIMS)


def test_every_sentence_of_a_reason_in_the_source_has_its_claim() -> None:
    """The templates in all functions that say why not, found by reading the source."""
    found = set()
    for folder in ("rules", "content"):
        for path in sorted((SOURCE / folder).rglob("*.py")):
            for function in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(function, ast.FunctionDef) and ("why" in function.name or function.name in SAID_BY):
                    found |= {
                        node.args[0].value
                        for node in ast.walk(function)
                        if isinstance(node, ast.Call)
                        and isinstance(node.func, ast.Name)
                        and node.func.id == "Message"
                        and isinstance(node.args[0], ast.Constant)
                    }
    assert found - PARTS == set(CLAIMS)


SAID_BY = ("_draw_first", "_one_after_the_other", "_no_wall_left", "_choose_piece")
"""Functions with a sentence that several reasons share."""

PARTS = {*WANTED, "the terrain of your card", "free land next to another of your settlements"}
"""Templates that are only parts of such sentences."""
