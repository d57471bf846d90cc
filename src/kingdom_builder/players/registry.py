"""All players by name: levels, which are listed in one table, programs and Python classes."""

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from random import Random

from kingdom_builder.players import imported
from kingdom_builder.players.bot_log import BotLog
from kingdom_builder.players.budget import CPU, Budget
from kingdom_builder.players.characters import CHARACTERS
from kingdom_builder.players.easy import EasyPlayer
from kingdom_builder.players.expert import ExpertPlayer
from kingdom_builder.players.external import ExternalPlayer
from kingdom_builder.players.greedy import GreedyPlayer
from kingdom_builder.players.hard import HardPlayer
from kingdom_builder.players.master import MasterPlayer
from kingdom_builder.players.names import shown_name, without_name
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
        Level(
            "master",
            MasterPlayer,
            "Plays many games to their end in its head before each turn; takes a second.",
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

NETWORK = "onnx:"
"""The prefix of the name of a network: the rest is its file."""

OFFERED = "KB_NETWORK"
"""The variable with the networks that a server offers, `NAME=FILE` with commas between: its workers read it too."""


def make_player(name: str, seed: object = None, log: BotLog | None = None) -> Player:
    """The player of this name: a level, for those that search with an optional budget for a turn, as in `hard:100ms`.

    `run:COMMAND` and `run:100ms:COMMAND` are programs, `py:module:Class` and `py:100ms:module:Class` Python classes
    (`docs/bots.md`), `onnx:FILE` is a neural network (`docs/learn.md`). `NAME=` before any of them is what tables call
    it. Names that people send over the network must be checked first: only levels are allowed.

    With the same seed a player makes the same choices. A budget of time can still change them; a budget of positions,
    such as `hard:500n`, cannot. `log` notes what a program reads and writes.
    """
    budget: str | None
    player = without_name(name)
    if player != name and shown_name(name) in LEVELS:
        raise ValueError(f"{name!r}: {shown_name(name)} is a bot of ours, expected another name")
    if player.startswith(EXTERNAL):
        budget, command = _external(player)
        return ExternalPlayer(name, command, Budget.of(budget), seed, log)
    if player.startswith(NETWORK):
        return _network(player.removeprefix(NETWORK))
    rng = Random(None if seed is None else str(seed))
    if player.startswith(imported.PREFIX):
        budget, _, _ = imported.split_name(player)
        return construct(imported.find_class(player), rng, Budget.of(budget) if budget else None)
    level, budget = _level(player)
    return construct(level.kind, rng, None if budget is None else Budget.of(budget))


def name_of(player: str | type[Player]) -> str:
    """The name of a player that is given as a name or as a class."""
    return player if isinstance(player, str) else imported.class_name(player)


def budget_of(name: str) -> Budget | None:
    """What the player of this name may spend on a turn; None if its name does not say."""
    budget: str | None
    player = without_name(name)
    if player.startswith(EXTERNAL):
        budget, _ = _external(player)
    elif player.startswith(imported.PREFIX):
        budget, _, _ = imported.split_name(player)
    elif player.startswith(NETWORK):
        budget = None
    else:
        key, _, budget = player.partition(":")
        if key in LEVELS and not budget:
            budget = LEVELS[key].budget
    return Budget.of(budget) if budget else None


def seconds_of(name: str) -> float | None:
    """The time that the player of this name has for a turn; None if its name gives none, or a number of positions."""
    budget = budget_of(name)
    return budget.seconds if budget else None


def offer_networks() -> None:
    """Add the networks to the levels that whoever runs the server has named in the environment. Raises ValueError."""
    for text in os.environ.get(OFFERED, "").replace(",", " ").split():
        name, file = shown_name(text), without_name(text)
        if name == text:
            raise ValueError(f"the network {text!r}: expected NAME=FILE, and neither spaces nor commas in it")
        if name in LEVELS and not isinstance(LEVELS[name].kind, partial):
            raise ValueError(f"the network {text!r}: {name} is a bot of ours, expected another name")
        _network(file)
        LEVELS[name] = Level(name, partial(_network, file), "A neural network of this server.")


def _level(name: str) -> tuple[Level, str | None]:
    """The level in a name, and the budget for a turn."""
    key, colon, budget = name.partition(":")
    if key not in LEVELS:
        offer_networks()
    if key not in LEVELS:
        raise ValueError(
            f"{name!r} is not a player: expected one of {', '.join(LEVELS)}, run:COMMAND, py:module:Class or onnx:FILE"
        )
    level = LEVELS[key]
    if not colon:
        return level, level.budget
    if level.budget is None:
        raise ValueError(f"{name!r} is not a player: {key} takes no budget")
    return level, budget


def _network(file: str) -> Player:
    """The player of a file, whose packages need not be there for all others."""
    try:
        from kingdom_builder.players.network import network_player
    except ImportError:
        raise ValueError("a network needs more packages: expected after pip install 'kingdom-builder[onnx]'") from None
    return network_player(file)


def _external(name: str) -> tuple[str, str]:
    """The time for a turn and the command in the name of a program."""
    match = re.fullmatch(rf"run:(?:(\d+(?:\.\d+)?m?s(?:{CPU})?):)?(.*)", name, re.DOTALL)
    assert match
    return match[1] or EXTERNAL_BUDGET, match[2]
