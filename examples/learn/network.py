"""A network for the full board: hex convolutions, and what rows, sections and the whole board have in common.

It first works out some planes that players look at: what is beside the pieces, and what the next card can reach.
"""

from collections.abc import Callable

import torch
from torch import Tensor, nn

from kingdom_builder.encoding import GOALS, PLANES, VECTOR_SIZE
from kingdom_builder.encoding.spaces import ACTIONS, EXTRA_ACTIONS, HEXES, PLANE
from kingdom_builder.hexes import ALL, COLS, DIRECTIONS, ROWS

SECTION = 10
"""A board has two rows of two sections of ten rows and columns."""

AMOUNTS = [number for number, plane in enumerate(PLANES) if plane not in ("location", "kind")]
"""The planes that say how many there are of something. The kind of a location is a name, which gets an embedding; its
number on the board says nothing."""
LAND = slice(PLANE["terrain C"], PLANE["terrain T"] + 1)
"""The terrains that have cards."""
PIECES = slice(PLANE["pieces of seat 0"], PLANE["pieces of seat 4"] + 1)
WORKED_OUT = 5 + 2 * (LAND.stop - LAND.start)
"""The planes that the network works out before it learns anything."""

STEPS = (0, *DIRECTIONS)
CLOSE = sorted({one + two for one in STEPS for two in STEPS})
"""The hexes up to two steps away, by the differences of their bits."""


def by_rows(x: Tensor, corners: Callable[[Tensor], Tensor]) -> Tensor:
    """For each hex, a function of its two neighbours above and its two below.

    Odd rows stand half a hex to the right, so in the rows of the other kind these four are a square of two by two.
    """
    even, odd = x[:, :, 0::2], x[:, :, 1::2]
    found = corners(torch.cat([nn.functional.pad(odd, (1, 0, 1, 0)), nn.functional.pad(even, (0, 1, 0, 1))]))
    return torch.stack(found.chunk(2), 3).flatten(2, 3)


def squares(x: Tensor) -> Tensor:
    """The sum of each square of two by two."""
    return x[:, :, :-1, :-1] + x[:, :, :-1, 1:] + x[:, :, 1:, :-1] + x[:, :, 1:, 1:]


def around(x: Tensor) -> Tensor:
    """For each hex, how many there are on it and beside it."""
    beside = nn.functional.pad(x, (1, 0))[..., :-1] + nn.functional.pad(x, (0, 1))[..., 1:]
    return x + beside + by_rows(x, squares)


def worked_out(planes: Tensor) -> Tensor:
    """Planes that say what is beside the pieces of both sides, beside tiles to take and beside new castles, and for
    each terrain card where the seat can build with it at once, and with three settlements in a row."""
    own = planes[:, [PLANE["pieces of seat 0"]]]
    others = planes[:, PIECES].sum(1, keepdim=True) - own
    tiles = planes[:, [PLANE["tiles left"]]] * (1 - planes[:, [PLANE["tiles taken by seat 0"]]])
    castles = planes[:, [PLANE["terrain K"]]] * (around(own) == 0)
    beside = (around(torch.cat([own, others, tiles, castles], 1)) > 0).float()
    free = planes[:, LAND] * (1 - own - others).clamp(min=0)
    first = free * beside[:, :1]
    first = torch.where(first.amax((2, 3), keepdim=True) > 0, first, free)
    second = free * (around(first) > 0)
    third = free * (around(second) > 0)
    return torch.cat([around(own) / 6, beside, first, third], 1)


