"""What happens when a player fails: a stand-in takes over, so that the game goes on."""

from collections.abc import Callable
from contextlib import suppress
from time import process_time
from typing import TypeVar

from kingdom_builder.game import Game
from kingdom_builder.notation import action_text
from kingdom_builder.players.bot_log import BotLog
from kingdom_builder.players.external import ExternalPlayer
from kingdom_builder.players.programs import BotFailure
from kingdom_builder.players.registry import make_player
from kingdom_builder.rules import Action, Observation

STAND_INS = ("greedy", "random")
"""The stand-ins in order. The second is for when the first fails too: it may be `greedy` that failed."""

T = TypeVar("T")


class GuardedPlayer:
    """The named player until it crashes, stalls or chooses an illegal action; from then on a stand-in."""

    def __init__(self, name: str, seed: object = None, log: BotLog | None = None) -> None:
        """`log` notes what the player's program reads and writes, if it has one."""
        self._player = self._named = make_player(name, seed, log)
        self._seed = seed
        self._stand_ins = list(STAND_INS)
        """The stand-ins that have not played yet."""
        self.fault: str | None = None
        """Why a stand-in plays; None if none does."""

    @property
    def called(self) -> str:
        """What the player's program calls itself; empty if it has none, or none that says it."""
        return self._named.introduction.name if isinstance(self._named, ExternalPlayer) else ""

    def prepare(self) -> None:
        """Start the player's program, if it has one, so that this does not count as thinking time."""
        if isinstance(self._player, ExternalPlayer):
            self._guard(self._player.start)

    def follow(self, game: Game) -> None:
        """Let the player's program know what has been played, before the player chooses."""
        if isinstance(self._player, ExternalPlayer):
            self._player.follow(game)

    def finish(self, game: Game) -> None:
        """Let the player's program know how the game ended."""
        if isinstance(self._player, ExternalPlayer):
            with suppress(BotFailure):  # it has played to the end, and may go
                self._player.finish(game)

    def cpu_seconds(self) -> float | None:
        """The CPU time of whatever chooses, so far: the player's program, or this process; None if it is not known."""
        return self._player.cpu_seconds() if isinstance(self._player, ExternalPlayer) else process_time()

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
