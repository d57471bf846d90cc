"""Players (bots): they choose actions and know only what their seat may know."""

from kingdom_builder.players.guard import GuardedPlayer
from kingdom_builder.players.hints import Hint, find_hints, forecast
from kingdom_builder.players.names import shown_name
from kingdom_builder.players.player import Player
from kingdom_builder.players.random import random_action, random_rollout
from kingdom_builder.players.registry import LEVELS, STRENGTHS, Level, budget_of, make_player, name_of, seconds_of

__all__ = [
    "LEVELS",
    "STRENGTHS",
    "GuardedPlayer",
    "Hint",
    "Level",
    "Player",
    "budget_of",
    "find_hints",
    "forecast",
    "make_player",
    "name_of",
    "random_action",
    "random_rollout",
    "seconds_of",
    "shown_name",
]
