"""What components tell the rules. The `content` package holds the real ones.

Every component may change the general rules through the hooks of `Component`. A hook that a class does not override
costs nothing: the setup collects only those that are overridden by what is in play.
"""

from typing import TYPE_CHECKING, ClassVar

from kingdom_builder.hexes import BIT, Hex, HexSet
from kingdom_builder.message import HexName, Message, Name, Named
from kingdom_builder.rules.actions import DONE, Action, ActionSet
from kingdom_builder.rules.pictures import elements_of

if TYPE_CHECKING:
    from kingdom_builder.rules.setup import Setup
    from kingdom_builder.rules.state import State

HEXES, NUMBER, BY_SEAT = "hexes", "number", "seats"
"""How a field of `State.memory` is written in positions: as hexes, as one number, as a number for each seat."""


class Component(Named):
    """Something with a name and a text printed on it."""

    named_as = "component"
    text: ClassVar[str]
    """Its rule in one sentence."""
    options: ClassVar[dict[str, str]] = {}
    """Rulings on it that a setup may switch on, each with a sentence."""
    fields: ClassVar[dict[str, str]] = {}
    """What it keeps in `State.memory`, each with how it is written."""
    most: ClassVar[dict[str, int]] = {}
    """The greatest number that a field may hold, where a greater one would have no meaning."""

    spends_settlements: ClassVar[tuple[str, ...]] = ()
    """Those of its fields that hold a bit for each settlement that a seat spent on it."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    @property
    def icon(self) -> str:
        """A picture of it: the SVG elements of `content/icons/<key>.svg`, in a box of 24 x 24; empty without a file."""
        return elements_of("icons", self.key)

    def in_play(self, setup: "Setup") -> bool:
        """Whether something that comes with its box, unasked, matters in a setup."""
        return True

    def describe_change(self, before: int, after: int) -> Message:
        """What it means for a seat that its part of a number for each seat has changed, as in `A ...`."""
        return Message("collects {n} gold from {card}", n=after - before, card=self)

    def rows_marked(self, state: "State", seat: int) -> int:
        """The rows of the board that carry a marker of a seat for this, as a set of row numbers; for pictures."""
        return 0

    # ---- hooks ---------------------------------------------------------------------------------------------------

    def built(self, state: "State", h: Hex) -> None:
        """The player in turn has built a piece on a hex; tiles are taken after this (RULES 3)."""

    def arrived(self, state: "State", h: Hex) -> None:
        """The player in turn has built on a hex or moved to it, and has taken the tiles there."""

    def turn_ended(self, state: "State") -> None:
        """The turn ends; the player has not discarded the card yet."""

    def extra_cards(self, state: "State") -> int:
        """How many cards more than one the player in turn draws at the end of the turn."""
        return 0

    def game_ended(self, state: "State") -> bool:
        """The last turn is over. True if this has something left to be played before scoring."""
        return False


class ExtraAction(Component):
    """An action besides the mandatory one, once a turn for each tile (RULES 6 and 7).

    The action is a sequence of choices. `legal` gives the choices of the step at hand, and is asked before the action
    begins too: it may be begun only if there is one. `apply` carries out a choice and calls `state.finish()` after
    the last. What must be remembered between two steps is in the state: `source`, `steps`, `memory`.
    """

    by_adjacency: ClassVar[bool] = False
    """Whether it builds by the adjacency rule."""
    lifts_adjacency: ClassVar[bool] = False
    """Whether the tile is no action of its own, but lifts the adjacency rule for one build."""
    repeatable: ClassVar[bool] = False
    """Whether another tile may repeat the action."""
    draws: ClassVar[bool] = False
    """Whether a card is drawn for the action, which then gets the draw as a choice."""
    passive: ClassVar[bool] = False
    """Whether the tile works by itself and is never used."""
    piece: ClassVar["type[PieceKind] | None"] = None
    """The kind of piece that it puts on the board, if not settlements."""
    counts: ClassVar[range] = range(1)
    """What `State.steps` can be while the action is in progress."""

    def legal(self, state: "State") -> ActionSet:
        """The choices of the step at hand, or those with which the action would begin."""
        raise NotImplementedError

    def begin(self, state: "State") -> None:
        """The action begins."""

    def can_repeat(self, state: "State") -> bool:
        """Whether the action, already used in this turn, can be done once more."""
        return bool(self.legal(state))

    def apply(self, state: "State", choice: Action) -> None:
        raise NotImplementedError

    def why_not(self, state: "State", h: Hex) -> Message:
        """The reason why a hex is not among the legal choices of the step at hand, as a sentence."""
        raise NotImplementedError

    def prompt(self, state: "State") -> Message:
        """What to choose now, as a sentence."""
        if state.source is not None:
            return Message("{action}: where to from {hex}?", action=self, hex=HexName(state.source))
        return Message("{action}: choose a hex.", action=self)

    def describe_option(self, state: "State", action: Action) -> Message:
        """What `DONE` or `OTHER` means in the step at hand, for a button."""
        if action == DONE:
            return Message("Enough, stop here")
        return Message("Take it back")

    def can_be_at(self, state: "State") -> bool:
        """Whether `State.steps` can be what it is while this is in progress: it may be written by hand."""
        return state.steps in self.counts

    def goes_by_adjacency(self, state: "State") -> bool:
        """Whether a tile that lifts the adjacency rule may be declared for the step at hand."""
        return self.by_adjacency

    def taken(self, state: "State") -> None:
        """The player in turn has taken a tile of this kind."""

    def lost(self, state: "State", seat: int) -> None:
        """A seat has lost a tile of this kind."""


class Location(ExtraAction):
    """A location, whose tile gives an extra action (RULES 6)."""

    repeatable = True


class NomadTile(ExtraAction):
    """A tile that is claimed on a nomad space and usable in the next turn only (RULES 7)."""


class StandingAction(ExtraAction):
    """An extra action that everybody has, without a tile."""


class Finale(ExtraAction):
    """Something that is played after the last turn, before the scoring, seat by seat."""


class Building(ExtraAction):
    """Builds one settlement in some area, by the adjacency rule."""

    by_adjacency = True
    where: ClassVar[Message | Name]
    """The area in words, as in `build on {where}`."""

    def area(self, state: "State") -> HexSet:
        raise NotImplementedError

    def legal(self, state: "State") -> ActionSet:
        return state.spots(self.area(state)) if state.supply[state.player] else 0

    def apply(self, state: "State", choice: Action) -> None:
        state.build(choice)
        state.finish()

    def prompt(self, state: "State") -> Message:
        return Message("{action}: build on {where}.", action=self, where=self.where)

    def why_not(self, state: "State", h: Hex) -> Message:
        wanted = Message("{action}: build on {where}", action=self, where=self.where)
        return state.why_not_build(h, self.area(state), wanted)


class FixedBuilding(ExtraAction):
    """Builds one settlement on hexes of its own choice; the adjacency rule plays no part."""

    where: ClassVar[Message | Name]
    """The hexes in words, as in `build on {where}`."""

    def spots(self, state: "State") -> HexSet:
        """Where it lets the player build, free or not."""
        raise NotImplementedError

    def legal(self, state: "State") -> ActionSet:
        return self.spots(state) & state.free if state.supply[state.player] else 0

    def apply(self, state: "State", choice: Action) -> None:
        state.build(choice)
        state.finish()

    def prompt(self, state: "State") -> Message:
        return Message("{action}: build on {where}.", action=self, where=self.where)

    def why_not(self, state: "State", h: Hex) -> Message:
        return state.why_not_empty(h) or Message(
            "{action}: build on {where}; {hex} ({ground}) is not such a hex.",
            action=self,
            where=self.where,
            hex=HexName(h),
            ground=state.setup.ground(h),
        )


class Moving(ExtraAction):
    """Moves one piece: the source is chosen first, then the target.

    `sources` and `targets` are about pieces that may stand anywhere the action allows. Pieces of other kinds than
    settlements are looked at one by one.
    """

    where: ClassVar[Message | Name]
    """The possible targets in words, as in `move to {where}`."""

    def sources(self, state: "State") -> HexSet:
        """The settlements of the player that have a target."""
        raise NotImplementedError

    def targets(self, state: "State", source: Hex, free: HexSet) -> HexSet:
        """Where a piece may go; `free` is what is free once it is lifted, without its own hex."""
        raise NotImplementedError

    def legal(self, state: "State") -> ActionSet:
        if state.source is not None:
            return self._legal_targets(state, state.source)
        sources = self.sources(state)
        if state.special_pieces:
            sources &= ~state.special_pieces
            for special in state.movable_specials():
                if self._legal_targets(state, special):
                    sources |= BIT[special]
        return sources

    def _legal_targets(self, state: "State", source: Hex) -> HexSet:
        if state.special_pieces & BIT[source]:
            free = state.free_without(source) & ~BIT[source]
            return self.targets(state, source, free) & state.footing(source)
        return self.targets(state, source, state.free)

    def apply(self, state: "State", choice: Action) -> None:
        if state.source is None:
            state.source = choice
        else:
            state.move(state.source, choice)
            state.finish()

    def prompt(self, state: "State") -> Message:
        if state.source is not None:
            return super().prompt(state)
        return Message("{action}: choose a piece to move to {where}.", action=self, where=self.where)

    def why_not(self, state: "State", h: Hex) -> Message:
        if state.source is None:
            return self.why_not_source(state, h)
        if h == state.source:
            return Message("{action}: {hex} is where the piece stands.", action=self, hex=HexName(h))
        return state.why_not_empty(h) or self.why_not_target(state, h)

    def why_not_source(self, state: "State", h: Hex) -> Message:
        """Why there is no piece on a hex that could be moved."""
        if state.own[state.player] >> h & 1:
            return Message(
                "{action}: the piece on {hex} cannot move to {where}.", action=self, hex=HexName(h), where=self.where
            )
        return Message("{action}: choose one of your own pieces, {hex} has none.", action=self, hex=HexName(h))

    def why_not_target(self, state: "State", h: Hex) -> Message:
        """Why an empty hex is not a target."""
        return Message(
            "{action}: move to {where}; {hex} ({ground}) is not such a hex.",
            action=self,
            where=self.where,
            hex=HexName(h),
            ground=state.setup.ground(h),
        )


class PieceKind(Named):
    """A kind of piece: all that has to be written to play with it, see it and read of it.

    The hexes of a kind that `State.place` puts on the board are in `State.memory` under `key`, and so they stand in
    positions. Pictures draw `content/figures/<key>.svg`, or a plain disc if there is no such file.
    """

    named_as = "piece"
    sign: ClassVar[str]
    """A character that stands for it on a board drawn with characters; two for a kind that nobody owns."""
    each: ClassVar[int]
    """Pieces of each player, or of all together if nobody owns them."""
    footing: ClassVar[str]
    """The letters of the terrain that it may stand on; none if it never moves again."""
    owned: ClassVar[bool] = True
    """Whether the pieces belong to seats."""
    removable: ClassVar[bool] = True
    """Whether it can be taken off the board by others."""
    blocks: ClassVar[bool] = False
    """Whether nothing may be put next to it."""
    whole: ClassVar[str] = ""
    """The figure of a piece that covers a hex and the six around it, if this is one: a file beside its own."""


class Card(Component):
    """A source of gold: a Kingdom Builder card, a task, or something that always pays."""

    excluded_by: ClassVar[str | None] = None
    """The option that keeps the card out of random setups."""

    def score(self, state: "State", seat: int) -> tuple[int, HexSet]:
        """The gold for a seat as things stand, and the hexes that pay it.

        It follows from the setup, the pieces in `own` and what `memory` holds, and from nothing else.
        """
        raise NotImplementedError
