"""A seat that is always played: when its player fails, a stand-in goes on."""

from collections.abc import Callable
from typing import TypeVar

from kingdom_builder.notation import action_text
from kingdom_builder.players.external import BotFailure, ExternalPlayer
from kingdom_builder.players.registry import make_player
from kingdom_builder.rules import Action, Observation

STAND_IN = "greedy"

T = TypeVar("T")


class GuardedPlayer:
    """The player of a name until it crashes, stalls or wants something illegal, and from then on the stand-in."""

    def __init__(self, name: str, seed: object = None) -> None:
        self._player = make_player(name, seed)
        self._seed = seed
        self.fault: str | None = None
        """Why the stand-in plays, if it does."""

    def prepare(self) -> None:
        """Start what has to be started, so that this is no thinking time."""
        if isinstance(self._player, ExternalPlayer):
            self._guard(self._player.start)

    def choose(self, seen: Observation) -> Action:
        if self.fault is None:
            action = self._guard(lambda: self._legal_choice(seen))
            if action is not None:
                return action
        return self._player.choose(seen)

    def _legal_choice(self, seen: Observation) -> Action:
        action = self._player.choose(seen)
        if not seen.legal() >> action & 1:
            raise BotFailure(f"chose {action_text(seen.setup, action)}, which is not legal")
        return action

    def _guard(self, work: Callable[[], T]) -> T | None:
        """What the player does; if it fails, the stand-in takes over."""
        try:
            return work()
        except BotFailure as failure:
            self.fault = str(failure)
        except Exception as error:  # whatever a player does wrong, the game goes on
            self.fault = f"failed with {type(error).__name__}: {error}"
        self.close()
        self._player = make_player(STAND_IN, self._seed)
        return None

    def close(self) -> None:
        """End the program that plays the seat, if it is one."""
        if isinstance(self._player, ExternalPlayer):
            self._player.close()
