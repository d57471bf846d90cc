"""Saying no."""


class Refusal(Exception):
    """Something was not carried out; the sentence tells why, and nothing has changed."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code

    def __reduce__(self) -> tuple[type["Refusal"], tuple[str, str]]:
        return type(self), (self.code, str(self))
