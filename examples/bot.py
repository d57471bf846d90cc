"""A bot of one's own: it plays any legal move, but ends its turn only when nothing else is left to do.

    kb arena "run:python examples/bot.py" random --games 20

docs/bots.md specifies the lines that are read and written here. No library is needed.
"""

import random
import sys


def choose(position: str, moves: list[str], rng: random.Random) -> str:
    """The move to play: replace this by something clever."""
    return rng.choice([move for move in moves if move != "."] or moves)


rng = random.Random()
position = ""
moves: list[str] = []
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word in ("kb", "newgame"):
        print("ready sample newgame", flush=True)
    elif word == "game":
        rng.seed(rest)
    elif word == "position":
        position = rest
    elif word == "legal":
        moves = rest.split()
    elif word == "go":
        print("move", choose(position, moves, rng), flush=True)
    elif word == "quit":
        break
