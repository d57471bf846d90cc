"""Errors of the rules."""

from kingdom_builder.message import Message, Refusal
from kingdom_builder.rules.actions import Action


class IllegalAction(Refusal):
    """An action that the rules do not allow now; the message names the rule."""

    def __init__(self, action: Action, message: Message) -> None:
        super().__init__(message, "illegal")
        self.action = action

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.action, self.message)


class HiddenCard(Refusal):
    """The game cannot go on from an observation: the next step depends on a card that its seat may not see."""
