"""The same planes in other forms: skewed into axial coordinates, or as a graph."""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from kingdom_builder.hexes import ALL, COLS, NEAR, ROWS, bits

AXIAL_COLS = COLS + (ROWS - 1) // 2
"""The width of planes in axial coordinates."""

AXIAL_KERNEL: NDArray[np.int8] = np.array([[0, 1, 1], [1, 1, 1], [1, 1, 0]], np.int8)
"""The part of a 3 x 3 kernel that is a hex and its neighbours, in axial coordinates."""

T = TypeVar("T", bound=np.generic)

_ROWS, _COLS = np.divmod(np.arange(ROWS * COLS), COLS)
_AXIAL = _COLS - _ROWS // 2 + (ROWS - 1) // 2


def to_axial(planes: NDArray[T]) -> NDArray[T]:
    """Planes (..., 20, 20) in axial coordinates (..., 20, 29), where an ordinary kernel has hexes for neighbours."""
    axial = np.zeros((*planes.shape[:-1], AXIAL_COLS), planes.dtype)
    axial[..., _ROWS, _AXIAL] = planes.reshape(*planes.shape[:-2], -1)
    return axial


_HEX_NUMBER = {h: number for number, h in enumerate(ALL)}

EDGES: NDArray[np.int64] = np.array(
    [(_HEX_NUMBER[h], _HEX_NUMBER[neighbour]) for h in ALL for neighbour in bits(NEAR[h])], np.int64
).T
"""The edges of the graph, both ways: from (row 0) and to (row 1)."""


def to_graph(planes: NDArray[T]) -> NDArray[T]:
    """The features of the 400 hexes, (..., 400, planes); the edges are always `EDGES`."""
    return np.moveaxis(planes.reshape(*planes.shape[:-2], -1), -2, -1)
