"""The setup: everything that is fixed before the first card is dealt. Immutable."""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any

from kingdom_builder.board import Board
from kingdom_builder.board.terrain import CARDS, DIGITS, Terrain, terrain_name
from kingdom_builder.hexes import NEAR, Hex, HexSet, bits
from kingdom_builder.message import Message, Name, Refusal
from kingdom_builder.rules.actions import USE
from kingdom_builder.rules.components import (
    HEXES,
    NUMBER,
    Card,
    Component,
    ExtraAction,
    Finale,
    Location,
    NomadTile,
    PieceKind,
    StandingAction,
)
from kingdom_builder.rules.versions import EMPTY_SUPPLY_GOES_ON

SETTLEMENTS = 40
"""The number of settlements of each player."""

MANDATORY = 3
"""The number of settlements of the mandatory action."""

TILES = 2
"""The number of tiles on each location hex."""

WALLS, CHOSEN_CARD = "walls", "chosen"
"""Fields of `State.memory` that the turn itself uses: hexes with stone walls; 1 if a card was chosen from several."""

DECK: str = "".join(terrain * 5 for terrain in CARDS)
"""The terrain cards, a letter each."""

REDRAW_ONLY_FOR_MANDATORY = "redrawOnlyForMandatory"
EQUAL_CARDS_FREE = "equalCardsFree"
MEEPLES_ONLY_BY_OWN_ACTION = "meeplesOnlyByOwnAction"
OUTPOST_FOR_MOVES = "outpostForMoves"
CAPITOL_REPLACES_CASTLE = "capitolReplacesCastle"
OPTIONS = {
    REDRAW_ONLY_FOR_MANDATORY: "After the mandatory action, a terrain card without a free hex is not replaced.",
    EQUAL_CARDS_FREE: "Several terrain cards in hand that all show the same terrain may be played as any terrain.",
    MEEPLES_ONLY_BY_OWN_ACTION: "Warriors, wagons and ships move only by the action of their own location.",
    OUTPOST_FOR_MOVES: "Outpost: it also lifts the adjacency rule for a move (Barn, Harbor), not only for a build.",
}
"""Options of the turn itself; components bring their own."""


