"""The list of attacks, and what has to be known of each to carry it out."""

from collections.abc import Callable
from dataclasses import dataclass

from siege.band import Attack


@dataclass(frozen=True)
class Siege:
    name: str
    attack: Attack
    settles: bool = False
    """Whether its preparations are a burden, so that they have to be over for a while when it begins."""
    restarts: bool = False
    """Whether the server is started again between preparations and attack."""
    many: bool = False
    """Whether it has to fail from many addresses too. From only one it always has to."""
    crowd: bool = False
    """Whether it is one from many addresses only."""
    address: str = ""
    """The only address from which it is worth trying."""
    brief: bool = True
    """Whether it is in the short form too; else another attack of its kind stands for it there."""
    acknowledgement: float | None = None
    """Seconds within which every acknowledgement has to come, if not as usual."""
    tail: float | None = None
    """How many times the quiet 99 % of the acknowledgements theirs may be in the full form, if that counts."""

    @property
    def does(self) -> str:
        """What it does, in a sentence."""
        return (self.attack.__doc__ or "").partition("\n")[0]


ATTACKS: dict[str, Siege] = {}


def attack(
    *,
    settles: bool = False,
    restarts: bool = False,
    many: bool = False,
    crowd: bool = False,
    address: str = "",
    brief: bool = True,
    acknowledgement: float | None = None,
    tail: float | None = None,
) -> Callable[[Attack], Attack]:
    """Put an attack in the list, under the name of its function."""

    def put(function: Attack) -> Attack:
        name = getattr(function, "__name__", "").replace("_", "-")
        ATTACKS[name] = Siege(name, function, settles, restarts, many, crowd, address, brief, acknowledgement, tail)
        return function

    return put
