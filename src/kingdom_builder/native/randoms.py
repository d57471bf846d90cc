"""Generators of random numbers in the native core."""

from random import Random
from typing import Any

from kingdom_builder.native import _core


def core_random(rng: Random) -> _core.Random:
    """A generator in the core that goes on where another one stands."""
    core = _core.Random(b"")
    core.set_words(rng.getstate()[1])
    return core


class NativeRandom(Random):
    """A generator that Python and the core draw from in turn, without handing anything over between the two.

    The numbers are those of `random.Random`; the state is in the core.
    """

    core: _core.Random

    # `random.Random` overrides the `seed` of its C base in the same way.
    def seed(self, a: int | float | str | bytes | bytearray | None = None, version: int = 2) -> None:  # type: ignore[override]
        super().seed(a, version)
        self._take_state()

    def getstate(self) -> tuple[Any, ...]:
        version, _, gauss = super().getstate()
        return version, self.core.get_words(), gauss

    def setstate(self, state: tuple[Any, ...]) -> None:
        super().setstate(state)
        self._take_state()

    def _take_state(self) -> None:
        """Go on in the core from the state of the generator that this one inherits, which is only used for this."""
        mine = vars(self)
        if "core" not in mine:
            core = _core.Random(b"")
            mine |= {"core": core, "random": core.random, "getrandbits": core.getrandbits}  # without a call in between
        self.core.set_words(super().getstate()[1])
