"""A curve goes through its points, from left to right and from bottom to top."""

import re
import xml.etree.ElementTree as ET

from kingdom_builder.learn.curves import curve


def test_a_curve_goes_through_its_points() -> None:
    picture = curve("a < b", "x & y", [(0, 0.2), (50, 0.4), (100, 1.0)])
    ET.fromstring(picture)
    line = re.search(r"<polyline points='([^']*)'", picture)
    assert line
    points = [tuple(map(float, point.split(","))) for point in line[1].split()]
    xs, ys = zip(*points, strict=True)
    assert xs[1] - xs[0] == xs[2] - xs[1] > 0
    assert round((ys[0] - ys[1]) / (ys[1] - ys[2]), 2) == round(0.2 / 0.6, 2)
    assert "a &lt; b" in picture
    assert "x &amp; y" in picture


def test_a_curve_without_points_is_an_empty_grid() -> None:
    ET.fromstring(curve("nothing", "x", []))
