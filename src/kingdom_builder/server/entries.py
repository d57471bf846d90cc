"""The log of a table: its entries are the truth, everything else follows from them."""

import msgspec
from msgspec import Struct, field

from kingdom_builder.message import Message, Refusal
from kingdom_builder.server.journal import StoredEntry
from kingdom_builder.server.messages import Kind, Role, SetupChoice

FORMAT = 2
"""Of the entries that are written now. 1: before there was a number."""

FIRST_RULES = 1
"""The version of the rules by which games were played before their entries named one."""


class Seat(Struct):
    """A seat of the table and whoever plays it. Seats stand in the order of turns."""

    token_hash: str = field(name="key")
    """The hash of the token of whoever plays here; empty for a bot."""
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
    """The hash of the token of whoever manages the table."""
    watch: str
    """The hash of the token of those who look on."""
    seats: list[Seat] = field(name="chairs")
    choice: SetupChoice
    """What was asked for, for further games."""
    seed: str
    start: str
    """The position that the game begins from."""
    moves: str
    """The first draws."""
    rules: int = FIRST_RULES
    """The version of the rules that the game is played by."""


class Sent(Entry):
    """An entry that somebody sent as a command."""

    by: str
    """The hashes of all tokens that the sender has shown, with spaces between; in format 1 only one of them."""
    id: str
    """Of the command, by the sender's choice."""


class Played(Sent):
    """The player in turn acted; the draws that followed are among the moves."""

    moves: str


class Undone(Sent):
    """The game went back to the state after so many actions."""

    ply: int


class Joined(Sent):
    """A player chose a name and a colour."""

    seat: int
    name: str
    colour: int


class Said(Sent):
    """Somebody spoke."""

    name: str
    text: str
    role: Role | None = None
    """Missing in format 1."""


class Reseated(Sent):
    """A seat got another player."""

    seat: int
    seated: Seat = field(name="chair")


class Agreed(Sent):
    """A player agreed that the new player of a seat sees its hand."""

    seat: int
    agreeing: list[int]
    """The seats of those who agreed."""
    hosting: bool
    """Whether the host did, who may have an interest."""


class Renewed(Sent):
    """The link for looking on was replaced."""

    watch: str


class Hushed(Sent):
    """Those who look on may not speak any more, or may again."""

    on: bool


class Failed(Sent):
    """A bot failed, and a simple one acts for it."""

    seat: int


class Restarted(Sent):
    """A new game began at the table; the seats moved up by one."""

    seed: str
    start: str
    moves: str
    rules: int = FIRST_RULES


AnySent = Played | Undone | Joined | Said | Reseated | Agreed | Renewed | Hushed | Failed | Restarted
AnyEntry = Opened | AnySent

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[AnyEntry] = msgspec.json.Decoder(AnyEntry)
encode = _encoder.encode
decode = _decoder.decode


def read(stored: StoredEntry, number: int) -> AnyEntry:
    """An entry of the log. Raises Refusal if it cannot be the one of this number."""
    if stored.version != number or not stored.intact:
        if stored.version != number:
            raise Refusal(Message("The log of this table is damaged: entry {n} is missing.", n=number), "damaged")
        raise Refusal(
            Message("The log of this table is damaged: entry {n} has changed on the disk.", n=number), "damaged"
        )
    if stored.format > FORMAT:
        raise Refusal(Message("A newer version of the program has written the log of this table."), "newer")
    try:
        return decode(stored.body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise Refusal(
            Message("The log of this table is damaged: entry {n} cannot be read.", n=number), "damaged"
        ) from None
