"""The interface between components and rules. The `content` package holds the components themselves.

Every component may change the general rules through the hooks of `Component`. A hook that a class does not override
costs nothing: the setup collects only the hooks that components in play override.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from kingdom_builder.board.terrain import SPECIAL, Letter
from kingdom_builder.hexes import BIT, Hex, HexSet
from kingdom_builder.message import HexName, Listed, Message, Name, Named
from kingdom_builder.rules.actions import DONE, Action, ActionSet
from kingdom_builder.rules.pictures import elements_of
from kingdom_builder.rules.shapes import Shape

if TYPE_CHECKING:
    from kingdom_builder.rules.setup import Setup
    from kingdom_builder.rules.state import State

HEXES, NUMBER, BY_SEAT = "hexes", "number", "seats"
"""How a field of `State.memory` is written in positions: as hexes, as one number, as a number for each seat."""

HOOKS = ("built", "arrived", "turn_ended", "extra_cards", "game_ended")
"""The methods of `Component` that are called during a game."""


class Component(Named):
    """Something with a name and a text printed on it."""

    named_as = "component"
    text: ClassVar[str]
    """Its rule in one sentence; the hole `{special}` stands for the kinds of special hexes in play."""
    options: ClassVar[dict[str, str]] = {}
    """Rulings on it that a setup may switch on, each with a sentence that says what it means."""
    fields: ClassVar[dict[str, str]] = {}
    """The fields that it keeps in `State.memory`, each with how it is written."""
    most: ClassVar[dict[str, int]] = {}
    """The greatest number that a field may hold, for fields where a greater one has no meaning."""

    spends_settlements: ClassVar[tuple[str, ...]] = ()
    """The fields that hold a bit for each settlement that a seat spent on it."""
    hooks: ClassVar[tuple[str, ...]] = ()
    """The hooks that the class overrides."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.hooks = tuple(name for name in HOOKS if getattr(cls, name) is not getattr(Component, name))

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    @property
    def icon(self) -> str:
        """A picture of it: the SVG elements of `content/icons/<key>.svg`, in a box of 24 x 24; empty without a file."""
        return elements_of("icons", self.key)

    def text_for(self, special: Iterable[Letter]) -> str:
        """Its text where there are these kinds of special hexes, letters of `SPECIAL`."""
        return self.text.replace("{special}", str(Listed(tuple(SPECIAL[letter] for letter in special), "or")))

    def in_play(self, setup: "Setup") -> bool:
        """Whether it matters in a setup, for components that come with their box automatically."""
        return True

    def rulings_before(self, version: int, setup: "Setup") -> list[str]:
        """The options and kept rulings by which games go on that began under a version of the rules: its own only."""
        return []

    def describe_change(self, before: int, after: int) -> Message:
        """What a change of a seat's number in a field means: the rest of a sentence that begins with the seat."""
        return Message("collects {n} gold from {card}", n=after - before, card=self)

    def gold_of_change(self, before: int, after: int) -> int:
        """The gold that a change of a seat's number in a field pays."""
        return after - before

    def rows_marked(self, state: "State", seat: int) -> int:
        """The rows that a seat has marked for this component, as a set of row numbers; for pictures."""
        return 0

    def shown_on(self, setup: "Setup") -> HexSet:
        """The hexes of the board that show it, besides those where its tiles lie; for explanations."""
        return 0

    def explain(self, state: "State", seat: int | None, h: Hex | None) -> list[Message]:
        """What it means now besides what holds for every tile or card, in sentences; on one of its hexes, or in all.

        `seat` is called you; None is somebody who looks on. Hands and the draw pile must not matter.
        """
        return []

    # ---- shapes --------------------------------------------------------------------------------------------------

    def shape(self, setup: "Setup") -> Shape | None:
        """What it does as an extra action, or what it pays as a card, for the native core; None: only Python knows.

        A subclass that overrides what it does has no shape until it declares one of its own.
        """
        return None

    def hook_shape(self, setup: "Setup") -> Shape | None:
        """What the hooks of a card do, for the native core."""
        return None

    # ---- hooks ---------------------------------------------------------------------------------------------------

    def built(self, state: "State", h: Hex) -> None:
        """The current player has built a piece on a hex; tiles are taken after this (RULES 3)."""

    def arrived(self, state: "State", h: Hex) -> None:
        """The current player has built on a hex or moved to it, and has taken the tiles there."""

    def turn_ended(self, state: "State") -> None:
        """The turn ends; the player has not discarded the card yet."""

    def extra_cards(self, state: "State") -> int:
        """The number of extra cards that the current player draws at the end of the turn."""
        return 0

    def game_ended(self, state: "State") -> bool:
        """The last turn is over. Returns True if this component still has something to play before scoring."""
        return False


