"""What the pages of a table were told, in a file, so that a long run fits into memory."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

Json = dict[str, Any]


class Told(NamedTuple):
    """A message that a page got."""

    page: int
    message: Json


class Memory:
    """The messages of all pages of a table, in the order in which they came."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = gzip.open(path, "at", compresslevel=1)  # noqa: SIM115 (it is closed by `close`)

    def keep(self, page: int, text: str) -> None:
        self._file.write(f"{page} {text}\n")

    def close(self) -> None:
        self._file.close()

    def __iter__(self) -> Iterator[Told]:
        with gzip.open(self._path, "rt") as file:
            for line in file:
                page, _, text = line.partition(" ")
                yield Told(int(page), json.loads(text))
