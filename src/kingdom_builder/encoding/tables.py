"""The encoding as tables for the native core, which writes arrays as an `Encoder` does and knows no number by itself.

`native/core/encode.c` reads them in the same order.
"""

from collections.abc import Sequence
from functools import cache
from struct import pack

from kingdom_builder.board.terrain import DIGITS
from kingdom_builder.encoding import spaces
from kingdom_builder.encoding.encoder import check_setup, map_sets
from kingdom_builder.encoding.spaces import (
    ACTIONS,
    BYTES,
    EXTRA_ACTIONS,
    GOALS,
    HEX_FIELDS,
    MAP_PLANES,
    NUMBER_FIELDS,
    OPTIONS,
    PARTS,
    PLANE,
    PLANES,
    SCORING,
    SEAT_FIELDS,
    VECTOR,
    VECTOR_SIZE,
)
from kingdom_builder.native import _core
from kingdom_builder.native.setups import SET_BYTES, NativeSetup, fields_of
from kingdom_builder.rules.components import BY_SEAT, HEXES, NUMBER

_EXTRA = {key: number for number, key in enumerate(EXTRA_ACTIONS)}
_SCORED = {key: number for number, key in enumerate(SCORING)}
_GOALS = {key: 1 << number for number, key in enumerate(GOALS)}
_LOCATION = {digit: number for number, digit in enumerate(DIGITS, 1)}
_HEX_PLANE = {field: PLANE[field] for field in HEX_FIELDS}
_NUMBER = {field: number for number, field in enumerate(NUMBER_FIELDS)}
_SEAT_NUMBER = {field: number for number, field in enumerate(SEAT_FIELDS)}

_PLAYERS = VECTOR["players"].start - 2
_OPTION = {option: number for number, option in enumerate(OPTIONS, VECTOR["options"].start)}


@cache
def layout() -> bytes:
    """Where things are written, the same for all setups."""
    planes = {name.replace(" ", "_"): number for name, number in PLANE.items()}
    parts = {part.name.replace(" ", "_"): (VECTOR[part.name].start, part.size, int(part.scale)) for part in PARTS}
    sizes = (len(PLANES), len(MAP_PLANES) - 2, VECTOR_SIZE, ACTIONS, len(GOALS), len(EXTRA_ACTIONS), BYTES)
    return _ints(
        *sizes,
        *[planes[name] for name in _core.ENCODED_PLANES],
        *[number for name in _core.ENCODED_PARTS for number in parts[name]],
        *[getattr(spaces, name) for name in _core.ENCODED_CHOICES],
    )


def tables_of(native: NativeSetup) -> bytes:
    """What a setup adds. Raises ValueError if something in it is not in the encoding."""
    setup = native.setup
    board, options = setup.board, setup.options
    ones = [_PLAYERS + setup.players]
    if options:
        ones += [_OPTION[option] for option in options if option in _OPTION]
    goals = sum([_GOALS.get(card.key, 0) for card in (*setup.cards, *setup.tasks)])
    try:
        numbers = [
            *[_EXTRA[action.key] for action in (*setup.actions, *setup.finales)],
            *[0 if h is None else _LOCATION.get(board.letter(h), 0) for h in setup.tile_hex],
            *_fields(tuple(setup.fields.items())),
            *[_SCORED[card.key] for card in setup.scoring],
        ]
    except KeyError:
        check_setup(setup)  # which says what is unknown
        raise
    written = b"".join([hexes.to_bytes(SET_BYTES, "little") for hexes in map_sets(setup)])
    return written + pack(f"<Q{len(ones) + len(numbers) + 1}i", goals, len(ones), *ones, *numbers)


@cache
def _fields(fields: tuple[tuple[str, str], ...]) -> Sequence[int]:
    """Where the fields of setups are written, or -1."""
    by_kind, _ = fields_of(fields)
    numbered = ((HEXES, _HEX_PLANE), (NUMBER, _NUMBER), (BY_SEAT, _SEAT_NUMBER))
    return [number_of.get(field, -1) for kind, number_of in numbered for field in by_kind[kind]]


def _ints(*numbers: int) -> bytes:
    return pack(f"<{len(numbers)}i", *numbers)
