"""All players by name."""

from random import Random

from kingdom_builder.players.expert import ExpertPlayer
from kingdom_builder.players.player import Budget, Player
from kingdom_builder.players.random_player import RandomPlayer
from kingdom_builder.players.thinkers import GreedyPlayer, HardPlayer

LEVELS: dict[str, str] = {
    "random": "Plays any legal move.",
    "greedy": "Takes what looks best at once; answers in an instant.",
    "hard": "Thinks its whole turn through; a tenth of a second.",
    "expert": "Thinks of the answers and of its next turn too; one second.",
}
"""The players to choose from, each with a sentence for people."""

SEARCHING: dict[str, tuple[type[HardPlayer], str]] = {"hard": (HardPlayer, "100ms"), "expert": (ExpertPlayer, "1s")}
"""The players that search, each with the budget for a turn that it has by default."""


def make_player(name: str, seed: object = None) -> Player:
    """The player of this name: a level, for those that search with a budget for each turn, as in `hard:100ms`.

    With a seed the same player makes the same choices; a budget of time can still make a difference, one of positions
    such as `hard:500n` cannot.
    """
    level, colon, budget = name.partition(":")
    if level not in LEVELS:
        raise ValueError(f"{name!r} is no player: expected one of {', '.join(LEVELS)}")
    rng = Random(None if seed is None else str(seed))
    if level in SEARCHING:
        kind, default = SEARCHING[level]
        return kind(rng, Budget.of(budget if colon else default))
    if colon:
        raise ValueError(f"{name!r} is no player: {level} takes no budget")
    return RandomPlayer(rng) if level == "random" else GreedyPlayer(rng)
