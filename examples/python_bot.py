"""A bot that is a Python class: it takes what pays most at once, and ends its turn only when nothing else is left.

    kb arena py:examples.python_bot:Climber random --games 20

docs/bots.md says what a class needs to be a bot.
"""

from random import Random

from kingdom_builder import Observation, scores
from kingdom_builder.hexes import bits
from kingdom_builder.rules import END, Action


class Climber:
    """Climbs to more gold, one action at a time; among equals it chooses by chance."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def choose(self, seen: Observation) -> Action:
        """One legal action. The arena asks again until the turn is over."""
        actions = [action for action in bits(seen.legal()) if action != END] or [END]
        return max(actions, key=lambda action: (self.gold_after(seen, action), self.rng.random()))

    def gold_after(self, seen: Observation, action: Action) -> int:
        """The gold of the bot's seat after an action: replace this by something clever."""
        state = seen.until_next_draw()
        state.apply(action)
        return scores(state)[seen.player]
