"""Lets a language model play by text: one loop, whatever the model is.

    python examples/learn/llm_agent.py --games 3              # with a stand-in that reads the text as a model would
    python examples/learn/llm_agent.py --command "ollama run llama3"

A model is a function from a text to a text. The loop gives it the rules once and the view before each choice, reads the
last line that begins with `MOVE:`, and tells it why a move was not legal. For a model that calls tools there is
`kb mcp`.
"""

import argparse
import re
import subprocess
from collections.abc import Callable
from random import Random

from kingdom_builder.learn.text import TextEnvironment

Model = Callable[[str], str]

INSTRUCTION = "Choose your next move. End with one line: MOVE: followed by one of the legal moves."
TRIES = 3
"""How often a model may answer with an illegal move before a legal one is chosen for it."""


def command_model(command: str) -> Model:
    """A model that is a program: it reads the text and writes its answer."""

    def ask(text: str) -> str:
        return subprocess.run(command, shell=True, input=text, capture_output=True, text=True, check=True).stdout

    return ask


def stand_in(seed: int) -> Model:
    """A model without a network: it finds the legal moves in the text, and takes one that brings most gold at once."""
    rng = Random(seed)

    def answer(text: str) -> str:
        moves = legal_moves(text)
        best = max(gold for _, gold in moves)
        move = rng.choice([move for move, gold in moves if gold == best])
        return f"I look at what each move brings at once; {move} brings {best} gold.\nMOVE: {move}"

    return answer


def legal_moves(text: str) -> list[tuple[str, int]]:
    """The legal moves in a view, each with the gold that it brings at once; the end of a turn comes last."""
    found: list[tuple[str, int]] = []
    listed = text[text.rindex("Legal moves") :].splitlines()[1:]
    for line in listed:
        if match := re.fullmatch(r"- (?:build on|choose for) .*?(?:, ([+-]\d+) gold)?: ([a-t0-9 ]+)", line):
            found += [(move, int(match[1] or 0)) for move in match[2].split()]
        elif match := re.match(r"- (\S+) ", line):
            found.append((match[1], -1 if match[1] == "." else 0))
    return found


def play(environment: TextEnvironment, model: Model, seed: int, *, tell: bool = False) -> tuple[float, int]:
    """One game of a model; returns its reward and how many of its answers were of no use."""
    view = environment.reset(seed)
    useless = tries = 0
    while True:
        answer = model(f"{view}\n\n{INSTRUCTION}")
        moves = re.findall(r"^MOVE:\s*(.+?)\s*$", answer, re.MULTILINE)
        move = moves[-1] if moves else ""
        if tries >= TRIES:
            move = legal_moves(view)[0][0]
        view, reward, is_over = environment.step(move)
        if tell:
            print(f"{move}: {view.splitlines()[0]}")
        if is_over:
            return reward, useless
        is_useless = view.startswith(("Not played", "No move"))
        useless += is_useless
        tries = tries + 1 if is_useless else 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", help="a program that reads the text and writes an answer; default: a stand-in")
    parser.add_argument("--opponent", default="random", help="the name of a player (default random)")
    parser.add_argument("--games", type=int, default=1)
    parser.add_argument("--tell", action="store_true", help="show every move")
    arguments = parser.parse_args()
    environment = TextEnvironment([arguments.opponent])
    model = command_model(arguments.command) if arguments.command else stand_in(7)
    for game in range(arguments.games):
        reward, useless = play(environment, model, game, tell=arguments.tell)
        print(f"game {game}: reward {reward:g}, {useless} answers of no use")


if __name__ == "__main__":
    main()
