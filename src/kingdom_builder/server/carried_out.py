"""The commands that were carried out at a table, so that a repeated command is done only once."""

from typing import NamedTuple

from kingdom_builder.server import entries
from kingdom_builder.server.entries import AnySent
from kingdom_builder.server.party import keys_of
from kingdom_builder.server.tokens import TokenHashes

COMMANDS_KEPT = 256
"""How many command ids are remembered for each token."""


class Carried(NamedTuple):
    """A command that was carried out."""

    version: int
    made_token: bool
    """Whether it made a token, which is sent again if the command is repeated."""


class CarriedOut:
    """The last commands of everybody at a table, by the hashes that they have shown with them."""

    def __init__(self) -> None:
        self._commands: dict[str, dict[str, Carried]] = {}

    def remember(self, entry: AnySent, version: int) -> None:
        """Remember the command of an entry that has taken effect."""
        made_token = makes_token(entry)
        senders = entry.by.split()
        if isinstance(entry, entries.Sat):
            senders += keys_of(entry.seated)  # which they have from now on
        for sender in senders:
            commands = self._commands.setdefault(sender, {})
            commands[entry.id] = Carried(version, made_token)
            if len(commands) > COMMANDS_KEPT:
                del commands[next(iter(commands))]

    def find(self, hashes: TokenHashes, identity: str) -> Carried | None:
        """The command of somebody with this id; None if none was carried out."""
        for shown in hashes:  # a page may show other tokens than when it first sent the command
            if (before := self._commands.get(shown, {}).get(identity)) is not None:
                return before
        return None

    def forget(self, sender: str) -> None:
        """Forget the commands that were sent with a hash: its token is not valid any more."""
        self._commands.pop(sender, None)


def makes_token(entry: AnySent) -> bool:
    """Whether an entry makes a token that its sender is told."""
    if isinstance(entry, entries.Reseated):
        return bool(entry.seated.token_hash) and not entry.back
    if isinstance(entry, entries.Sat):
        return bool(entry.seated.token_hash)
    return isinstance(entry, entries.Renewed)
