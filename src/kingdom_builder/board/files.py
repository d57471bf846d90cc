"""Map files: sections and whole boards as text. `docs/notation.md` specifies the format.

A section is a header `# name: locations | expansion | standing` and ten rows of ten letters; without a name its first
location names it. A board is a header `## name | locations` and its rows. `;` starts a comment line. The letters are
those of `terrain.NAMES`; `1` and `2` are the first and second location named in the header.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from pathlib import Path

from kingdom_builder.board.sections import SIDE, STANDINGS, Section
from kingdom_builder.board.terrain import DIGITS, NAMES
from kingdom_builder.hexes import COLS, ROWS
from kingdom_builder.message import Message, Refusal, quoted

FORMAT = "kingdom-builder-maps"
VERSION = 1
MAP_FILE = ".kbm"
"""How the name of a map file ends."""

LONGEST = 100_000
"""The most characters of a map file: 600 sections have fewer."""

LONGEST_NAME = 40
SECTION_MARK, BOARD_MARK, COMMENT = "#", "##", ";"

_KEY = re.compile(r"[a-z0-9][a-z0-9-]*")
_VERSION = re.compile(rf"{FORMAT}(?:\s+(\S+))?")


class MapError(Refusal):
    """A map file is malformed. Its message says what was expected, `str` adds file and line."""

    def __init__(self, message: Message, file: str, line: int, column: int = 1) -> None:
        super().__init__(message, "unreadable")
        self.file = file
        self.line = line
        self.column = column
        """The place in the file, from 1."""

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.message, self.file, self.line, self.column)

    def __str__(self) -> str:
        return f"{self.file}, line {self.line}: {self.message}" if self.file else f"line {self.line}: {self.message}"


@dataclass(frozen=True)
class DrawnMap:
    """A whole board of a map file: rows of letters, and the keys of the locations that the digits stand for."""

    name: str
    locations: tuple[str, ...]
    rows: tuple[str, ...]


@dataclass(frozen=True)
class MapFile:
    """What a map file holds: sections by key, and boards by name."""

    sections: Mapping[str, Section] = field(default_factory=dict)
    boards: Mapping[str, DrawnMap] = field(default_factory=dict)

    @property
    def maps(self) -> list[Section | DrawnMap]:
        """All maps of the file."""
        return [*self.sections.values(), *self.boards.values()]

    def __str__(self) -> str:
        """The text of the file; `parse_maps` reads it."""
        blocks = [*map(section_text, self.sections.values()), *map(drawn_map_text, self.boards.values())]
        return "\n\n".join([f"{FORMAT} {VERSION}", *blocks]) + "\n"


def section_text(section: Section) -> str:
    """A section as it stands in a map file."""
    name = "" if section.locations[:1] == (section.key,) else f"{section.key}: "
    header = f"{SECTION_MARK} {name}{', '.join(section.locations)} | {section.expansion} | {section.standing}"
    return "\n".join([header, *section.rows])


def drawn_map_text(drawn: DrawnMap) -> str:
    """A board as it stands in a map file."""
    legend = f" | {', '.join(drawn.locations)}" if drawn.locations else ""
    return "\n".join([f"{BOARD_MARK} {drawn.name}{legend}", *drawn.rows])


def key_of(printed_name: str) -> str:
    """The key for a printed name.

    >>> key_of("Forester's lodge")
    'foresters-lodge'
    """
    return printed_name.strip().lower().replace("'", "").replace(" ", "-")


@cache
def printed_sections() -> dict[str, Section]:
    """All sections of the base game and its expansions by key, in the order of publication."""
    return load_sections(Path(__file__).with_name("sections.txt"))


def load_sections(path: str | Path) -> dict[str, Section]:
    """The sections of a file, by key."""
    return parse_sections(_text_of(path), str(path))


def parse_sections(text: str, file: str) -> dict[str, Section]:
    """The sections in a text, by key; `file` is the name that errors show."""
    found = dict(parse_maps(text, file).sections)
    if not found:
        raise MapError(Message("no section: expected a header such as '# farm | base | verified'"), file, 1)
    return found


def load_maps(path: str | Path) -> MapFile:
    """The content of a map file."""
    return parse_maps(_text_of(path), str(path))


def _text_of(path: str | Path) -> str:
    try:
        return Path(path).read_text("utf-8-sig")
    except UnicodeDecodeError:
        raise MapError(Message("this is not a text: expected a map file in UTF-8"), str(path), 1) from None


def parse_maps(text: str, file: str = "") -> MapFile:
    """The content of a map file; `file` is the name that errors show. Raises MapError."""
    for error in _errors(text, file):
        raise error
    sections: dict[str, Section] = {}
    boards: dict[str, DrawnMap] = {}
    for block in _blocks(text, file):
        if block.is_board:
            boards[block.name] = DrawnMap(block.name, block.locations, block.map)
        else:
            sections[block.key] = Section(block.key, block.locations, block.fields[1], block.fields[2], block.map)
    return MapFile(sections, boards)


def blocks_in(text: str) -> "list[Block]":
    """The maps of a file as they are written, whatever is wrong with them. Raises MapError for what belongs to none."""
    return list(_blocks(text[:LONGEST], ""))


def errors_in(text: str, most: int, also: str = "") -> list[MapError]:
    """What is wrong with a map file, from the top: at most this many errors. Further letters may be right `also`."""
    return list(islice(_errors(text, "", also), most))


@dataclass(frozen=True)
class Row:
    """A row of a map in a file: the number of its line, where it begins there, and its letters."""

    line: int
    column: int
    letters: str


@dataclass
class Block:
    """A header and the rows below it, whatever is wrong with them."""

    line: int
    header: str
    rows: list[Row] = field(default_factory=list)

    @property
    def is_board(self) -> bool:
        return self.header.startswith(BOARD_MARK)

    @property
    def fields(self) -> list[str]:
        """The parts of the header."""
        return [part.strip() for part in self.header.lstrip(SECTION_MARK).split("|")]

    @property
    def name(self) -> str:
        """The name of a board, or the name that a section has besides its locations."""
        first = self.fields[0]
        return first if self.is_board else first.rpartition(":")[0].strip()

    @property
    def named_locations(self) -> list[str]:
        """The locations of the header, as written."""
        written = "".join(self.fields[1:2]) if self.is_board else self.fields[0].rpartition(":")[2]
        return written.split(",") if written.strip() else []

    @property
    def locations(self) -> tuple[str, ...]:
        return tuple(map(key_of, self.named_locations))

    @property
    def key(self) -> str:
        """What no other section, or no other board, of the file is called."""
        if self.is_board:
            return self.name
        return key_of(self.name) if self.name else "".join(self.locations[:1])

    @property
    def map(self) -> tuple[str, ...]:
        return tuple(row.letters for row in self.rows)

    def column_of(self, location: int) -> int:
        """Where in the line of the header a location stands."""
        earlier, name = self.named_locations[:location], self.named_locations[location]
        start = self.header.find("|") if self.is_board else self.header.find(":")
        before = sum(len(each) + 1 for each in earlier)
        base = start + 1 if start >= 0 else len(SECTION_MARK)
        rest = self.header[base + before :]
        return base + before + (len(rest) - len(rest.lstrip()) if name.strip() else 0) + 1


def _errors(text: str, file: str, also: str = "") -> Iterator[MapError]:
    if len(text) > LONGEST:
        yield MapError(Message("a file of {n} characters: expected at most {most}", n=len(text), most=LONGEST), file, 1)
        return
    try:
        blocks = list(_blocks(text, file))
    except MapError as error:
        yield error
        return
    seen: set[tuple[bool, str]] = set()
    for block in blocks:
        yield from _errors_of_header(block, file)
        yield from _errors_of_rows(block, file, also)
        if (block.is_board, block.key) in seen:
            message = (
                Message("a second board {key}: expected every name once", key=quoted(block.key))
                if block.is_board
                else Message("a second section {key}: expected every key once", key=quoted(block.key))
            )
            yield MapError(message, file, block.line)
        seen.add((block.is_board, block.key))
    if not blocks:
        yield MapError(Message("no section: expected a header such as '# farm | base | verified'"), file, 1)


def _blocks(text: str, file: str) -> Iterator[Block]:
    """The blocks of a file. Raises MapError for what belongs to none."""
    block: Block | None = None
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if not line or line.startswith(COMMENT):
            continue
        if line.startswith(SECTION_MARK):
            if block is not None:
                yield block
            block = Block(number, line)
        elif block is not None:
            block.rows.append(Row(number, len(raw) - len(raw.lstrip()) + 1, line))
        elif version := _VERSION.fullmatch(line):
            if version[1] != str(VERSION):
                raise MapError(
                    Message(
                        "a map file of version {version}: expected version {known}, the newest that this program knows",
                        version=quoted(version[1] or ""),
                        known=VERSION,
                    ),
                    file,
                    number,
                )
        else:
            message = Message("{text} stands before the first header: expected '# locations | ...'", text=quoted(line))
            raise MapError(message, file, number)
    if block is not None:
        yield block


def _errors_of_header(block: Block, file: str) -> Iterator[MapError]:
    def error(message: Message, column: int = 1) -> MapError:
        return MapError(message, file, block.line, column)

    fields = block.fields
    written = ", ".join(each.strip() for each in block.named_locations)
    if block.is_board:
        if len(fields) > 2 or not fields[0]:
            yield error(Message("header {header}: expected '## name | locations'", header=quoted(block.header)))
            return
    elif len(fields) != 3 or not all(fields):
        message = Message("header {header}: expected '# locations | expansion | standing'", header=quoted(block.header))
        yield error(message)
        return
    if (block.is_board or block.name) and not _is_name(block):
        yield error(
            Message(
                "name {name}: expected 1 to {most} characters, in a section a-z, 0-9 and hyphens",
                name=quoted(block.name),
                most=LONGEST_NAME,
            ),
            len(SECTION_MARK) + 2,
        )
    fewest = 0 if block.is_board or block.name else 1
    if not all(block.locations) or not fewest <= len(block.locations) <= len(DIGITS):
        yield error(
            Message(
                "locations {text}: expected 1 to {most} names, with commas between",
                text=quoted(written),
                most=len(DIGITS),
            )
        )
        return
    for number, key in enumerate(block.locations):
        if not _KEY.fullmatch(key):
            message = Message("location {key}: expected a name of a-z, 0-9 and hyphens", key=quoted(key))
            yield error(message, block.column_of(number))
    if not block.is_board and fields[2] not in STANDINGS:
        yield error(
            Message("standing {text}: expected one of {known}", text=quoted(fields[2]), known=", ".join(STANDINGS))
        )


def _is_name(block: Block) -> bool:
    if not 1 <= len(block.name) <= LONGEST_NAME:
        return False
    return block.name.isprintable() if block.is_board else bool(_KEY.fullmatch(block.key))


def _errors_of_rows(block: Block, file: str, also: str) -> Iterator[MapError]:
    known = "".join(NAMES)
    locations = len(block.locations)
    width = SIDE if not block.is_board else len(block.rows[0].letters) if block.rows else 0
    for number, row in enumerate(block.rows, 1):
        if block.is_board and not 1 <= len(row.letters) <= COLS:
            yield MapError(
                Message(
                    "{n} {n:hex|hexes} in row {row}: expected 1 to {most}", n=len(row.letters), row=number, most=COLS
                ),
                file,
                row.line,
                row.column + COLS,
            )
        elif len(row.letters) != width:
            yield MapError(
                Message(
                    "{n} {n:hex|hexes} in row {row}: expected {expected}",
                    n=len(row.letters),
                    row=quoted(row.letters),
                    expected=width,
                ),
                file,
                row.line,
                row.column + min(len(row.letters), width),
            )
        for column, letter in enumerate(row.letters, 1):
            place = file, row.line, row.column + column - 1
            if letter in DIGITS:
                if int(letter) > locations:
                    message = Message(
                        "location {digit} in column {column}: the header names {n}",
                        digit=letter,
                        column=column,
                        n=locations,
                    )
                    yield MapError(message, *place)
            elif letter not in NAMES and letter not in also:
                message = Message(
                    "unknown letter {letter} in column {column}: expected {known} or 1-9",
                    letter=quoted(letter),
                    column=column,
                    known=known,
                )
                yield MapError(message, *place)
    if block.is_board and not 1 <= len(block.rows) <= ROWS:
        message = Message(
            "{n} {n:row|rows} in board {name}: expected 1 to {most}",
            n=len(block.rows),
            name=quoted(block.name),
            most=ROWS,
        )
        yield MapError(message, file, block.line)
    if not block.is_board and len(block.rows) != SIDE:
        message = Message(
            "{n} {n:row|rows} in section {key}: expected {side}",
            n=len(block.rows),
            key=quoted(block.key),
            side=SIDE,
        )
        yield MapError(message, file, block.line)
    yield from _locations_without_hex(block, file)


def _locations_without_hex(block: Block, file: str) -> Iterable[MapError]:
    for number, (digit, location) in enumerate(zip(DIGITS, block.locations, strict=False)):
        if not any(digit in row.letters for row in block.rows):
            message = Message(
                "the header names {location}: expected a hex {digit} in its rows, found none",
                location=quoted(location),
                digit=digit,
            )
            yield MapError(message, file, block.line, block.column_of(number))
