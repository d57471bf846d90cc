"""All players by name: levels, which are listed in one table, programs and Python classes."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from kingdom_builder.players import imported
from kingdom_builder.players.budget import Budget
from kingdom_builder.players.characters import CHARACTERS
from kingdom_builder.players.easy import EasyPlayer
from kingdom_builder.players.expert import ExpertPlayer
from kingdom_builder.players.external import ExternalPlayer
from kingdom_builder.players.greedy import GreedyPlayer
from kingdom_builder.players.hard import HardPlayer
from kingdom_builder.players.player import Player, construct
from kingdom_builder.players.random import RandomPlayer


@dataclass(frozen=True)
class Level:
    """A bot that anybody can choose: a level of strength, or a character with a name and a favourite card."""

    key: str
    kind: Callable[..., Player]
    """The class, or a function that makes a player; `construct` calls it."""
    text: str
    """A sentence that describes it to people."""
    budget: str | None = None
    """The budget for a turn if the name gives none; None if the bot takes no budget."""
    name: str = ""
    """The name of a character; empty for a level of strength."""
    likes: str = ""
    """The key of the card that a character likes most; empty for a level of strength."""

    def __str__(self) -> str:
        """The full name, with the budget."""
        return f"{self.key}:{self.budget}" if self.budget else self.key


LEVELS: dict[str, Level] = {
    level.key: level
    for level in (
        Level("random", RandomPlayer, "Plays any legal move."),
        Level("easy", EasyPlayer, "Plays like a beginner: often sees the best move, and often does not look."),
        Level("greedy", GreedyPlayer, "Takes what looks best right now; answers at once."),
        Level("hard", HardPlayer, "Thinks through its whole turn; takes a tenth of a second.", "100ms"),
        Level(
            "expert",
            ExpertPlayer,
            "Also thinks about the other players' answers and its own next turn; takes a second.",
            "1s",
        ),
        *[Level(each.key, each.make_player, each.text, name=each.name, likes=each.likes) for each in CHARACTERS],
    )
}
"""The bots to choose from: levels of strength, weakest first, then characters. A new bot is a new row."""

STRENGTHS = [str(level) for level in LEVELS.values() if not level.likes]
"""The full names of the levels of strength, weakest first."""

EXTERNAL, EXTERNAL_BUDGET = "run:", "1s"
"""The prefix of the name of a program, and the time for a turn if the name gives none."""


def make_player(name: str, seed: object = None) -> Player:
    """The player of this name: a level, for those that search with an optional budget for a turn, as in `hard:100ms`.

    `run:COMMAND` and `run:100ms:COMMAND` are programs, `py:module:Class` and `py:100ms:module:Class` Python classes
    (`docs/bots.md`). Names that people send over the network must be checked first: only levels are allowed.

    With the same seed a player makes the same choices. A budget of time can still change them; a budget of positions,
    such as `hard:500n`, cannot.
    """
    budget: str | None
    if name.startswith(EXTERNAL):
        budget, command = _external(name)
        return ExternalPlayer(command, Budget.of(budget).seconds or 0.0, seed)
    rng = Random(None if seed is None else str(seed))
    if name.startswith(imported.PREFIX):
        budget, _, _ = imported.split_name(name)
        return construct(imported.find_class(name), rng, Budget.of(budget) if budget else None)
    level, budget = _level(name)
    return construct(level.kind, rng, None if budget is None else Budget.of(budget))


def name_of(player: str | type[Player]) -> str:
    """The name of a player that is given as a name or as a class."""
    return player if isinstance(player, str) else imported.class_name(player)


def seconds_of(name: str) -> float | None:
    """The time that the player of this name has for a turn; None if its name gives none, or a number of positions."""
    budget: str | None
    if name.startswith(EXTERNAL):
        budget, _ = _external(name)
    elif name.startswith(imported.PREFIX):
        budget, _, _ = imported.split_name(name)
    else:
        key, _, budget = name.partition(":")
        if key in LEVELS and not budget:
            budget = LEVELS[key].budget
    return Budget.of(budget).seconds if budget else None


def _level(name: str) -> tuple[Level, str | None]:
    """The level in a name, and the budget for a turn."""
    key, colon, budget = name.partition(":")
    if key not in LEVELS:
        raise ValueError(
            f"{name!r} is not a player: expected one of {', '.join(LEVELS)}, run:COMMAND or py:module:Class"
        )
    level = LEVELS[key]
    if not colon:
        return level, level.budget
    if level.budget is None:
        raise ValueError(f"{name!r} is not a player: {key} takes no budget")
    return level, budget


def _external(name: str) -> tuple[str, str]:
    """The time for a turn and the command in the name of a program."""
    match = re.fullmatch(r"run:(?:(\d+(?:\.\d+)?m?s):)?(.*)", name, re.DOTALL)
    assert match
    return match[1] or EXTERNAL_BUDGET, match[2]
