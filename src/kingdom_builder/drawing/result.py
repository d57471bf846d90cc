"""The picture of a game to keep or to share: the board, and above it who has how much gold."""

from collections.abc import Iterator, Sequence
from html import escape
from unicodedata import east_asian_width

from kingdom_builder.drawing.figures import definitions
from kingdom_builder.drawing.palette import GOLD, GOLD_SHADE, INK, PAPER
from kingdom_builder.drawing.svg import PLAIN_MARGIN, Picture, picture, size_of
from kingdom_builder.rules import State, scores
from kingdom_builder.rules.pieces import Settlement

COLUMNS = 2
LINE, HEAD, FOOT = 52, 64, 12
"""Heights above the board: of a line of players, of the title, and of the gap below."""
LARGEST, TITLE = 26, 34
"""Font sizes."""
FONT = "Georgia, 'Times New Roman', serif"


def result_picture(state: State, names: Sequence[str], colours: Sequence[int]) -> Picture:
    """The board with the names and the gold of the seats, the most gold first."""
    width, height = size_of(state.setup.board, PLAIN_MARGIN)
    lines = -(-len(names) // COLUMNS)
    top = HEAD + LINE * lines + FOOT
    ranking = "; ".join(f"{names[seat]}: {gold} gold" for _, seat, gold in ranked(scores(state)))
    return Picture(
        "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width}" height="{height + top}"'
                f' viewBox="0 0 {width} {height + top}">',
                f"<title>Kingdom Builder; {escape(ranking)}</title>",
                f'<rect width="{width}" height="{height + top}" fill="{PAPER}"/>',
                f'<text x="{width / 2:g}" y="44" font-family="{FONT}" font-size="{TITLE}" font-weight="bold"'
                f' text-anchor="middle" fill="{INK}">Kingdom Builder</text>',
                *_ranking(scores(state), names, colours, width),
                f'<g transform="translate(0 {top})">',
                picture(state, coordinates=False, colours=colours),
                "</g>",
                "</svg>",
                "",
            ]
        )
    )


def ranked(gold: Sequence[int]) -> list[tuple[int, int, int]]:
    """Place, seat and gold of the seats, the most gold first; equal gold is the same place.

    >>> ranked([31, 44, 31])
    [(1, 1, 44), (2, 0, 31), (2, 2, 31)]
    """
    seats = sorted(range(len(gold)), key=lambda seat: (-gold[seat], seat))
    return [(1 + sum(other > gold[seat] for other in gold), seat, gold[seat]) for seat in seats]


def _ranking(gold: Sequence[int], names: Sequence[str], colours: Sequence[int], width: int) -> Iterator[str]:
    column = width // COLUMNS
    for number, (place, seat, amount) in enumerate(ranked(gold)):
        x, y = 20 + column * (number % COLUMNS), HEAD + LINE * (number // COLUMNS)
        room = column - 230
        middle = y + LINE // 2
        yield (
            f'<g font-family="{FONT}" fill="{INK}"><text x="{x}" y="{middle + 8}" font-size="{LARGEST}">{place}.</text>'
        )
        (house,) = definitions(Settlement.key, colours[seat] + 1)
        drawn = house.replace(f' id="kb-{Settlement.key}-{colours[seat] + 1}"', "")  # the board has it too
        yield f'<g transform="translate({x + 56} {middle})">{drawn}</g>'
        yield (
            f'<text x="{x + 86}" y="{middle + 8}" font-size="{_font_size(names[seat], room):g}"'
            f' font-weight="{"bold" if place == 1 else "normal"}">{escape(names[seat])}</text>'
            f'<circle cx="{x + column - 124}" cy="{middle}" r="13" fill="{GOLD}"'
            f' stroke="{GOLD_SHADE}" stroke-width="2.5"/>'
            f'<text x="{x + column - 50}" y="{middle + 9}" font-size="{LARGEST}" font-weight="bold" text-anchor="end">'
            f"{amount}</text></g>"
        )


def _font_size(text: str, room: float) -> float:
    """The largest size in which a text surely fits."""
    ems = sum(1.0 if east_asian_width(letter) in "WF" else 0.62 for letter in text)
    return min(LARGEST, round(room / max(ems, 1), 1))
