"""Collects what the library says to players into `web/test/sentences.json`, for the test of the translations."""

import ast
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random

from kingdom_builder import notation
from kingdom_builder.board import Board
from kingdom_builder.board.terrain import NAMES
from kingdom_builder.content import BOXES, COMPONENTS, OPTIONS, board_of, first_game, make_setup, random_setup
from kingdom_builder.game import Game
from kingdom_builder.hexes import SIZE, bits
from kingdom_builder.notation import NotationError, Record, parse_position, parse_record
from kingdom_builder.players import LEVELS, hints
from kingdom_builder.players.turn_search import Line
from kingdom_builder.rules import CHOOSE, DONE, DRAW, DRAWN, END, OTHER, USE, State, events, observe
from kingdom_builder.rules.reasons import prompt

ROOT = Path(__file__).parent.parent
FILE = ROOT / "web" / "test" / "sentences.json"
NOT_FOR_PAGES = ("backup", "door", "expiry", "serve", "worker", "workers")
"""Modules of the server whose sentences pages do not show: they are for whoever runs it, or are refused before."""

RECORDS = sorted((ROOT / "tests" / "golden").glob("*.kbr"))

SAMPLE = 3
"""States of each kind of step in which every action is asked about."""


def sentences() -> list[str]:
    """Every sentence once, in alphabetical order; those told in games know the hex k7 and the numbers 1 and 3 only."""
    return sorted({*printed(), *map(shape, set(told_in_games())), *slips(), *served()})


def shape(sentence: str) -> str:
    """The sentence with one name for all hexes, and one number for all but 1."""
    return re.sub(r"\b(?!1\b)\d+\b", "3", re.sub(r"\b[a-t](20|1?\d)\b", "k7", sentence))


def printed() -> Iterator[str]:
    """Names and texts of what is in the boxes."""
    for box in BOXES.values():
        yield box.name
    for thing in COMPONENTS:
        yield thing.name
        yield thing.text
    yield from OPTIONS.values()
    yield from NAMES.values()
    for level in LEVELS.values():
        yield level.key
        yield level.text


# ---- games -----------------------------------------------------------------------------------------------------------


def told_in_games() -> Iterator[str]:
    """Of the golden games: what happened, what to do next, why actions are not legal, what turns were good for."""
    asked: Counter[object] = Counter()
    for path in RECORDS:
        record = parse_record(path.read_text("utf-8"))
        state = record.start.copy()
        began = state.copy()
        for action in record.actions():
            before = state.copy()
            state.apply(action)
            for event in events(before, action, state):
                yield str(event)
                yield event.words
            if action in DRAWN:
                yield from [event.words for event in events(observe(before, None), action, observe(state, None))]
            if not before.awaiting:
                yield prompt(before)
            if action == END:
                yield from hints.reasons(began, Line((), before))
            if (before.round, before.player) != (state.round, state.player):
                began = state.copy()
            kind = kind_of_step(before)
            if asked[kind] < SAMPLE:
                asked[kind] += 1
                yield from reasons(before, asked.total())
        yield from reasons(state)
    for position in (SMALL, SPENT):
        yield from reasons(parse_position(position))


def kind_of_step(state: State) -> object:
    """What the sentences of a state depend on, roughly."""
    acting = state.acting.key if state.acting else None
    return (
        acting,
        state.source is None,
        state.steps,
        state.awaiting,
        state.card,
        min(state.builds_left, 2),
        state.adjacency_lifted,
    )


def reasons(state: State, first: int = 0) -> Iterator[str]:
    """Why actions are not legal: every third hex from some one on, one off the board, tiles, draws, the rest."""
    hexes = [*bits(state.setup.board.hexes)[first % 3 :: 3], SIZE - 1]
    others = [END, DONE, OTHER, *range(DRAW, DRAW + 5), *range(CHOOSE, CHOOSE + 5), -1]
    tiles = range(USE, USE + len(state.setup.actions))
    for action in [*hexes, *others, *tiles]:
        reason = state.why_not(action)
        if reason is not None:
            yield reason


# ---- slips -----------------------------------------------------------------------------------------------------------

SMALL = "GGGG/GK1N/GGGV(farm) fishermen - 21 C4D5F5G4T5 - 1A/G/3/- 39:a1::G 40:::C nomads=d2:sword"
SPENT = "GGGG/GGN1(farm) - - 10 C5D5F5G4T4 - 2A!/G/0/- 0:a1,d1:d2,c2:G 40:::T nomads=c2:outpost"
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
        ("40:::C", "40:::C warriors=a2"),
        ("b2:G", "farm-action:G"),
        ("1A/G/3/- 38:a1,b1:b2:G", "1A/-/0/= 38:a1,b1:b2: scouts=a2"),
        ("1A/G/3/- 38:a1,b1:b2:G 40:::C", "1A/-/0/= 38:a1,b1:b2: 40:::C scouts=a2"),
    ),
}
WRONG_MOVES = ("k7", "a1", "x", ".", "=C", "=X", "!C", "!X", "done", "farm", "a2:a3", "farm:a2", "sword")
LEADING_NOWHERE = (
    "GG/1G(fort) - - 2 C1 - 1A/G/0/fort 9:a1::G 9:::",
    "GG/1G(fort) - - 2 C1 - 1A/G/0/fort= 0:a1::G 9:::",
    "GG/1G(fort) - - 2 C1 - 1A/G/0/fort 9:a1::G 9::: fort=6",
    "GG/1G(fort) - - 2 C2 - 1A/C/3/- 9:a1:a2:C 9:::",
    "GG/GG - - - C1 - 0A/-/0/= 9::: 9::: 9:::",
    "G1(tavern) - - 2 C5 - 3A/-/0/tavern 40::: 40:::",
    "x" * 60_000,
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


def slips() -> Iterator[str]:
    """What is said about texts that cannot be read and about setups that cannot be."""
    for error in errors():
        yield str(error)
        if isinstance(error, NotationError):
            yield error.reason


def errors() -> Iterator[ValueError]:
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


# ---- the server ------------------------------------------------------------------------------------------------------


def served() -> Iterator[str]:
    """The sentences in the source of the server, with 1 for whatever they tell of."""
    for file in sorted((ROOT / "src" / "kingdom_builder" / "server").glob("*.py")):
        if file.stem in NOT_FOR_PAGES:
            continue
        tree = ast.parse(file.read_text("utf-8"))
        nodes = list(ast.walk(tree))
        unsaid = {node.value for node in nodes if isinstance(node, ast.Expr)}
        unsaid |= {node.value for node in nodes if isinstance(node, ast.keyword) and node.arg == "description"}
        unsaid |= {part for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
        for node in nodes:
            values = node.values if isinstance(node, ast.JoinedStr) else [] if node in unsaid else [node]
            sentence = "".join(str(part.value) if isinstance(part, ast.Constant) else "1" for part in values)
            if re.fullmatch(r"[A-Z].* .*\.|.+: expected .*", sentence):
                yield sentence


def text() -> str:
    """The file as it should be."""
    return json.dumps(sentences(), ensure_ascii=False, indent="\t") + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
