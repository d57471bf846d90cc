"""Errors of reading text."""

from kingdom_builder.message import Message, Refusal


class NotationError(Refusal):
    """Text that cannot be read. Its message says what was expected, `str` adds where, and `pointer` shows the place."""

    def __init__(self, message: Message, text: str, offset: int, code: str = "unreadable") -> None:
        super().__init__(message, code)
        self.text = text
        self.offset = offset
        self.line = text.count("\n", 0, offset) + 1
        self.column = offset - text.rfind("\n", 0, offset)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.message, self.text, self.offset)

    @property
    def reason(self) -> str:
        """The message in English."""
        return str(self.message)

    def __str__(self) -> str:
        place = f"line {self.line}, column {self.column}" if "\n" in self.text else f"column {self.column}"
        return f"{place}: {self.reason}"

    @property
    def pointer(self) -> str:
        """The offending line and, below it, a caret under the offending character."""
        line = self.text.split("\n")[self.line - 1].rstrip("\r")
        return f"{line}\n{' ' * (self.column - 1)}^"


class IllegalMove(NotationError):
    """A move that can be read but that the rules forbid. The message comes from the rules."""

    def __init__(self, message: Message, text: str, offset: int, step: str) -> None:
        super().__init__(message, text, offset, "illegal")
        self.step = step
        """The forbidden step of the move."""

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.message, self.text, self.offset, self.step)

    @property
    def reason(self) -> str:
        """The step and the message, in English."""
        return f"{self.step}: {self.message}"
