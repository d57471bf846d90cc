"""A part of a text that remembers where it is, so that errors can point to it."""

from dataclasses import dataclass

from kingdom_builder.message import Message
from kingdom_builder.notation.errors import NotationError


@dataclass(frozen=True)
class Span:
    """The characters of `source` from `start` on, as `text`."""

    source: str
    start: int
    text: str

    @classmethod
    def of(cls, source: str) -> "Span":
        return cls(source, 0, source)

    def split(self, separator: str) -> list["Span"]:
        """The parts between the separators; none for an empty span."""
        parts = []
        start = self.start
        for part in self.text.split(separator) if self.text else []:
            parts.append(Span(self.source, start, part))
            start += len(part) + len(separator)
        return parts

    def words(self) -> list["Span"]:
        """The parts between spaces."""
        return [part for part in self.split(" ") if part.text]

    def __getitem__(self, part: slice) -> "Span":
        return Span(self.source, self.start + (part.start or 0), self.text[part])

    def error(self, message: Message, offset: int = 0) -> NotationError:
        """An error that points to a character of this span."""
        return NotationError(message, self.source, self.start + offset)
