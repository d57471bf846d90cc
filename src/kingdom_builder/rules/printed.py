"""What a printed location or card tells the rules. The `content` package holds the real ones."""

from typing import TYPE_CHECKING, ClassVar

from kingdom_builder.hexes import Hex, HexSet, name
from kingdom_builder.rules.actions import Action, ActionSet

if TYPE_CHECKING:
    from kingdom_builder.rules.state import State


class Printed:
    """Something with a name and a text printed on it."""

    key: ClassVar[str]
    """Identifies it in positions and records. Never changes."""
    name: ClassVar[str]
    text: ClassVar[str]
    """Its rule in one sentence."""
    options: ClassVar[dict[str, str]] = {}
    """Rulings on it that a setup may switch on, each with a sentence."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"


class Location(Printed):
    """A location, whose tile gives an extra action (RULES 6).

    The action is a sequence of choices. `legal` gives the choices of the step at hand, and is asked before the action
    begins too: it may be begun only if there is one. `apply` carries out a choice and calls `state.finish()` after
    the last. What must be remembered between two steps is in the state.
    """

    icon: ClassVar[str]
    """A picture of the location: SVG elements in a box of 24 x 24."""

    def legal(self, state: "State") -> ActionSet:
        raise NotImplementedError

    def apply(self, state: "State", choice: Action) -> None:
        raise NotImplementedError

    def why_not(self, state: "State", h: Hex) -> str:
        """The reason why a hex is not among the legal choices of the step at hand."""
        raise NotImplementedError


class BuildingLocation(Location):
    """A location that lets its owner build one settlement in some area, by the adjacency rule."""

    where: ClassVar[str]
    """The area in words, as in `build on {where}`."""

    def area(self, state: "State") -> HexSet:
        raise NotImplementedError

    def legal(self, state: "State") -> ActionSet:
        return state.spots(self.area(state)) if state.supply[state.player] else 0

    def apply(self, state: "State", choice: Action) -> None:
        state.build(choice)
        state.finish()

    def why_not(self, state: "State", h: Hex) -> str:
        return state.why_not_build(h, self.area(state), f"{self.name}: build on {self.where}")


class MovingLocation(Location):
    """A location that lets its owner move one settlement: the source is chosen first, then the target."""

    where: ClassVar[str]
    """The possible targets in words, as in `move to {where}`."""

    def sources(self, state: "State") -> HexSet:
        """The pieces that have a target."""
        raise NotImplementedError

    def targets(self, state: "State", source: Hex) -> HexSet:
        raise NotImplementedError

    def legal(self, state: "State") -> ActionSet:
        return self.sources(state) if state.source is None else self.targets(state, state.source)

    def apply(self, state: "State", choice: Action) -> None:
        if state.source is None:
            state.source = choice
        else:
            state.move(state.source, choice)
            state.finish()

    def why_not(self, state: "State", h: Hex) -> str:
        if state.source is None:
            if state.own[state.player] >> h & 1:
                return f"{self.name}: the settlement on {name(h)} cannot move to {self.where}"
            return f"{self.name}: choose one of your own settlements, {name(h)} has none"
        return self.why_not_target(state, state.source, h)

    def why_not_target(self, state: "State", source: Hex, h: Hex) -> str:
        raise NotImplementedError


class Card(Printed):
    """A source of gold at the end of the game: a Kingdom Builder card, or something that always pays."""

    excluded_by: ClassVar[str | None] = None
    """The option that keeps the card out of random setups."""

    def score(self, state: "State", seat: int) -> tuple[int, HexSet]:
        """The gold for a seat as things stand, and the hexes that pay it."""
        raise NotImplementedError