class ExtraAction(Component):
    """An action besides the mandatory one, once a turn for each tile (RULES 6 and 7).

    The action is a sequence of choices. `legal` gives the choices of the current step. It is also asked before the
    action begins: the action may begin only if there is a choice. `apply` carries out a choice and calls
    `state.finish()` after the last one. The state remembers what is needed between steps: `source`, `steps`, `memory`.
    """

    by_adjacency: ClassVar[bool] = False
    """Whether it builds under the adjacency rule."""
    by_card: ClassVar[bool] = False
    """Whether it needs the terrain of the played card."""
    lifts_adjacency: ClassVar[bool] = False
    """Whether the tile is not an action itself, but lifts the adjacency rule for one build."""
    repeatable: ClassVar[bool] = False
    """Whether another tile may repeat the action."""
    repeats: ClassVar[bool] = False
    """Whether it repeats the actions of other tiles."""
    draws: ClassVar[bool] = False
    """Whether a card is drawn for the action; the action then gets the draw as a choice."""
    passive: ClassVar[bool] = False
    """Whether the tile always works and is never used."""
    piece: ClassVar["type[PieceKind] | None"] = None
    """The kind of piece that it puts on the board; None for settlements."""
    builds: ClassVar[bool] = False
    """Whether it puts settlements from the supply on the board."""
    lays: ClassVar["type[PieceKind] | None"] = None
    """The kind of piece of the general rules that it puts on the board, if it is not a settlement."""
    takes: ClassVar[Message]
    """How somebody gets a tile of it, and when it can be used."""
    counts: ClassVar[range] = range(1)
    """The possible values of `State.steps` while the action is in progress."""

    def legal(self, state: "State") -> ActionSet:
        """The choices of the current step; before the action begins, those of its first step."""
        raise NotImplementedError

    def begin(self, state: "State") -> None:
        """Called when the action begins."""

    def can_repeat(self, state: "State") -> bool:
        """Whether the action, already used in this turn, can be done again."""
        return bool(self.legal(state))

    def begin_again(self, state: "State") -> None:
        """Called instead of `begin` when another tile repeats the action."""
        self.begin(state)

    def apply(self, state: "State", choice: Action) -> None:
        raise NotImplementedError

    def why_not(self, state: "State", h: Hex) -> Message:
        """Why a hex is not among the legal choices of the current step, as a sentence."""
        raise NotImplementedError

    def why_not_begin(self, state: "State") -> Message:
        """Why the action has no choice to begin with, as a sentence: asked only where `legal` is empty."""
        if self.by_card and not state.card:
            return self.why_no_card(state)
        if self.builds and not state.supply[state.player]:
            return Message("{action}: your supply is empty.", action=self)
        return Message("{action}: there is no hex for it.", action=self)

    def why_no_card(self, state: "State") -> Message:
        """Why there is no card whose terrain the action could use."""
        if state.choice_is_open():
            return Message("{action}: choose one of your terrain cards first.", action=self)
        return Message("{action}: you have no terrain card in play.", action=self)

    def why_not_repeat(self, state: "State", action: "ExtraAction") -> Message:
        """Why it cannot repeat another action, as a sentence: asked only of an action that repeats others."""
        raise NotImplementedError

    def prompt(self, state: "State") -> Message:
        """What to choose now, as a sentence."""
        if state.source is not None:
            return Message("{action}: where to from {hex}?", action=self, hex=HexName(state.source))
        return Message("{action}: choose a hex.", action=self)

    def describe_option(self, state: "State", action: Action) -> Message:
        """What `DONE` or `OTHER` means in the current step, for a button."""
        if action == DONE:
            return Message("Enough, stop here")
        return Message("Take it back")

    def can_be_at(self, state: "State") -> bool:
        """Whether `State.steps` has a possible value while this is in progress: positions may be written by hand."""
        return state.steps in self.counts

    def goes_by_adjacency(self, state: "State") -> bool:
        """Whether a tile that lifts the adjacency rule may be declared for the current step."""
        return self.by_adjacency

    def number(self, state: "State", seat: int) -> int | None:
        """The number that a seat has on its tile, for tiles that count something."""
        return None

    def taken(self, state: "State") -> None:
        """The current player has taken a tile of this kind."""

    def lost(self, state: "State", seat: int) -> None:
        """A seat has lost a tile of this kind."""


