"""Users' own maps: whether they can be played on, and how they compare with the printed ones."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kingdom_builder.board import Board, DrawnMap, MapError, MapFile, Section, load_maps, parse_maps, printed_sections
from kingdom_builder.board.files import Block, blocks_in, errors_in
from kingdom_builder.board.sections import SIDE, STAND_IN
from kingdom_builder.board.terrain import CARDS, CASTLE, DIGITS, NAMES, NOMADS, SILO, terrain_name
from kingdom_builder.content.catalogue import BOXES, LOCATIONS
from kingdom_builder.content.setups import unknown
from kingdom_builder.message import Listed, Message, Refusal, quoted
from kingdom_builder.rules.setup import SETTLEMENTS

MOST_PROBLEMS = 20
"""The most problems of a map that are listed."""

FEWEST_PLAYERS = 2
EMPTY = "."
"""A hex of an unfinished map."""


@dataclass(frozen=True)
class Problem:
    """Something that is wrong with a map, or that whoever draws it should know."""

    message: Message
    stops: bool
    """Whether nobody can play on the map before it is mended."""
    line: int
    """The line of the text, from 1."""
    row: int | None = None
    column: int | None = None
    """The hex, if the problem has a place on the map; from 1."""


@dataclass(frozen=True)
class Count:
    """How many hexes of a kind a map has, and how many printed maps of its size have at least and at most."""

    letter: str
    """A letter of the map; `1` for all locations together."""
    n: int
    least: int
    most: int


@dataclass(frozen=True)
class Inspection:
    """What there is to know about a map before it is played on."""

    problems: list[Problem]
    counts: list[Count]
    buildable: int
    """The number of hexes to build on."""
    found: Section | DrawnMap | None
    """The map, if nothing stops it."""
    board: Board | None
    """The map as a board, if its rows can be read; that of a section has its 10 x 10 hexes."""


def inspect_map(text: str) -> Inspection:
    """What is wrong with the text of one map, and what it consists of; for any text whatever.

    A dot among the rows is a hex that is still empty.
    """
    try:
        blocks = blocks_in(text)
    except MapError as error:
        return Inspection([_problem(error)], [], 0, None, None)
    problems = [_problem(error, *blocks[:1]) for error in errors_in(text, MOST_PROBLEMS, EMPTY)]
    if not blocks:
        return Inspection(problems, [], 0, None, None)
    block = blocks[0]
    if len(blocks) > 1:
        message = Message("{n} maps in one text: expected one at a time", n=len(blocks))
        problems.append(Problem(message, True, blocks[1].line))
    problems += _unknown_locations(block)
    letters = Counter("".join(block.map))
    counts = _counts(letters)
    if letters[EMPTY]:
        problems.insert(0, _emptiness(block, letters[EMPTY]))
    if any(problem.stops for problem in problems):
        return Inspection(problems[:MOST_PROBLEMS], counts, 0, None, None)
    [found] = parse_maps(text).maps
    board = Board(found.rows, found.locations)
    problems += _doubts(found, board, letters)
    is_playable = not any(problem.stops for problem in problems)
    return Inspection(
        problems[:MOST_PROBLEMS], counts, board.buildable.bit_count(), found if is_playable else None, board
    )


def _emptiness(block: Block, n: int) -> Problem:
    number, row = next((number, row) for number, row in enumerate(block.rows, 1) if EMPTY in row.letters)
    message = Message("{n} {n:hex is|hexes are} still empty", n=n)
    return Problem(message, True, row.line, number, row.letters.index(EMPTY) + 1)


def _problem(error: MapError, block: Block | None = None) -> Problem:
    """An error of the text as a problem of the map."""
    for number, row in enumerate(block.rows if block else [], 1):
        if row.line == error.line:
            return Problem(error.message, True, error.line, number, error.column - row.column + 1)
    return Problem(error.message, True, error.line)


def _unknown_locations(block: Block) -> Iterator[Problem]:
    for key in block.locations:
        if key and key not in LOCATIONS:
            yield Problem(unknown(Message("unknown location"), key, LOCATIONS), True, block.line)


def _doubts(found: Section | DrawnMap, board: Board, letters: Counter[str]) -> Iterator[Problem]:
    """What is not wrong, but not as in the printed game; and a map without any land."""
    if not any(letters[card] for card in CARDS):
        yield Problem(Message("no land of any terrain card: nobody could build"), True, 1)
    elif isinstance(found, DrawnMap):
        for card in CARDS:
            if not letters[card]:
                message = Message("no {terrain}: its terrain cards are replaced when drawn", terrain=terrain_name(card))
                yield Problem(message, False, 1)
        everybody = FEWEST_PLAYERS * SETTLEMENTS
        if board.buildable.bit_count() < everybody:
            message = Message(
                "{n} {n:hex|hexes} to build on: two players have {settlements} settlements",
                n=board.buildable.bit_count(),
                settlements=everybody,
            )
            yield Problem(message, False, 1)
    tiles = sum(len(box.nomad_tiles) for box in BOXES.values())
    if letters[NOMADS] > tiles:
        message = Message("{n} nomad spaces: there are tiles for {tiles}", n=letters[NOMADS], tiles=tiles)
        yield Problem(message, False, 1)
    if isinstance(found, Section) and found.key in printed_sections():
        yield from _differences(found, printed_sections()[found.key])


def _differences(found: Section, printed: Section) -> Iterator[Problem]:
    """How a section differs from the printed one of its name, as far as that is known."""
    if printed.standing != STAND_IN and found.rows != printed.rows:
        message = Message("this takes the place of the printed section {key}", key=quoted(found.key))
        yield Problem(message, False, 1)
        return
    if sorted(found.locations) != sorted(printed.locations) and all(key in LOCATIONS for key in found.locations):
        message = Message(
            "the printed section has {locations}", locations=Listed.of(LOCATIONS[key] for key in printed.locations)
        )
        yield Problem(message, False, 1)
    for letter in (CASTLE, SILO):
        expected = sum(row.count(letter) for row in printed.rows)
        if sum(row.count(letter) for row in found.rows) != expected:
            message = Message(
                "{terrain}: the printed section has {n} of them", terrain=terrain_name(letter), n=expected
            )
            yield Problem(message, False, 1)


def _counts(letters: Counter[str]) -> list[Count]:
    """The hexes of a map by kind, compared with those of printed sections on as many hexes."""
    hexes = sum(letters.values())
    printed = [
        _kinds(Counter("".join(section.rows)))
        for section in printed_sections().values()
        if section.standing != STAND_IN
    ]
    section = SIDE * SIDE
    return [
        Count(
            kind,
            n,
            min(each[kind] for each in printed) * hexes // section,
            -(-max(each[kind] for each in printed) * hexes // section),
        )
        for kind, n in _kinds(letters).items()
    ]


def _kinds(letters: Counter[str]) -> dict[str, int]:
    """The numbers of hexes by letter, all locations together."""
    return {**{letter: letters[letter] for letter in NAMES}, DIGITS[0]: sum(letters[digit] for digit in DIGITS)}


def load_checked(path: str | Path) -> MapFile:
    """The content of a map file that can be played with. Raises Refusal."""
    return _checked(load_maps(path), str(path))


def parse_checked(text: str) -> MapFile:
    """The content of a map file's text that can be played with. Raises Refusal."""
    return _checked(parse_maps(text), "")


def _checked(file: MapFile, name: str) -> MapFile:
    """The same file, if all its locations are known."""
    for each in file.maps:
        for key in each.locations:
            if key not in LOCATIONS:
                reason = unknown(Message("unknown location"), key, LOCATIONS)
                raise Refusal(Message("{file}: {reason}", file=name, reason=reason) if name else reason)
    return file
