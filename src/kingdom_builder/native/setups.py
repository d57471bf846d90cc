"""Setups for the native core: the tables that `rules.Setup` has made, and the shape of each component, as bytes.

`core/setup.c` reads them in the same order.
"""

import logging
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from struct import pack

from kingdom_builder.board.terrain import CARDS
from kingdom_builder.hexes import HexSet
from kingdom_builder.native import _core
from kingdom_builder.rules import Building, Component, ExtraAction, FixedBuilding, Moving, PieceKind, Setup, Shape
from kingdom_builder.rules.components import BY_SEAT, HEXES, HOOKS, NUMBER
from kingdom_builder.rules.setup import EQUAL_CARDS_FREE, MEEPLES_ONLY_BY_OWN_ACTION, OUTPOST_FOR_MOVES
from kingdom_builder.rules.versions import CHOICE_LASTS

log = logging.getLogger(__name__)

MOST_TILES, MOST_FIELDS = 64, 8
"""The most that the core has room for; maps drawn by hand may have more tiles."""

SET_BYTES = 56
"""Bytes of a set of hexes."""

SCORE = frozenset({"score"})

CHOICES = {"legal", "begin", "begin_again", "can_repeat", "apply", "taken", "lost", "goes_by_adjacency"}
AREAS = {"area", "spots", "sources", "targets", "movers"}
DEEDS = frozenset({*HOOKS, *CHOICES, *AREAS})
"""The methods that say what an extra action does: a class that overrides one of them needs a shape of its own."""

ACTION_SHAPES = {name: number for number, name in enumerate(_core.ACTION_SHAPES)}
SCORE_SHAPES = {name: number for number, name in enumerate(_core.SCORE_SHAPES)}
HOOK_SHAPES = {name: number for number, name in enumerate(_core.HOOK_SHAPES)}

BY_ADJACENCY, REPEATABLE, PASSIVE, LIFTS, BUILDS_ONE, MOVES_ONE = 1, 2, 4, 8, 16, 32


class NoShape(Exception):
    """Why a setup is played in Python, as a sentence."""


class NativeSetup(_core.Setup):
    """A setup in the native core."""

    __slots__ = ("fields", "setup")

    setup: Setup
    fields: Mapping[str, Sequence[str]]
    """The fields of `State.memory` by how they are written, in the order of their places in the core."""

    def place(self, field: str) -> int:
        """The place of a field among those of its type."""
        return self.fields[self.setup.fields[field]].index(field)


def native_setup(setup: Setup) -> NativeSetup | None:
    """The setup in the core; None if something in it has no shape there, which a line in the log says."""
    try:
        return of_setup(setup)
    except NoShape as reason:
        log.warning("This setup is played in Python: %s", reason)
        return None


def of_setup(setup: Setup) -> NativeSetup:
    """The setup in the core. Raises NoShape."""
    fields, places = fields_of(tuple(setup.fields.items()))
    if max(map(len, fields.values())) > MOST_FIELDS or len(setup.tile_hex) > MOST_TILES:
        raise NoShape("it has more tiles or fields than the core has room for.")
    written = _Writer(setup, [*map(len, fields.values())], places).setup()
    try:
        new = NativeSetup(written)
    except ValueError:
        raise NoShape("it has more of something than the core has room for.") from None
    new.setup, new.fields = setup, fields
    return new


@lru_cache(maxsize=1024)
def fields_of(fields: Iterable[tuple[str, str]]) -> tuple[Mapping[str, Sequence[str]], Mapping[str, int]]:
    """Fields by how they are written, and the place of each in the core. Cached: many setups have the same."""
    by_kind = {kind: tuple([key for key, of in fields if of == kind]) for kind in (HEXES, NUMBER, BY_SEAT)}
    return by_kind, {key: place for keys in by_kind.values() for place, key in enumerate(keys)}


@lru_cache(maxsize=1024)
def is_faithful(component: Component, declares: str, deeds: Iterable[str]) -> bool:
    """Whether a component does what its shape says: its deeds are those of the class that declares it."""
    kinds = type(component).__mro__
    declaring = next(kind for kind in kinds if declares in vars(kind))
    doing = [next((kind for kind in kinds if deed in vars(kind)), object) for deed in deeds]
    return all(issubclass(declaring, kind) for kind in doing)


