"""Compares the CPU time of a bot's turns in the native core and in Python, on positions of the golden records.

    python tools/compare_cores.py greedy hard:2000n expert:2000n --positions 30 --rounds 3

The cores take turns, so that a noisy machine slows both. "thinking" is what the player takes to choose the actions of
a turn, "server" the whole turn of a bot of the server, from the position line to the moves. Bots with the same number
of positions must choose the same in both cores: a line says so if they do not.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from statistics import mean, median

from kingdom_builder.notation import parse_record, position_of
from kingdom_builder.rules import turn_of

GOLDEN = Path(__file__).parents[1] / "tests" / "golden"

TURNS = """
import json, sys
from random import Random
from time import process_time
from kingdom_builder.notation import parse_position
from kingdom_builder.players import make_player
from kingdom_builder.rules import observe, turn_of
from kingdom_builder.server.desk import bot_turn
name, *positions = sys.argv[1:]
thinking, server, moves = [], [], []
for position in [positions[0], *positions]:  # the first twice: it pays for what is made once
    state = parse_position(position)
    turn, player = turn_of(state), make_player(name, "7")
    spent = 0.0
    while not state.over and not state.awaiting and turn_of(state) == turn:
        seen = observe(state, state.player)
        began = process_time()
        action = player.choose(seen)
        spent += process_time() - began
        state.apply(action)
    thinking.append(spent)
    began = process_time()
    moves.append(bot_turn(name, position, "7").moves)
    server.append(process_time() - began)
print(json.dumps({"thinking": thinking[1:], "server": server[1:], "moves": moves}))
"""


def positions_of_games(count: int) -> list[str]:
    """Positions in which a turn begins, one of each game, from early to late."""
    found = []
    for number, path in enumerate(sorted(GOLDEN.glob("*.kbr"))[:count]):
        game = parse_record(path.read_text("utf-8")).game(draws=False)
        states = game.states()
        begins = [
            after
            for before, after in pairwise(states)
            if after.round and not after.over and not after.awaiting and turn_of(before) != turn_of(after)
        ]
        found.append(position_of(begins[number * len(begins) // count]))
    return found


def turns(name: str, native: bool, positions: Sequence[str]) -> dict[str, list[float]]:
    """CPU seconds of the turns, and the moves."""
    done = subprocess.run(
        [sys.executable, "-c", TURNS, name, *positions],
        env={**os.environ, "KB_NATIVE": "1" if native else "0"},
        stdout=subprocess.PIPE,
        check=True,
    )
    found: dict[str, list[float]] = json.loads(done.stdout)
    return found


def compare(name: str, rounds: int, positions: Sequence[str]) -> None:
    found = {(core, what): list[float]() for core in (False, True) for what in ("thinking", "server")}
    differing = 0
    for _ in range(rounds):
        python, native = turns(name, False, positions), turns(name, True, positions)
        differing += sum(a != b for a, b in zip(python["moves"], native["moves"], strict=True))
        for core, each in ((False, python), (True, native)):
            for what in ("thinking", "server"):
                found[core, what].append(1000 * mean(each[what]))
    for what in ("thinking", "server"):
        python_ms, native_ms = median(found[False, what]), median(found[True, what])
        print(f"{name:16} {what:10} {python_ms:10.2f} {native_ms:10.2f} {python_ms / native_ms:8.1f}", flush=True)
    if differing:
        print(f"{name:16} {differing} of {rounds * len(positions)} turns differ")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=["greedy", "hard:2000n", "expert:2000n"], metavar="NAME")
    parser.add_argument("--positions", type=int, default=30, metavar="N", help="default 30")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="default 3")
    arguments = parser.parse_args()
    positions = positions_of_games(arguments.positions)
    print(f"{'ms of CPU a turn':27} {'Python':>10} {'native':>10} {'ratio':>8}")
    for name in arguments.names:
        compare(name, arguments.rounds, positions)


if __name__ == "__main__":
    main()