class HexConv(nn.Module):
    """A convolution over a hex and its neighbours."""

    def __init__(self, channels_in: int, channels_out: int) -> None:
        super().__init__()
        self.row = nn.Conv2d(channels_in, channels_out, (1, 3), padding=(0, 1))
        self.corners = nn.Conv2d(channels_in, channels_out, 2, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        row: Tensor = self.row(x)
        return row + by_rows(x, self.corners)


def shared() -> Tensor:
    """For each row, each section and the whole board, its hexes; with weights, so that none is much louder."""
    rows = torch.arange(HEXES) // COLS
    sections = rows // SECTION * 2 + torch.arange(HEXES) % COLS // SECTION
    sets = [nn.functional.one_hot(each).float() for each in (rows, sections, torch.zeros(HEXES).long())]
    return torch.cat([each / each.sum(0) ** 0.75 for each in sets], 1)


class Block(nn.Module):
    """Lets each hex look at its neighbours, its row, its section and the whole board: cards pay for all of these."""

    def __init__(self, channels: int, hidden: int) -> None:
        super().__init__()
        self.near = HexConv(channels, channels)
        self.row = nn.Linear(channels, channels)
        self.section = nn.Linear(channels, channels)
        self.whole = nn.Sequential(nn.Linear(channels + hidden, hidden), nn.ReLU(), nn.Linear(hidden, 2 * channels))
        self.register_buffer("shared", shared(), persistent=False)

    def forward(self, x: Tensor, beside: Tensor) -> Tensor:
        sets = self.get_buffer("shared").to(x.dtype)
        pooled = (x.flatten(2) @ sets).transpose(1, 2)
        scale, shift = self.whole(torch.cat([pooled[:, -1], beside], 1)).chunk(2, 1)
        common = torch.cat([self.row(pooled[:, :ROWS]), self.section(pooled[:, ROWS:-1]), shift[:, None]], 1)
        common = (common.transpose(1, 2) @ (sets > 0).to(x.dtype).T).view_as(x)
        return torch.relu(x + self.near(x) * (1 + scale)[:, :, None, None] + common)


class Network(nn.Module):
    """Logits of the 450 actions, and the value of the position for the seat that looks."""

    def __init__(self, channels: int = 32, layers: int = 2, hidden: int = 128) -> None:
        super().__init__()
        self.beside = nn.Sequential(nn.Linear(VECTOR_SIZE + len(GOALS), hidden), nn.ReLU(), nn.Linear(hidden, hidden))
        self.kinds = nn.Embedding(len(EXTRA_ACTIONS) + 1, channels, padding_idx=0)
        self.stem = nn.Conv2d(len(AMOUNTS) + WORKED_OUT, channels, 1)
        self.first = nn.Linear(hidden, channels)
        self.layers = nn.ModuleList(Block(channels, hidden) for _ in range(layers))
        numbers = {h: number for number, h in enumerate(ALL)}
        close = [[numbers.get(h + step, HEXES) for step in CLOSE] for h in ALL]
        self.register_buffer("close", torch.tensor(close), persistent=False)
        self.look = nn.Linear(len(CLOSE) * channels, hidden)
        self.mood = nn.Linear(hidden, 2 * hidden)
        self.hexes = nn.Sequential(nn.ReLU(), nn.Linear(hidden, hidden // 2), nn.ReLU(), nn.Linear(hidden // 2, 1))
        self.all = nn.Sequential(nn.Linear(2 * channels + hidden, hidden), nn.ReLU())
        self.others = nn.Linear(hidden, ACTIONS - HEXES + 1)

    def forward(self, planes: Tensor, vector: Tensor, goal: Tensor) -> tuple[Tensor, Tensor]:
        planes = planes.float()
        beside = torch.relu(self.beside(torch.cat([vector.float(), goal.float()], 1)))
        kinds = self.kinds(planes[:, PLANE["kind"]].long()).permute(0, 3, 1, 2)
        with torch.no_grad():
            seen = torch.cat([planes[:, AMOUNTS], worked_out(planes)], 1)
        x = self.stem(seen)
        x = torch.relu(x + kinds.to(x.dtype) + self.first(beside)[:, :, None, None])
        for layer in self.layers:
            x = layer(x, beside)
        beside = self.all(torch.cat([x.mean((2, 3)), x.amax((2, 3)), beside], 1))
        others = self.others(beside).float()
        hexes = self.legal_hexes(x, planes[:, PLANE["legal"]].flatten(1), beside)
        return torch.cat([hexes, others[:, :-1]], 1), torch.tanh(others[:, -1])

    def legal_hexes(self, x: Tensor, legal: Tensor, beside: Tensor) -> Tensor:
        """The logits of hexes: only legal ones are looked at, with all that is up to two steps away."""
        games, hexes = legal.nonzero().unbind(1)
        flat = nn.functional.pad(x.flatten(2).transpose(1, 2), (0, 0, 0, 1)).flatten(0, 1)
        close = self.get_buffer("close")[hexes] + (HEXES + 1) * games[:, None]
        seen = flat.index_select(0, close.flatten()).view(-1, len(CLOSE) * x.shape[1])
        scale, shift = self.mood(beside)[games].chunk(2, 1)
        logits = self.hexes(self.look(seen) * (1 + scale) + shift)
        return torch.zeros_like(legal).index_put((games, hexes), logits[:, 0].to(legal.dtype))


def masked(logits: Tensor, mask: Tensor) -> Tensor:
    """The logits with illegal actions out of reach."""
    return logits.masked_fill(mask == 0, -1e9)
