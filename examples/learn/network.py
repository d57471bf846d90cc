"""A small network for the full board: hex convolutions over the planes, the vector and the goal mixed in.

The planes are skewed into axial coordinates inside of the network, so that an exported file takes them as they are.
"""

import torch
from torch import Tensor, nn

from kingdom_builder.encoding import GOALS, PLANES, VECTOR_SIZE
from kingdom_builder.encoding.layouts import AXIAL_COLS, AXIAL_KERNEL, to_axial
from kingdom_builder.encoding.spaces import ACTIONS, HEXES
from kingdom_builder.hexes import ROWS


class HexConv(nn.Module):
    """A convolution over a hex and its neighbours."""

    def __init__(self, channels_in: int, channels_out: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(channels_in, channels_out, 3, padding=1)
        self.register_buffer("kernel", torch.tensor(AXIAL_KERNEL, dtype=torch.float32))

    def forward(self, x: Tensor) -> Tensor:
        kernel = self.get_buffer("kernel")
        return nn.functional.conv2d(x, self.conv.weight * kernel, self.conv.bias, padding=1)


class Network(nn.Module):
    """Logits of the 450 actions, and the value of the position for the seat that looks."""

    def __init__(self, channels: int = 32, layers: int = 3, hidden: int = 128) -> None:
        super().__init__()
        numbers = torch.arange(1, HEXES + 1).reshape(1, ROWS, ROWS)
        axial = torch.tensor(to_axial(numbers.numpy())).reshape(-1)
        self.register_buffer("to_axial", torch.where(axial > 0, axial - 1, HEXES))
        self.register_buffer("from_axial", torch.argsort(torch.where(axial > 0, axial, HEXES + 1), stable=True)[:HEXES])
        self.beside = nn.Sequential(nn.Linear(VECTOR_SIZE + len(GOALS), hidden), nn.ReLU(), nn.Linear(hidden, channels))
        self.stem = nn.Conv2d(len(PLANES), channels, 1)
        self.layers = nn.ModuleList(HexConv(channels, channels) for _ in range(layers))
        self.hexes = nn.Conv2d(channels, 1, 1)
        self.others = nn.Sequential(nn.Linear(2 * channels, hidden), nn.ReLU(), nn.Linear(hidden, ACTIONS - HEXES + 1))

    def forward(self, planes: Tensor, vector: Tensor, goal: Tensor) -> tuple[Tensor, Tensor]:
        flat = nn.functional.pad(planes.float().flatten(2), (0, 1))
        x = flat[:, :, self.get_buffer("to_axial")].unflatten(2, (ROWS, AXIAL_COLS))
        beside = self.beside(torch.cat([vector.float(), goal.float()], 1))
        x = torch.relu(self.stem(x) + beside[:, :, None, None])
        for layer in self.layers:
            x = torch.relu(x + layer(x))
        hexes = self.hexes(x).flatten(1)[:, self.get_buffer("from_axial")]
        others = self.others(torch.cat([x.mean((2, 3)), beside], 1))
        return torch.cat([hexes, others[:, :-1]], 1), torch.tanh(others[:, -1])


def masked(logits: Tensor, mask: Tensor) -> Tensor:
    """The logits with illegal actions out of reach."""
    return logits.masked_fill(mask == 0, -1e9)
