"""What a turn is: the one definition for undo, logs, records, clocks and players."""

from typing import TYPE_CHECKING, NamedTuple

from kingdom_builder.message import seat_letter
from kingdom_builder.rules.components import Finale

if TYPE_CHECKING:
    from kingdom_builder.rules.state import State


class Turn(NamedTuple):
    """A turn: its round and its seat; equal for all states of the turn."""

    round: int
    seat: int
    is_finale: bool
    """Whether this is what a seat plays after its last turn, before scoring."""

    def __str__(self) -> str:
        """The number of the turn in records and logs, such as `3A`."""
        return f"{self.round}{seat_letter(self.seat)}"


def turn_of(state: "State") -> Turn:
    """The turn that a state belongs to."""
    return Turn(state.round, state.player, isinstance(state.acting, Finale))
