"""Texts that cannot be read and setups that cannot be: what the library says about each."""

from collections.abc import Callable, Iterator
from functools import partial
from random import Random

from kingdom_builder import notation
from kingdom_builder.board import Board
from kingdom_builder.content import board_of, first_game, make_setup, random_setup
from kingdom_builder.game import Game
from kingdom_builder.notation import Record, parse_position, parse_record
from kingdom_builder.rules import END, observe

SMALL = "GGGG/GK1N/GGGV(farm) fishermen - 21 C4D5F5G4T5 - 1A/G/3/- 39:a1::G 40:::C nomads=d2:sword"
LARGE = "tavern/paddock/oasis/farm families - 22222222 C4D5F5G4T5 - 1A/G/3/- 40:::G 40:::C"
PIECES = "GGGG/G1GA/GGGG(barracks) mayors - 1 C4D5F5G4T5 - 1A/G/3/- 38:a1,b1:b2:G 40:::C"
RECORD = f'[Start "{SMALL}"]\n\n1A '

WRONG_POSITIONS: dict[str, tuple[tuple[str, str], ...]] = {
    SMALL: (
        (" 39:a1::G 40:::C", ""),
        ("nomads=", "nomads"),
        ("d2:sword", "a1:sword"),
        ("d2:sword", "d2:spoon"),
        ("nomads=", "capitols=a1 nomads="),
        ("fishermen", "fishers"),
        ("fishermen", "fishermen,fishermen"),
        ("fishermen -", "fishermen noOption"),
        ("fishermen -", "fishermen siloLive,siloLive"),
        ("nomads=", "tasks=toil nomads="),
        ("nomads=", "tasks=road,road nomads="),
        ("nomads=", "caves=d3 nomads="),
        ("(farm)", "(farm"),
        ("(farm)", "(firm)"),
        ("GGGG/", "GGGG/" * 20),
        ("GGGG/", "GGXG/"),
        ("GGGG/", f"{'G' * 21}/"),
        ("GGGG/", "GGGG/GG/"),
        (" 21 ", " 2 "),
        (" 21 ", " 31 "),
        ("C4D5", "X4D5"),
        ("C4D5", "C9D5"),
        ("C4D5", "c4"),
        (" - 1A", " X 1A"),
        ("1A/G/3/-", "1A/G/3"),
        ("1A/", "1C/"),
        ("/G/3", "/X/3"),
        ("/3/", "/4/"),
        ("/G/3/-", "/=/3/="),
        ("1A/G/3/-", "0A/G/3/-"),
        ("3/-", "3/dance"),
        ("3/-", "0/farm="),
        ("3/-", "0/farm>b1"),
        ("a1:", "z9:"),
        ("a1:", "a9:"),
        ("a1:", "c2:"),
        ("a1:", "a1,a1:"),
        ("nomads=", "scouts=a1 nomads="),
        ("nomads=", "spoons=a1 nomads="),
        ("nomads=", "walls=a1 nomads="),
        ("39:a1::G", "39:a1:G"),
        ("39:", "41:"),
        ("::G", "::X"),
        ("::G", "::GC"),
        ("::G", "::C"),
        ("a1::", "a1:a1:"),
        ("a1::", "a1:c2,c2:"),
        ("40:::", "40::c2*:"),
        ("C4D5F5G4", "C4D5F5G5"),
        ("C4D5F5G4T5 - 1A/G", "- - 1A/="),
        ("C4D5F5G4T5 - 1A/G/3/- 39:a1::G 40:::C", "- - 1A/G/3/- 39:a1::G 40:::?"),
        ("39:a1", "0:a1"),
        ("/G/3/-", "/-/3/-"),
        ("1A/G/3/- 39:a1::G", "1A/C/3/- 39:a1::C"),
        ("3/- 39:a1::G", "0/sword 39:a1::G"),
        ("39:a1", "40:a1"),
        ("3/- 39:a1::G", "0/- 0:a1::G"),
        ("3/- 39:a1::G", "0~/- 39:a1::G"),
        ("3/- 39:a1::G", "3~/- 39:a1::G"),
        ("3/- 39:a1::G 40:::C", "3/- 39:a1::G 40:::C scouts=a2,b1,c1"),
        ("3/- 39:a1::G 40:::C", "3/- 39:a1::G 40:::C walls=d3"),
    ),
    LARGE: (
        ("/farm", ""),
        ("/farm", "/farms"),
        ("/farm", "/oasis"),
        ("40:::C", "40:::C caves=a1"),
        ("40:::C", "40:::C families=1"),
        ("40:::C", "40:::C families=1,x"),
        ("40:::C", "40:::C chosen=1,2"),
    ),
    PIECES: (
        ("a1,b1:b2:G 40:::C", "a1,b1,c1:b2:G 40:::C warriors=a1,b1,c1"),
        ("38:a1,b1:b2:G 40:::C", "37:a1,b1:b2:G 39:::C mayors=1,1"),
        ("40:::C", "40:::C warriors=a2"),
        ("b2:G", "farm-action:G"),
        ("1A/G/3/- 38:a1,b1:b2:G", "1A/-/0/= 38:a1,b1:b2: scouts=a2"),
        ("1A/G/3/- 38:a1,b1:b2:G 40:::C", "1A/-/0/= 38:a1,b1:b2: 40:::C scouts=a2"),
    ),
}
MANY = [f"{column}{row}" for row in "12" for column in "abcdefghijklmnopqrs"]
WRONG_MOVES = ("k7", "a1", "x", ".", "=C", "=X", "!C", "!X", "done", "farm", "a2:a3", "farm:a2", "sword")
LEADING_NOWHERE = (
    "GG/1G(fort) - - 2 C1 - 1A/G/0/fort 9:a1::G 9:::",
    "GG/1G(fort) - - 2 C1 - 1A/G/0/fort= 0:a1::G 9:::",
    "GG/1G(fort) - - 2 C1 - 1A/G/0/fort 9:a1::G 9::: fort=6",
    "GG/1G(fort) - - 2 C2 - 1A/C/3/- 9:a1:a2:C 9:::",
    "GG/GG - - - C1 - 0A/-/0/= 9::: 9::: 9:::",
    "G1(tavern) - - 2 C5 - 3A/-/0/tavern 40::: 40:::",
    "x" * 60_000,
    "GGGW1(barracks) - - 2 C2 - 1A/G/3/- 9:d1::G 9::: warriors=d1",
    "GG1(city-hall) - - 2 C2 - 1A/G/3/- 9:b1::G 9::: city-halls=b1",
    f"{'G' * 20}/{'G' * 19}1(quarry) - - 2 C2 - 1A/G/3/- 9:::G 9::: walls={','.join(MANY)}",
    "GGG/GGG - - - C2 - 1A/D/0/- 9:a1::D 9:::",
)
WRONG_RECORDS = (
    "1A a2",
    RECORD.replace(":::C", ":::?"),
    RECORD.replace("[", '[Score ""] [Score ""] ['),
    RECORD.replace("GGGG", "GGXG"),
    f"{RECORD} 2A a2",
    f"{RECORD} (a2)",
    f"{RECORD} a2)",
    f"{RECORD} a2 (b1",
    f"{RECORD} {{a2",
    f"{RECORD} [a2",
    f"{RECORD} d3",
)


