"""The setup: everything that is decided before the first card is dealt, complete and immutable."""

from collections.abc import Iterable, Mapping

from kingdom_builder.board import Board
from kingdom_builder.board.terrain import CARDS, Terrain
from kingdom_builder.hexes import NEAR, Hex, HexSet, members
from kingdom_builder.rules.actions import USE
from kingdom_builder.rules.printed import Card, Location

SETTLEMENTS = 40
"""Settlements of each player."""

TILES = 2
"""Tiles on each location hex."""

DECK: str = "".join(terrain * 5 for terrain in CARDS)
"""The terrain cards, a letter each."""

REDRAW_ONLY_FOR_MANDATORY = "redrawOnlyForMandatory"
OPTIONS = {REDRAW_ONLY_FOR_MANDATORY: "A card whose terrain is full is not replaced after the mandatory action."}
"""Options of the turn itself; locations and cards bring their own."""


class Setup:
    """A board, the locations on it, the cards that pay, the number of players and the options in force.

    Seats are numbered in the order of turns: seat 0 is the start player.
    """

    def __init__(
        self,
        board: Board,
        locations: Mapping[str, Location],
        cards: Iterable[Card],
        always: Iterable[Card],
        players: int,
        options: Iterable[str] = (),
    ) -> None:
        """`locations` holds at least those that are on the board; `always` is what pays besides the cards."""
        self.board = board
        self.cards = tuple(cards)
        self.scoring = (*self.cards, *always)
        self.players = players
        self.options = frozenset(options)
        self.locations = tuple(locations[key] for key in dict.fromkeys(key for _, key in board.locations))
        """The kinds of location on the board; the i-th is used by the action `USE + i`."""

        if not 2 <= players <= 5:
            raise ValueError(f"{players} players: expected 2 to 5")
        if len({card.key for card in self.cards}) < len(self.cards):
            raise ValueError(f"cards {', '.join(c.key for c in self.cards)}: expected each only once")

        kind_of = {location.key: i for i, location in enumerate(self.locations)}
        self.tile_kind = tuple(kind_of[key] for _, key in board.locations)
        """The kind of each location hex, by its place in `board.locations`. The tiles of a hex have its number."""
        self.tile_side: tuple[HexSet, ...] = tuple(NEAR[h] & board.hexes for h, _ in board.locations)
        """The neighbours of each location hex."""
        self.kind_tiles = tuple(
            sum(1 << tile for tile, k in enumerate(self.tile_kind) if k == kind) for kind in range(len(self.locations))
        )
        """The tiles of each kind, as a set of tile numbers."""
        self.uses = tuple(
            (tiles, 1 << USE + kind, location.legal)
            for kind, (tiles, location) in enumerate(zip(self.kind_tiles, self.locations, strict=True))
        )
        """For each kind: its tiles, the action that uses one as a set, and what gives the choices of that."""
        self.tiles_beside: dict[Hex, tuple[int, ...]] = {}
        """The tiles that a piece on a hex touches, for hexes that touch any."""
        for tile, side in enumerate(self.tile_side):
            for h in members(side):
                self.tiles_beside[h] = (*self.tiles_beside.get(h, ()), tile)
        self.terrain: dict[Terrain, HexSet] = {"": 0, **{letter: board.terrain[letter] for letter in CARDS}}
        """The hexes that a terrain card allows; no card, no hex."""
        self.redraw_always = REDRAW_ONLY_FOR_MANDATORY not in self.options

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Setup):
            return NotImplemented
        return self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    @property
    def _identity(self) -> tuple[object, ...]:
        return self.board.map, self.board.locations, self.scoring, self.players, self.options
