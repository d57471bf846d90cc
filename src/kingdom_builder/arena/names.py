"""What tables call the players of a tournament."""

from collections import Counter
from collections.abc import Sequence

from kingdom_builder.arena.results import Result
from kingdom_builder.players.registry import EXTERNAL, LEVELS


def names_in_tables(results: Sequence[Result]) -> dict[str, str]:
    """What tables call the players: what their programs call themselves, unless others are called so too."""
    called = {
        player: called
        for result in results
        for player, called in zip(result.players, result.called, strict=False)
        if called and player.startswith(EXTERNAL)
    }
    players = {player for result in results for player in result.players}
    taken = Counter([*called.values(), *(players - called.keys()), *LEVELS])
    return {player: called[player] if taken[called.get(player, "")] == 1 else player for player in players}
