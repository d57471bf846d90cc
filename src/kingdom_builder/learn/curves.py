"""A curve of learning as a picture, without a plotting library."""

from collections.abc import Sequence
from xml.sax.saxutils import escape

from kingdom_builder.drawing.charts import FONT, tick_step
from kingdom_builder.drawing.palette import GRID, INK, PAPER, SEATS
from kingdom_builder.drawing.svg import Picture

WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 560, 260, 48, 34, 40


def curve(title: str, x_label: str, points: Sequence[tuple[float, float]], most: float = 1.0) -> Picture:
    """A line through points from left to right, with values from 0 to `most`."""
    right = max([x for x, _ in points], default=1.0) or 1.0

    def at(x: float, y: float) -> tuple[float, float]:
        across, up = WIDTH - LEFT - 16, HEIGHT - TOP - BOTTOM
        return round(LEFT + across * x / right, 1), round(TOP + up * (1 - y / most), 1)

    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {HEIGHT}' {FONT} fill='{INK}'>",
        f"<rect width='{WIDTH}' height='{HEIGHT}' fill='{PAPER}'/>",
        f"<text x='{WIDTH / 2}' y='20' text-anchor='middle' font-size='14'>{escape(title)}</text>",
    ]
    step = tick_step(most)
    for number in range(round(most / step) + 1):
        (x, y), (end, _) = at(0, number * step), at(right, 0)
        parts.append(f"<line x1='{x}' y1='{y}' x2='{end}' y2='{y}' stroke='{GRID}'/>")
        parts.append(f"<text x='{x - 6}' y='{y + 4}' text-anchor='end' font-size='11'>{number * step:g}</text>")
    step = tick_step(right)
    for number in range(int(right / step) + 1):
        x, y = at(number * step, 0)
        parts.append(f"<text x='{x}' y='{y + 16}' text-anchor='middle' font-size='11'>{number * step:g}</text>")
    parts.append(f"<text x='{WIDTH / 2}' y='{HEIGHT - 8}' text-anchor='middle' font-size='11'>{escape(x_label)}</text>")
    line = " ".join(f"{x},{y}" for x, y in (at(*point) for point in points))
    parts.append(f"<polyline points='{line}' fill='none' stroke='{SEATS[0].roof}' stroke-width='2'/>")
    return Picture("\n".join([*parts, "</svg>", ""]))