class Setup:
    """A board with everything that lies on it, the cards that pay, the number of players and the options in force.

    Seats are numbered in the order of turns: seat 0 is the start player.
    """

    # Slots: reading an attribute of an object with more than 30 of them costs twice as much otherwise (CPython 3.11).
    __slots__ = (
        "actions",
        "board",
        "capitols",
        "cards",
        "castle_sides",
        "castles",
        "components",
        "empty_supply_ends",
        "fields",
        "finales",
        "footing",
        "is_prepared",
        "kind_tiles",
        "lifting_tiles",
        "location_tiles",
        "nomad_tiles",
        "nomads",
        "on_arrived",
        "on_built",
        "on_extra_cards",
        "on_game_ended",
        "on_turn_end",
        "on_turn_ended",
        "options",
        "piece_kinds",
        "players",
        "redraw_always",
        "room",
        "scoring",
        "settlements_spent",
        "standing",
        "tasks",
        "terrain",
        "tile_hex",
        "tile_kind",
        "tile_side",
        "tiles_beside",
        "tiles_left",
        "uses",
        "watched",
    )

    def __init__(
        self,
        board: Board,
        locations: Mapping[str, Location],
        cards: Iterable[Card],
        always: Iterable[Component],
        players: int,
        options: Iterable[str] = (),
        *,
        tasks: Iterable[Card] = (),
        nomads: Mapping[Hex, NomadTile] | None = None,
        capitols: HexSet = 0,
    ) -> None:
        """`locations` holds at least those on the board; `always`, what comes with the boxes and may be in play."""
        self.board = board
        self.cards = tuple(cards)
        self.tasks = tuple(tasks)
        self.nomads = dict(sorted((nomads or {}).items()))
        """The tiles on the nomad spaces."""
        self.capitols = capitols
        self.players = players
        self.options = frozenset(options)
        self.empty_supply_ends = EMPTY_SUPPLY_GOES_ON not in self.options
        self.redraw_always = REDRAW_ONLY_FOR_MANDATORY not in self.options
        self._check()
        in_play = [component for component in always if component.in_play(self)]
        standing = [action for action in in_play if isinstance(action, StandingAction)]
        self._number_tiles(locations, standing)
        self._gather_components(in_play)
        self._measure_land()
        self.is_prepared = False
        """Whether there are the tables that turns look up."""

    def _gather_components(self, in_play: list[Component]) -> None:
        """What is in play, by what it does."""
        self.scoring = (*self.cards, *self.tasks, *[card for card in in_play if isinstance(card, Card)])
        """Everything that pays."""
        self.components: tuple[Component, ...] = tuple(dict.fromkeys((*self.actions, *self.scoring, *in_play)))
        """The components in play."""
        self.finales = tuple([action for action in in_play if isinstance(action, Finale)])
        """What is played after the last turn."""
        self.fields: dict[str, str] = {WALLS: HEXES, CHOSEN_CARD: NUMBER}
        """What is kept in `State.memory`, and how it is written."""
        for component in self.components:
            if component.fields:
                self.fields |= component.fields
        self.settlements_spent = tuple(
            [field for component in self.components for field in component.spends_settlements]
        )
        """Fields with a bit for each settlement of a seat that was used for something else than building."""

    def _number_tiles(self, locations: Mapping[str, Location], standing: list[StandingAction]) -> None:
        """Number the piles of tiles, and the kinds of extra actions: locations, nomad spaces, standing actions."""
        board, nomads = self.board, self.nomads
        keys = [key for _, key in board.locations]
        known: dict[str, ExtraAction] = {**locations}
        for action in (*nomads.values(), *standing):
            keys.append(action.key)
            known[action.key] = action
        number_of = {key: number for number, key in enumerate(dict.fromkeys(keys))}
        self.actions = tuple([known[key] for key in number_of])
        """The extra actions of this setup; the i-th is begun by the action `USE + i`."""
        self.tile_hex: tuple[Hex | None, ...] = (*[h for h, _ in board.locations], *nomads, *[None] * len(standing))
        """Where the tiles of each number lie at the beginning: locations, then nomad spaces, then standing actions."""
        self.tile_kind = tuple([number_of[key] for key in keys])
        """The extra action of each tile number."""
        self.tile_side: tuple[HexSet, ...] = tuple([0 if h is None else NEAR[h] & board.hexes for h in self.tile_hex])
        """The neighbours of the hex of each tile number."""
        places = len(board.locations)
        self.tiles_left = [TILES] * places + [1] * len(nomads) + [0] * len(standing)
        """The number of tiles of each tile number at the beginning."""
        self.location_tiles = (1 << places) - 1
        self.nomad_tiles = (1 << len(nomads)) - 1 << places
        self.standing = (1 << len(standing)) - 1 << places + len(nomads)
        kind_tiles = [0] * len(number_of)
        for tile, kind in enumerate(self.tile_kind):
            kind_tiles[kind] |= 1 << tile
        self.kind_tiles = tuple(kind_tiles)
        """The tiles of each kind, as a set of tile numbers."""
        self.lifting_tiles = sum(
            [tiles for tiles, action in zip(kind_tiles, self.actions, strict=True) if action.lifts_adjacency]
        )

    def _measure_land(self) -> None:
        """Masks that never change: where pieces may stand, what cards allow, what castles touch."""
        board = self.board
        self.castles: HexSet = board.castles & ~(self.capitols if CAPITOL_REPLACES_CASTLE in self.options else 0)
        """The castles that pay as castles."""
        self.castle_sides: tuple[HexSet, ...] = tuple([NEAR[castle] & board.hexes for castle in bits(self.castles)])
        """The neighbours of each of them."""
        self.room: HexSet = board.hexes & ~board.special
        """Where a piece can ever stand."""
        self.terrain: dict[Terrain, HexSet] = {"": 0, **{letter: board.terrain[letter] for letter in CARDS}}
        """The hexes that a terrain card allows; no card, no hex."""
        self.piece_kinds: tuple[type[PieceKind], ...] = tuple([action.piece for action in self.actions if action.piece])
        self.footing: dict[type[PieceKind], HexSet] = {
            kind: sum(board.terrain[letter] for letter in kind.footing) for kind in self.piece_kinds
        }
        """Where the pieces of each kind may stand."""

    def prepare(self) -> None:
        """Make the tables that turns look up. States see to it; the native core plays without them.

        Not a `__getattr__`: with one, CPython 3.11 looks up every attribute more slowly, and games take 5 % longer.
        """
        if not self.is_prepared:
            self._number_uses()
            self._collect_hooks()
            self.is_prepared = True

    def _number_uses(self) -> None:
        """The extra actions and tiles once more, as a turn looks them up."""
        self.uses = tuple(
            (tiles_of_kind, 1 << USE + kind, action.legal)
            for kind, (tiles_of_kind, action) in enumerate(zip(self.kind_tiles, self.actions, strict=True))
        )
        """For each extra action: its tiles, the action that begins it as a set, and what returns its choices."""
        beside: dict[Hex, list[int]] = {}
        for tile, side in enumerate(self.tile_side):
            for h in _neighbours(side):
                beside.setdefault(h, []).append(tile)
        self.tiles_beside: dict[Hex, tuple[int, ...]] = {h: tuple(near) for h, near in beside.items()}
        """The tiles that a piece on a hex touches, for hexes next to tiles."""

    def _collect_hooks(self) -> None:
        """The hooks that something in play overrides; the others cost nothing."""
        self.on_built: tuple[Callable[..., None], ...] = self._hooks("built")
        self.on_arrived: tuple[Callable[..., None], ...] = self._hooks("arrived")
        self.on_turn_ended: tuple[Callable[..., None], ...] = self._hooks("turn_ended")
        self.on_extra_cards: tuple[Callable[..., int], ...] = self._hooks("extra_cards")
        self.on_game_ended: tuple[Callable[..., bool], ...] = self._hooks("game_ended")
        self.on_turn_end = bool(self.on_turn_ended or self.on_extra_cards or self.nomad_tiles)
        """Whether anything besides the change of cards happens at the end of a turn."""
        self.watched: frozenset[Hex] = frozenset(
            bits(self.room) if self.on_built or self.on_arrived or self.lifting_tiles else self.tiles_beside
        )
        """The hexes where something happens when a piece arrives."""

    def _hooks(self, name: str) -> Any:
        return tuple(getattr(component, name) for component in self.components if name in component.hooks)

    def _check(self) -> None:
        if not 2 <= self.players <= 5:
            raise Refusal(Message("{n} players: expected 2 to 5", n=self.players))
        for cards in (self.cards, self.tasks):
            if len({card.key for card in cards}) < len(cards):
                keys = ", ".join([card.key for card in cards])
                raise Refusal(Message("{keys}: expected each only once", keys=keys))

    def ground(self, h: Hex) -> Message | Name:
        """What is printed on a hex, in a message: `canyon`, `castle`, `Farm location`."""
        letter = self.board.letter(h)
        if letter in DIGITS:
            return Message("{location} location", location=self._kind(self.tile_hex.index(h)))
        return terrain_name(letter)

    def _kind(self, tile: int) -> ExtraAction:
        return self.actions[self.tile_kind[tile]]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Setup):
            return NotImplemented
        return self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    @property
    def _identity(self) -> tuple[object, ...]:
        nomads = tuple(self.nomads.items())
        return (self.board.map, self.board.locations, self.scoring, self.players, self.options, nomads, self.capitols)


_neighbours = lru_cache(maxsize=4096)(bits)
"""The hexes of a set. Cached for sets of neighbours, which many setups share."""
