"""Players: those that choose actions."""

from kingdom_builder.players.random_player import playout, random_action

__all__ = ["playout", "random_action"]