class Location(ExtraAction):
    """A location, whose tile gives an extra action (RULES 6)."""

    repeatable = True
    takes = Message("Put a piece next to it and you take a tile, to use in each turn from your next one on.")


class NomadTile(ExtraAction):
    """A tile that is taken from a nomad space and can be used only in the next turn (RULES 7)."""

    takes = Message("Put a piece next to it and you take the tile, to use once, in your next turn.")


class StandingAction(ExtraAction):
    """An extra action that everybody has, without a tile."""


class Finale(ExtraAction):
    """Something that is played seat by seat after the last turn, before scoring."""


class Building(ExtraAction):
    """Builds one settlement in some area, under the adjacency rule."""

    by_adjacency = True
    builds = True
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


class LandBuilding(Building):
    """Builds one settlement on hexes that never change, under the adjacency rule."""

    def land(self, setup: "Setup") -> HexSet:
        """The hexes, free or not."""
        raise NotImplementedError

    def area(self, state: "State") -> HexSet:
        return self.land(state.setup)

    def shape(self, setup: "Setup") -> Shape:
        return Shape("build", (self.land(setup),), (1,))


class FixedBuilding(ExtraAction):
    """Builds one settlement on hexes that it defines; the adjacency rule does not apply."""

    builds = True
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

    `sources` and `targets` are about pieces that may stand anywhere the action allows. Pieces other than settlements
    are checked one by one.
    """

    where: ClassVar[Message | Name]
    """The possible targets in words, as in `move to {where}`."""

    def sources(self, state: "State") -> HexSet:
        """The settlements of the player that have a target."""
        raise NotImplementedError

    def targets(self, state: "State", source: Hex, free: HexSet) -> HexSet:
        """Where a piece may go; `free` is the set of free hexes once it is lifted, without its own hex."""
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

    def why_not_begin(self, state: "State") -> Message:
        if self.by_card and not state.card:
            return self.why_no_card(state)
        return Message("{action}: none of your pieces can move to {where}.", action=self, where=self.where)

    def why_not_source(self, state: "State", h: Hex) -> Message:
        """Why a hex has no piece that can be moved."""
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
    """A kind of piece: everything that the rules, pictures and texts need to know about it.

    The hexes of a kind that `State.place` puts on the board are in `State.memory` under `key`, and positions show them
    under this key. Pictures draw `content/figures/<key>.svg`, or a plain disc if there is no such file.
    """

    named_as = "piece"
    sign: ClassVar[str]
    """A character for it on a board drawn with characters; two characters for a kind that nobody owns."""
    each: ClassVar[int]
    """The number of pieces of each player, or of all together if nobody owns them."""
    footing: ClassVar[str]
    """The letters of the terrain that it may stand on; empty if it never moves once placed."""
    owned: ClassVar[bool] = True
    """Whether the pieces belong to seats."""
    removable: ClassVar[bool] = True
    """Whether other players can take it off the board."""
    blocks: ClassVar[bool] = False
    """Whether nothing may be put next to it."""
    text: ClassVar[str] = ""
    """What it may do, and what it means for others, in a sentence or two."""
    whole: ClassVar[str] = ""
    """For a piece that covers a hex and the six around it, the figure of the whole: a file beside its own."""


class Card(Component):
    """A source of gold: a Kingdom Builder card, a task, or something that always pays."""

    excluded_by: ClassVar[str | None] = None
    """The option that keeps the card out of random setups."""

    def score(self, state: "State", seat: int) -> tuple[int, HexSet]:
        """The gold that a seat has now, and the hexes that pay it.

        It depends only on the setup, the pieces in `own` and `memory`.
        """
        raise NotImplementedError


class HexCard(Card):
    """Pays 1 gold for each settlement on hexes that never change."""

    def hexes(self, setup: "Setup") -> HexSet:
        """The hexes that pay."""
        raise NotImplementedError

    def score(self, state: "State", seat: int) -> tuple[int, HexSet]:
        paying = state.own[seat] & self.hexes(state.setup)
        return paying.bit_count(), paying

    def shape(self, setup: "Setup") -> Shape:
        return Shape("on", (self.hexes(setup),), (1,))
