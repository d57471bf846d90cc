"""What goes wrong when the rules are asked for something they forbid."""

from kingdom_builder.rules.actions import Action


class IllegalAction(ValueError):
    """An action that the rules do not allow now; the message names the rule."""

    def __init__(self, action: Action, reason: str) -> None:
        super().__init__(reason)
        self.action = action

    def __reduce__(self) -> tuple[type["IllegalAction"], tuple[Action, str]]:
        return type(self), (self.action, str(self))


class HiddenCard(ValueError):
    """The game cannot go on from an observation: the next step depends on a card that its seat may not see."""