@lru_cache(maxsize=1024)
def traits_of(action: ExtraAction) -> int:
    """The traits of an extra action, as bits."""
    return (
        BY_ADJACENCY * action.by_adjacency
        | REPEATABLE * action.repeatable
        | PASSIVE * action.passive
        | LIFTS * action.lifts_adjacency
        | BUILDS_ONE * isinstance(action, Building | FixedBuilding)
        | MOVES_ONE * isinstance(action, Moving)
    )


class _Writer:
    """Writes one setup: all numbers, then all sets, as a call of `pack` for each part would take most of the time."""

    def __init__(self, setup: Setup, fields: Iterable[int], places: Mapping[str, int]) -> None:
        """`fields` are how many there are of each kind, `places` is where each is kept."""
        self._setup = setup
        self._places = places
        self._numbers: list[int] = []
        self._sets: list[HexSet] = []
        self._shape_sets: list[HexSet] = []
        """The sets of all shapes."""
        self._general(fields)
        self._piece_kinds()
        self._tiles()
        self._components()

    def setup(self) -> bytes:
        setup = self._setup
        numbers = self._numbers
        sets = [hexes.to_bytes(SET_BYTES, "little") for hexes in (*self._sets, *self._shape_sets)]
        tiles = pack("<4Q", setup.location_tiles, setup.nomad_tiles, setup.standing, setup.lifting_tiles)
        return b"".join([pack(f"<{len(numbers) + 1}i", len(numbers), *numbers), tiles, *sets])

    def _general(self, fields: Iterable[int]) -> None:
        setup = self._setup
        self._numbers += (setup.players, self._options(), setup.board.height, *fields)
        self._sets += (setup.board.hexes, setup.room)
        self._sets += [setup.terrain[card] for card in CARDS]

    def _options(self) -> int:
        options = self._setup.options
        return (
            1 * self._setup.redraw_always
            | 2 * self._setup.empty_supply_ends
            | 4 * (EQUAL_CARDS_FREE in options)
            | 8 * (MEEPLES_ONLY_BY_OWN_ACTION in options)
            | 16 * (OUTPOST_FOR_MOVES in options)
            | 32 * (CHOICE_LASTS in options)
        )

    def _piece_kinds(self) -> None:
        kinds = self._setup.piece_kinds
        self._numbers.append(len(kinds))
        for kind in kinds:
            self._numbers += (self._places[kind.key], kind.each, kind.blocks, kind.removable)
            self._sets.append(self._setup.footing[kind])

    def _tiles(self) -> None:
        setup = self._setup
        self._numbers.append(len(setup.tile_kind))
        for kind, h, left in zip(setup.tile_kind, setup.tile_hex, setup.tiles_left, strict=True):
            self._numbers += (kind, -1 if h is None else h, left)

    def _components(self) -> None:
        setup = self._setup
        if len(setup.finales) > 1:
            raise NoShape("two things are played after the last turn.")
        for actions in (setup.actions, setup.finales):
            self._numbers.append(len(actions))
            for action in actions:
                shape = action.shape(setup) if is_faithful(action, "shape", DEEDS) else None
                self._shape(action, shape, ACTION_SHAPES, traits_of(action), action.piece)
        self._numbers.append(len(setup.scoring))
        for card in setup.scoring:
            self._shape(card, card.shape(setup) if is_faithful(card, "shape", SCORE) else None, SCORE_SHAPES)
        hooking = [each for each in setup.components if each.hooks and not isinstance(each, ExtraAction)]
        self._numbers.append(len(hooking))
        for each in hooking:  # those of extra actions are a part of their shapes
            self._shape(each, each.hook_shape(setup) if is_faithful(each, "hook_shape", HOOKS) else None, HOOK_SHAPES)

    def _shape(
        self,
        component: Component,
        shape: Shape | None,
        known: Mapping[str, int],
        traits: int = 0,
        piece: type[PieceKind] | None = None,
    ) -> None:
        if shape is None:
            raise NoShape(f"{component.key} does what the native core has no shape for.")
        kind, sets, numbers, keys = shape
        if kind not in known:
            raise NoShape(f"the native core has no shape {kind}.")
        place = -1 if piece is None else self._setup.piece_kinds.index(piece)
        self._numbers += (known[kind], traits, place, len(sets), len(numbers), len(keys), *numbers)
        if keys:
            self._numbers += [self._places[key] for key in keys]
        self._shape_sets += sets