def errors() -> Iterator[ValueError]:
    """The error of each slip."""
    game = Game.from_position(SMALL)
    attempts: list[Callable[[], object]] = [
        *[
            partial(parse_position, right.replace(old, new, 1))
            for right, slips_of in WRONG_POSITIONS.items()
            for old, new in slips_of
        ],
        *[partial(game.play, move) for move in WRONG_MOVES],
        *[partial(parse_record, text) for text in WRONG_RECORDS],
        *[partial(parse_position, line) for line in LEADING_NOWHERE],
        partial(parse_record, f"{RECORD} a2", most_actions=0),
        partial(parse_record, f"{RECORD} a2 ()", most_actions=1),
        lambda: str(Record(game.state, {"no tag": ""})),
        lambda: str(Record(game.state, line=notation.Line(comments=["}"]))),
        game.undo,
        partial(undo_all, Game.first(seed=1)),
        lambda: observe(game.state, None).apply(END),
        lambda: first_game(6),
        lambda: make_setup(game.setup.board, ["lords", "lords"]),
        lambda: make_setup(game.setup.board, ["lord"]),
        lambda: board_of("farm"),
        lambda: board_of("farm/farm/farm/farm"),
        lambda: random_setup(Random(1), sets=["caves"]),
        lambda: random_setup(Random(1), sets=["cave"]),
        lambda: Board.of_sections([]),
        lambda: Board([]),
        lambda: Board(["GG", "G"]),
        lambda: Board(["X"]),
    ]
    for attempt in attempts:
        try:
            attempt()
        except ValueError as error:
            yield error
        else:
            raise AssertionError(f"no slip: {attempt}")


def undo_all(game: Game) -> None:
    while True:
        game.undo()
