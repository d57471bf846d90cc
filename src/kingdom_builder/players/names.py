"""What players are called: `badger=run:./mybot` plays under the name badger."""

import re

NAME = r"[A-Za-z0-9][A-Za-z0-9._+-]{0,29}"
"""What a player may be called: a word that fits into a table."""

_NAMED = re.compile(rf"({NAME})=(.+)", re.DOTALL)


def shown_name(player: str) -> str:
    """What a player is called in tables.

    >>> shown_name("badger=run:./mybot"), shown_name("hard:100ms")
    ('badger', 'hard:100ms')
    """
    match = _NAMED.fullmatch(player)
    return match[1] if match else player


def without_name(player: str) -> str:
    """The player alone.

    >>> without_name("badger=run:./mybot"), without_name("hard:100ms")
    ('run:./mybot', 'hard:100ms')
    """
    match = _NAMED.fullmatch(player)
    return match[2] if match else player
