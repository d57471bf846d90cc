"""The master: compares more turns than the expert, at last by rollouts that everybody plays greedily to the end."""

from kingdom_builder.players.expert import ExpertPlayer

WHOLE_GAME = 1_000
"""More rounds than a game has."""


class MasterPlayer(ExpertPlayer):
    """Trusts its rollouts more than the expert does: they are better, and take longer."""

    search_share, compare_share = 0.2, 0.25
    candidates = 40
    heats = (1, 2, 3, 4, WHOLE_GAME)
    search_weight, rival_weight = 0.2, 0.75
    game_positions = 400
