"""The log of a table: the entries are stored, and everything else follows from them."""

import msgspec
from msgspec import Struct, field

from kingdom_builder.message import Message, Refusal
from kingdom_builder.server.journal import StoredEntry
from kingdom_builder.server.messages import Kind, Role, SetupChoice

FORMAT = 2
"""The format of new entries. Format 1 is from before there was a number."""

FIRST_RULES = 1
"""The version of the rules for games whose entries do not name one."""


class Seat(Struct):
    """A seat of the table and who plays it. Seats are in turn order."""

    token_hash: str = field(name="key")
    """The hash of the player's token; empty for a bot."""
    kind: Kind
    name: str
    colour: int
    level: str = ""


class Entry(Struct, tag_field="type", tag=lambda name: name.lower()):
    """Something that happened at a table and is stored."""


class Opened(Entry):
    """The table and its first game. Always the first entry."""

    created: float
    host: str
    """The hash of the host's token."""
    watch: str
    """The hash of the spectators' token."""
    seats: list[Seat] = field(name="chairs")
    choice: SetupChoice
    """The choice that was made, for further games."""
    seed: str
    start: str
    """The position that the game begins from."""
    moves: str
    """The first draws."""
    rules: int = FIRST_RULES
    """The version of the rules that the game is played by."""


class Sent(Entry):
    """An entry that comes from a command."""

    by: str
    """The hashes of all tokens that the sender has shown, separated by spaces; in format 1 only one of them."""
    id: str
    """The id of the command, chosen by the sender."""


class Played(Sent):
    """The current player acted; the draws that followed are among the moves."""

    moves: str


class Undone(Sent):
    """The game went back to the state after this many actions."""

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
    """A player agreed that the new player of a seat may see its hand."""

    seat: int
    agreeing: list[int]
    """The seats of those who agreed."""
    hosting: bool
    """Whether it was the host, who may have an interest of their own."""


class Renewed(Sent):
    """The spectators' link was replaced."""

    watch: str


class Hushed(Sent):
    """Spectators may not speak any more, or may speak again."""

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
    """An entry of the log. Raises Refusal if it cannot be the entry with this number."""
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
