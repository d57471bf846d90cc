"""Compares how two versions of `kb serve` start, on SQLite in an empty folder: time, CPU time, memory.

    python tools/compare_start.py 56263ea . --rounds 11

A version is a checkout or a git revision. They take turns, so that a noisy machine slows both. A ratio above 1 means
that the second one takes more. To learn the noise, compare a version with itself.
"""

import argparse
import io
import os
import subprocess
import sys
import tarfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from kingdom_builder.server.benchmark import cpu_seconds, memory_of

ROOT = Path(__file__).parents[1]

REST = 1.0
"""Seconds after the start until the memory is read."""

FIGURES = ("start, s", "CPU until ready, s", "memory, MB")


def source_of(version: str, folder: Path) -> Path:
    """The `src` of a checkout, or of a git revision, which is unpacked into the folder."""
    checkout = Path(version) / "src"
    if checkout.is_dir():
        return checkout.resolve()
    packed = subprocess.run(["git", "-C", str(ROOT), "archive", version, "src"], stdout=subprocess.PIPE, check=True)
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
        archive.extractall(folder, filter="data")
    return folder / "src"


def started(source: Path) -> tuple[float, ...]:
    """The figures of one start."""
    with TemporaryDirectory() as data:
        command = [sys.executable, "-m", "kingdom_builder", "serve", "--port", "0", "--data", data]
        began = time.perf_counter()
        environment = {**os.environ, "PYTHONPATH": str(source)}
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as server:
            assert server.stdout is not None
            if not server.stdout.readline():
                raise SystemExit(f"{source}: the server did not start")
            took, cpu = time.perf_counter() - began, cpu_seconds(server.pid)
            time.sleep(REST)
            memory = memory_of(server.pid) or 0
            server.terminate()
        return took, cpu, memory / 1024


def compare(sources: Sequence[Path], rounds: int) -> None:
    found: tuple[list[tuple[float, ...]], ...] = ([], [])
    for source in sources:
        started(source)  # compiles it
    for number in range(rounds):
        for which in (0, 1) if number % 2 else (1, 0):
            found[which].append(started(sources[which]))
        print(f"round {number + 1} of {rounds}", file=sys.stderr)
    print(f"{'medians':20} {'first':>9} {'second':>9} {'ratio':>7} {'of least':>9}")
    for name, first, second in zip(FIGURES, zip(*found[0], strict=True), zip(*found[1], strict=True), strict=True):
        print(
            f"{name:20} {median(first):9.2f} {median(second):9.2f} {median(second) / median(first):7.3f}"
            f" {min(second) / min(first):9.3f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", help="a checkout or a git revision")
    parser.add_argument("second", help="another one")
    parser.add_argument("--rounds", type=int, default=11, metavar="N", help="default 11")
    arguments = parser.parse_args()
    with TemporaryDirectory() as folder:
        sources = [
            source_of(version, Path(folder) / str(number))
            for number, version in enumerate((arguments.first, arguments.second))
        ]
        compare(sources, arguments.rounds)


if __name__ == "__main__":
    main()
