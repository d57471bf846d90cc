"""Other forms of the planes keep what is next to what."""

import numpy as np

from kingdom_builder.encoding.layouts import AXIAL_KERNEL, EDGES, to_axial, to_graph
from kingdom_builder.hexes import ALL, NEAR, bits


def test_a_kernel_without_two_corners_sees_the_neighbours_of_a_hex() -> None:
    for number, h in enumerate(ALL):
        plane = np.zeros((20, 20), np.uint8)
        plane.flat[[ALL.index(each) for each in [h, *bits(NEAR[h])]]] = 1
        axial = np.pad(to_axial(plane), 1)
        row, col = np.argwhere(to_axial((np.arange(400) == number).reshape(20, 20)))[0]
        window = axial[row : row + 3, col : col + 3]
        assert (window * AXIAL_KERNEL).sum() == axial.sum()


def test_axial_planes_keep_every_hex() -> None:
    planes = np.arange(1, 801).reshape(2, 20, 20)
    axial = to_axial(planes)
    assert axial.shape == (2, 20, 29)
    assert sorted(axial[axial > 0]) == list(range(1, 801))


def test_the_graph_has_the_planes_of_each_hex_and_its_neighbours() -> None:
    planes = np.arange(3 * 400).reshape(3, 20, 20)
    assert to_graph(planes).shape == (400, 3)
    assert list(to_graph(planes)[41]) == [41, 441, 841]
    assert sorted(EDGES[1][EDGES[0] == 0]) == [1, 20]
    assert EDGES.shape == (2, sum(len(bits(NEAR[h])) for h in ALL))
