"""Board sections: 10 x 10 hexes each, read from a text file.

A section is a header line `# locations | expansion | standing` and ten rows of ten letters; `;` starts a comment line.
The letters are those of `terrain.NAMES`; `1` and `2` are the first and second location named in the header.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from kingdom_builder.board.terrain import DIGITS, NAMES

SIDE = 10
STAND_IN = "stand-in"
STANDINGS = ("verified", "single", STAND_IN)
"""How reliable a layout is: checked by several people, transcribed once, or ours until the printed one is found."""


class SectionError(ValueError):
    """A section file is malformed; says file, line and what was expected."""


@dataclass(frozen=True)
class Section:
    """One printed map of 10 x 10 hexes."""

    key: str
    locations: tuple[str, ...]
    """Keys of the locations that the digits in the rows stand for."""
    expansion: str
    standing: str
    rows: tuple[str, ...]

    def __str__(self) -> str:
        """The key, with a note if the map is not the printed one."""
        return f"{self.key} (stand-in)" if self.standing == STAND_IN else self.key

    def turned(self) -> tuple[str, ...]:
        """The rows after turning the section by 180 degrees."""
        return tuple(row[::-1] for row in reversed(self.rows))


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
    return parse_sections(Path(path).read_text("utf-8-sig"), str(path))


def parse_sections(text: str, file: str) -> dict[str, Section]:
    """The sections in a text, by key; `file` is the name that errors show."""
    found: dict[str, Section] = {}
    for header_line, header, rows in _blocks(text, file):
        section = _section(header_line, header, rows, file)
        if section.key in found:
            raise _error(file, header_line, f"a second section {section.key!r}: expected every key once")
        found[section.key] = section
    if not found:
        raise _error(file, 1, "no section: expected a header such as '# farm | base | verified'")
    return found


def _error(file: str, line: int, message: str) -> SectionError:
    return SectionError(f"{file}, line {line}: {message}")


def _blocks(text: str, file: str) -> Iterator[tuple[int, str, list[tuple[int, str]]]]:
    """The number of the header line, the header and the numbered rows of each section."""
    header: tuple[int, str] | None = None
    rows: list[tuple[int, str]] = []
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if not line or line.startswith(";"):
            continue
        if line.startswith("#"):
            if header is not None:
                yield *header, rows
            header, rows = (number, line[1:]), []
        elif header is None:
            raise _error(file, number, f"{line!r} stands before the first header: expected '# locations | ...'")
        else:
            rows.append((number, line))
    if header is not None:
        yield *header, rows


def _section(line: int, header: str, numbered_rows: list[tuple[int, str]], file: str) -> Section:
    fields = [field.strip() for field in header.split("|")]
    if len(fields) != 3 or not all(fields):
        raise _error(file, line, f"header '#{header}': expected '# locations | expansion | standing'")
    locations = tuple(key_of(name) for name in fields[0].split(","))
    if not all(locations) or len(locations) > len(DIGITS):
        raise _error(file, line, f"locations {fields[0]!r}: expected 1 to {len(DIGITS)} names, with commas between")
    if fields[2] not in STANDINGS:
        raise _error(file, line, f"standing {fields[2]!r}: expected one of {', '.join(STANDINGS)}")
    for number, row in numbered_rows:
        if len(row) != SIDE:
            raise _error(file, number, f"{len(row)} hexes in row {row!r}: expected {SIDE}")
        for column, letter in enumerate(row, 1):
            if letter in DIGITS:
                if int(letter) > len(locations):
                    raise _error(
                        file, number, f"location {letter} in column {column}: the header names {len(locations)}"
                    )
            elif letter not in NAMES:
                known = "".join(NAMES)
                raise _error(file, number, f"unknown letter {letter!r} in column {column}: expected {known} or 1-9")
    if len(numbered_rows) != SIDE:
        raise _error(file, line, f"{len(numbered_rows)} rows in section {locations[0]!r}: expected {SIDE}")
    rows = tuple(row for _, row in numbered_rows)
    for digit, location in zip(DIGITS, locations, strict=False):
        if not any(digit in row for row in rows):
            raise _error(file, line, f"the header names {location!r}: expected a hex {digit} in its rows, found none")
    return Section(locations[0], locations, fields[1], fields[2], rows)
