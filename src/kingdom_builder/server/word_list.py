"""The operator's list of words that are not said among strangers: a file in the data folder, one word or phrase a line.

Words are compared by their look, so that `B4D` and `bád` are the same where the eye takes them for it, and only as
whole words, so that nobody is refused for a part of an innocent one.
"""

import logging
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from kingdom_builder.message import Message, Refusal
from kingdom_builder.server.names import skeleton

FILE = "words.txt"
MOST_BYTES = 1_000_000
MOST_WORDS = 8
"""The most words of a phrase."""

LOOK_SECONDS = 5.0
"""How often it is looked whether the file has changed."""

BREAKS = re.compile(r"[\W_]+")

Words = tuple[str, ...]

log = logging.getLogger(__name__)


class WordList:
    """The words of the operator. The file may be changed while the server runs."""

    def __init__(self, folder: Path | None, stopwatch: Callable[[], float] = time.monotonic) -> None:
        self._file = None if folder is None else folder / FILE
        self._stopwatch = stopwatch
        self._looked = float("-inf")
        self._modified = 0
        self._phrases: frozenset[Words] = frozenset()

    def check(self, text: str) -> None:
        """Refuse a text with one of the words."""
        if self.is_in(text):
            raise Refusal(
                Message("The operator of this server does not want one of these words among strangers."), "words"
            )

    def check_name(self, name: str) -> None:
        """Refuse a name with one of the words."""
        if self.is_in(name):
            raise Refusal(
                Message("The operator of this server does not want this name among strangers: choose another one."),
                "words",
            )

    def shown(self, name: str) -> str:
        """A name as strangers see it: none if it has one of the words, since it may be older than the list."""
        return "" if self.is_in(name) else name

    def is_in(self, text: str) -> bool:
        """Whether one of the words or phrases is in a text."""
        self._look()
        return bool(self._phrases) and any(part in self._phrases for part in _parts(text))

    def _look(self) -> None:
        """Read the file if it has changed."""
        now = self._stopwatch()
        if self._file is None or now < self._looked + LOOK_SECONDS:
            return
        self._looked = now
        try:
            modified = self._file.stat().st_mtime_ns
            if modified != self._modified:
                with self._file.open("rb") as file:
                    self._phrases = read(file.read(MOST_BYTES).decode("utf-8", "replace"))
                self._modified = modified
        except FileNotFoundError:
            self._phrases, self._modified = frozenset(), 0
        except OSError as error:
            log.warning("The list of words %s cannot be read: %s", self._file, error.strerror)


def read(text: str) -> frozenset[Words]:
    """The words and phrases of a list; what follows a `#` is a comment."""
    lines = (tuple(map(skeleton, line.partition("#")[0].split())) for line in text.splitlines())
    return frozenset(line[:MOST_WORDS] for line in lines if line)


def _parts(text: str) -> Iterator[Words]:
    """All runs of words in a text; signs between letters may be a part of a word or end it."""
    for words in (text.split(), BREAKS.split(text)):
        looks = [skeleton(word) for word in words if word]
        for first in range(len(looks)):
            for length in range(1, MOST_WORDS + 1):
                if first + length <= len(looks):
                    yield tuple(looks[first : first + length])
