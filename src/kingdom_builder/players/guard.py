"""What happens when a player fails: a stand-in takes over, so that the game goes on."""

from collections.abc import Callable
from typing import TypeVar

from kingdom_builder.notation import action_text
from kingdom_builder.players.external import BotFailure, ExternalPlayer
from kingdom_builder.players.registry import make_player
from kingdom_builder.rules import Action, Observation

STAND_INS = ("greedy", "random")
"""The stand-ins in order. The second is for when the first fails too: it may be `greedy` that failed."""

T = TypeVar("T")


class GuardedPlayer:
    """The named player until it crashes, stalls or chooses an illegal action; from then on a stand-in."""

    def __init__(self, name: str, seed: object = None) -> None:
        self._player = make_player(name, seed)
        self._seed = seed
        self._stand_ins = list(STAND_INS)
        """The stand-ins that have not played yet."""
        self.fault: str | None = None
        """Why a stand-in plays; None if none does."""

    def prepare(self) -> None:
        """Start the player's program, if it has one, so that this does not count as thinking time."""
        if isinstance(self._player, ExternalPlayer):
            self._guard(self._player.start)

    def choose(self, seen: Observation) -> Action:
        while self._stand_ins:
            action = self._guard(lambda: self._legal_choice(seen))
            if action is not None:
                return action
        return self._player.choose(seen)

    def replace(self, fault: str) -> None:
        """Let the next stand-in take over because of a fault."""
        self.close()
        self.fault = self.fault or fault
        if self._stand_ins:
            self._player = make_player(self._stand_ins.pop(0), self._seed)

    def _legal_choice(self, seen: Observation) -> Action:
        action = self._player.choose(seen)
        if not seen.legal() >> action & 1:
            raise BotFailure(f"chose {action_text(seen.setup, action)}, which is not legal")
        return action

    def _guard(self, work: Callable[[], T]) -> T | None:
        """The player's action; if the player fails, the next stand-in takes over."""
        try:
            return work()
        except BotFailure as failure:
            self.replace(str(failure))
        except Exception as error:  # whatever a player does wrong, the game goes on
            self.replace(f"failed with {type(error).__name__}: {error}")
        return None

    def close(self) -> None:
        """End the program that plays the seat, if a program does."""
        if isinstance(self._player, ExternalPlayer):
            self._player.close()
