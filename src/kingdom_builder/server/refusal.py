"""Saying no."""


class Refusal(Exception):
    """Something was not carried out; the sentence tells why, and nothing has changed."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code

    def __reduce__(self) -> tuple[type["Refusal"], tuple[str, str]]:
        return type(self), (self.code, str(self))


def sentence(text: str) -> str:
    """A reason as a sentence of its own; the name of a hex stays as it is."""
    first = text[:1] if text[1:2].isdigit() else text[:1].upper()
    return f"{first}{text[1:]}{'' if text.endswith('.') else '.'}"
