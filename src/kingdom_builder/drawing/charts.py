"""Bar charts with intervals, as SVG."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from xml.sax.saxutils import escape

from kingdom_builder.drawing.palette import GRID, INK, PAPER

BAR, STEP, TOP, BOTTOM = 16, 24, 64, 28
LABELS, PLOT, VALUES = 190, 420, 130
MARGIN = 16
FONT = "font-family='Georgia, serif' font-size='13'"
TICKS = 5


@dataclass(frozen=True)
class Bar:
    """A bar with its interval and its text."""

    label: str
    value: float
    interval: tuple[float, float]
    text: str


def bar_chart(title: str, bars: Sequence[Bar], colour: str) -> str:
    """Horizontal bars with 95 % intervals, the longest at the top."""
    bars = sorted(bars, key=lambda bar: -bar.value)
    step = tick_step(max([bar.interval[1] for bar in bars], default=1.0))
    most = step * max(1, ceil(max([bar.interval[1] for bar in bars], default=1.0) / step - 1e-9))
    left = MARGIN + LABELS
    width, bottom = left + PLOT + VALUES + MARGIN, TOP + STEP * len(bars)

    def x(value: float) -> str:
        return f"{left + PLOT * value / most:g}"

    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {bottom + BOTTOM}' {FONT} fill='{INK}'>",
        f"<title>{escape(title)}</title><rect width='100%' height='100%' fill='{PAPER}'/>",
        f"<text x='{MARGIN}' y='26' font-size='17'>{escape(title)}</text>",
        f"<text x='{MARGIN}' y='44' font-size='11'>lines: 95 % intervals; in brackets: games</text>",
    ]
    for tick in range(round(most / step) + 1):
        at = x(tick * step)
        parts.append(f"<path d='M{at} {TOP - 6}V{bottom}' stroke='{GRID}'/>")
        parts.append(f"<text x='{at}' y='{bottom + 16}' text-anchor='middle' font-size='11'>{tick * step:g}</text>")
    for number, bar in enumerate(bars):
        top = TOP + STEP * number
        middle = top + BAR / 2
        low, high = (x(min(max(bound, 0.0), most)) for bound in bar.interval)
        length = f"{PLOT * max(bar.value, 0.0) / most:g}"
        parts.append(f"<text x='{left - 8}' y='{middle + 4:g}' text-anchor='end'>{escape(bar.label[-28:])}</text>")
        parts.append(f"<rect x='{left}' y='{top}' width='{length}' height='{BAR}' fill='{colour}' stroke='{INK}'/>")
        whisker = f"M{low} {middle:g}H{high}M{low} {middle - 4:g}v8M{high} {middle - 4:g}v8"
        parts.append(f"<path d='{whisker}' fill='none' stroke='{INK}' stroke-width='1.5'/>")
        parts.append(f"<text x='{left + PLOT + 10}' y='{middle + 4:g}'>{escape(bar.text)}</text>")
    return "\n".join([*parts, "</svg>", ""])


def tick_step(most: float) -> float:
    """The distance between grid lines, for about five of them: 1, 2 or 5 times a power of ten.

    >>> [tick_step(most) for most in (0.9, 4, 61, 100)]
    [0.2, 1.0, 20.0, 20.0]
    """
    if most <= 0:
        return 1.0
    power = 10.0 ** floor(log10(most / TICKS))
    return next(step for step in (power, 2 * power, 5 * power, 10 * power) if most / step <= TICKS + 1e-9)
