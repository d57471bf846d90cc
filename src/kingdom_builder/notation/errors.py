"""What goes wrong when text is read."""

LONGEST = 1_000
"""Characters of a reason: it may quote what cannot be read."""


class NotationError(ValueError):
    """Text that cannot be read. Its message says where and what was expected; `pointer` shows the place."""

    def __init__(self, reason: str, text: str, offset: int) -> None:
        if len(reason) > LONGEST:
            reason = f"{reason[: LONGEST // 2]} ... {reason[-LONGEST // 2 :]}"
        self.reason = reason
        self.text = text
        self.offset = offset
        self.line = text.count("\n", 0, offset) + 1
        self.column = offset - text.rfind("\n", 0, offset)
        place = f"line {self.line}, column {self.column}" if "\n" in text else f"column {self.column}"
        super().__init__(f"{place}: {reason}")

    def __reduce__(self) -> tuple[type["NotationError"], tuple[str, str, int]]:
        return type(self), (self.reason, self.text, self.offset)

    @property
    def pointer(self) -> str:
        """The offending line and, below it, a caret under the offending character."""
        line = self.text.split("\n")[self.line - 1].rstrip("\r")
        return f"{line}\n{' ' * (self.column - 1)}^"


class IllegalMove(NotationError):
    """A well-written move that the rules forbid."""
