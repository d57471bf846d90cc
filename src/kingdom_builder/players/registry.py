"""All players by name."""

import re
from random import Random

from kingdom_builder.players.budget import Budget
from kingdom_builder.players.expert import ExpertPlayer
from kingdom_builder.players.external import ExternalPlayer
from kingdom_builder.players.greedy import GreedyPlayer
from kingdom_builder.players.hard import HardPlayer
from kingdom_builder.players.player import Player
from kingdom_builder.players.random import RandomPlayer

LEVELS: dict[str, str] = {
    "random": "Plays any legal move.",
    "greedy": "Takes what looks best at once; answers in an instant.",
    "hard": "Thinks its whole turn through; a tenth of a second.",
    "expert": "Thinks of the answers and of its next turn too; one second.",
}
"""The players to choose from, each with a sentence for people."""

SEARCHING: dict[str, tuple[type[HardPlayer], str]] = {"hard": (HardPlayer, "100ms"), "expert": (ExpertPlayer, "1s")}
"""The players that search, each with the budget for a turn that it has by default."""

EXTERNAL, EXTERNAL_BUDGET = "run:", "1s"
"""What the name of a program begins with, and the time it has for a turn if its name gives none."""


def make_player(name: str, seed: object = None) -> Player:
    """The player of this name: a level, for those that search with a budget for each turn, as in `hard:100ms`.

    `run:COMMAND` and `run:100ms:COMMAND` are programs of one's own (`docs/bots.md`). The names that people send over
    the network must be checked before: they are levels only.

    With a seed the same player makes the same choices; a budget of time can still make a difference, one of positions
    such as `hard:500n` cannot.
    """
    if name.startswith(EXTERNAL):
        budget, command = _external(name)
        return ExternalPlayer(command, Budget.of(budget).seconds or 0.0, seed)
    level, colon, budget = name.partition(":")
    if level not in LEVELS:
        raise ValueError(f"{name!r} is no player: expected one of {', '.join(LEVELS)} or run:COMMAND")
    rng = Random(None if seed is None else str(seed))
    if level in SEARCHING:
        kind, default = SEARCHING[level]
        return kind(rng, Budget.of(budget if colon else default))
    if colon:
        raise ValueError(f"{name!r} is no player: {level} takes no budget")
    return RandomPlayer(rng) if level == "random" else GreedyPlayer(rng)


def seconds_of(name: str) -> float | None:
    """The time that the player of this name has for a turn; None if its name gives none, or a number of positions."""
    if name.startswith(EXTERNAL):
        budget, _ = _external(name)
    else:
        level, _, budget = name.partition(":")
        if level in SEARCHING and not budget:
            _, budget = SEARCHING[level]
    return Budget.of(budget).seconds if budget else None


def _external(name: str) -> tuple[str, str]:
    """The time for a turn and the command in the name of a program."""
    match = re.fullmatch(r"run:(?:(\d+(?:\.\d+)?m?s):)?(.*)", name, re.DOTALL)
    assert match
    return match[1] or EXTERNAL_BUDGET, match[2]
