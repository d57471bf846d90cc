"""Characters: bots with a name and a favourite card, for whose sake they give up other gold.

They judge positions as `greedy` does, with one weight more: what their favourite card pays counts again, whether or not
it is in play.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from kingdom_builder.players.evaluation import LIKES
from kingdom_builder.players.greedy import GreedyPlayer
from kingdom_builder.players.weights import WEIGHTS


@dataclass(frozen=True)
class Character:
    """A bot with a taste."""

    key: str
    name: str
    likes: str
    """The key of the favourite card."""
    liking: float
    """How much a gold of the favourite card counts on top."""
    text: str
    """A sentence that says what it likes."""

    @property
    def weights(self) -> Mapping[str, float]:
        """The weights of its evaluation."""
        return {**WEIGHTS, LIKES + self.likes: self.liking}

    def make_player(self, rng: Random) -> GreedyPlayer:
        """A player with this taste."""
        return GreedyPlayer(rng, self.weights)


CHARACTERS = (
    Character("marina", "Marina", "fishermen", 1.0, "Loves the water and builds along every shore."),
    Character("bruno", "Bruno", "miners", 1.0, "Feels at home in the mountains and builds at their feet."),
    Character(
        "lotte", "Lotte", "workers", 1.0, "Wants to live where something happens: next to locations and castles."
    ),
    Character(
        "hedda", "Hedda", "hermits", 1.5, "Likes to be alone and founds one small settlement area after another."
    ),
    Character("ivo", "Ivo", "knights", 1.0, "Draws a long line across the board and fills it from end to end."),
)
