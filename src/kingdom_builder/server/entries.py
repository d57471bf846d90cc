"""The log of a table: its entries are the truth, everything else follows from them."""

import msgspec
from msgspec import Struct

from kingdom_builder.server.messages import Kind, SetupChoice


class Chair(Struct):
    """A place at the table. Chairs stand in the order of turns."""

    key: str
    """The hash of the secret that allows to play here; empty for a bot."""
    kind: Kind
    name: str
    colour: int
    level: str = ""


class Entry(Struct, tag_field="type", tag=lambda name: name.lower()):
    """Something that happened at a table, for good."""


class Opened(Entry):
    """The table and its first game. Always the first entry."""

    created: float
    host: str
    """The hash of the secret that allows to manage the table."""
    watch: str
    """The hash of the secret that allows to look on."""
    chairs: list[Chair]
    choice: SetupChoice
    """What was asked for, for further games."""
    seed: str
    start: str
    """The position that the game begins from."""
    moves: str
    """The first draws."""


class Played(Entry):
    """The player in turn acted; the draws that followed are among the moves."""

    by: str
    id: str
    moves: str


class Undone(Entry):
    """The game went back to the state after so many actions."""

    by: str
    id: str
    ply: int


class Joined(Entry):
    by: str
    id: str
    seat: int
    name: str
    colour: int


class Said(Entry):
    by: str
    id: str
    name: str
    text: str


class Reseated(Entry):
    """A chair got another player."""

    by: str
    id: str
    seat: int
    chair: Chair


class Restarted(Entry):
    """A new game began at the table; the chairs moved up by one."""

    by: str
    id: str
    seed: str
    start: str
    moves: str


AnyEntry = Opened | Played | Undone | Joined | Said | Reseated | Restarted

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[AnyEntry] = msgspec.json.Decoder(AnyEntry)
encode = _encoder.encode
decode = _decoder.decode
