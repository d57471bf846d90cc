"""Writes a network of PyTorch as a file that plays: `kb arena onnx:best.onnx greedy`.

python examples/learn/torch_to_onnx.py best.pt best.onnx
"""

import argparse
import warnings
from pathlib import Path

import onnx
import torch
from network import Network
from torch import Tensor, nn

from kingdom_builder.encoding import GOALS, PLANES, VECTOR_SIZE, VERSION
from kingdom_builder.hexes import COLS, ROWS


class Policy(nn.Module):
    """The network without its value."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network = network

    def forward(self, planes: Tensor, vector: Tensor, goal: Tensor) -> Tensor:
        policy: Tensor = self.network(planes, vector, goal)[0]
        return policy


def export(network: Network, file: Path) -> None:
    """Write a network, with the version of the encoding that it was made for."""
    example = (
        torch.zeros(1, len(PLANES), ROWS, COLS),
        torch.zeros(1, VECTOR_SIZE),
        torch.zeros(1, len(GOALS)),
    )
    names = ["planes", "vector", "goal"]
    with warnings.catch_warnings(action="ignore"):  # the newer way to export needs one more package
        torch.onnx.export(
            Policy(network).eval(),
            example,
            str(file),
            input_names=names,
            output_names=["policy"],
            dynamic_axes={name: {0: "games"} for name in (*names, "policy")},
            dynamo=False,
        )
    model = onnx.load(str(file))
    onnx.helper.set_model_props(model, {"kingdom_builder_encoding": str(VERSION)})
    onnx.save(model, str(file))


def save(network: Network, file: Path) -> None:
    """Keep a network with its size; whoever reads the file meanwhile finds the old one or the new one."""
    size = {"channels": network.stem.out_channels, "layers": len(network.layers)}
    unfinished = file.with_name(f"{file.name}.tmp")
    torch.save({"size": size, "encoding": VERSION, "weights": network.state_dict()}, unfinished)
    unfinished.replace(file)


def load(file: Path) -> Network:
    """A network that was saved."""
    kept = torch.load(file, weights_only=True)
    network = Network(**kept["size"])
    network.load_state_dict(kept["weights"])
    return network


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network", type=Path, help="what imitate.py or selfplay.py has stored")
    parser.add_argument("file", type=Path, help="the file to write, such as best.onnx")
    arguments = parser.parse_args()
    export(load(arguments.network), arguments.file)


if __name__ == "__main__":
    main()
