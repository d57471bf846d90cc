"""The log of a table: the entries are stored, and everything else follows from them."""

from collections.abc import Mapping

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from kingdom_builder.message import Message, Refusal
from kingdom_builder.server.clocks import Clock
from kingdom_builder.server.journal import NO_TEXTS, StoredEntry
from kingdom_builder.server.messages import ConsentKind, EndKind, Kind, Role, SetupChoice

FORMAT = 4
"""The format of new entries. Format 1 is from before there was a number, format 2 from before persons and times, format
3 from before clocks."""

READABLE = 4
"""The latest format that is understood. A release raises this one first, and the next release `FORMAT`: so servers of
two releases may run side by side, and neither writes what the other cannot read."""

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
    owner: str = ""
    """The hash of the token of the person whom a bot stands in for, and who may take the seat back; else empty."""
    person: str = ""
    """The person who plays here, or whom a bot stands in for; empty for a bot or somebody with a link alone."""


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
    daily: str = ""
    """The date whose daily game the first game is; empty if it is none."""
    lesson: str = ""
    """The key of the lesson that is taught at the table, if any."""
    person: str = ""
    """The host, if they are known."""
    clock: Clock = Clock()
    rated: bool = False
    open: bool = False
    """Whether everybody may take a seat or look on; otherwise it takes a link."""
    invite: str = ""
    """The hash of the token of the table's link, with which people choose a seat; empty in older tables."""


class Stamped(Entry, kw_only=True):
    """An entry with its time."""

    at: int = 0
    """When it happened, in milliseconds by the server's clock; 0 before format 3."""


class Sent(Stamped):
    """An entry that comes from a command."""

    by: str
    """The hashes of all tokens that the sender has shown and the keys of the person, separated by spaces; in format 1
    only one of them."""
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
    person: str = ""
    """Who spoke, if known."""
    phrase: str = ""
    """What was said, if it was a phrase; the text is empty then."""


class Reseated(Sent):
    """A seat got another player, or its own player back."""

    seat: int
    seated: Seat = field(name="chair")
    back: bool = False
    """Whether a bot gave way to the person whom it stood in for."""


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


class Bound(Sent):
    """A person opened the link of a seat, which is theirs from now on."""

    seat: int
    person: str


class Sat(Sent):
    """Somebody took a free seat."""

    seat: int
    seated: Seat


class TimedOut(Sent):
    """The time of a seat was up."""

    seat: int
    level: str = ""
    """The level of the bot that plays on; empty if the seat is still the player's."""


class Excused(Sent):
    """Nobody could play for some time, which costs nobody anything. Both moments are in milliseconds."""

    start: int
    end: int


class Consented(Sent):
    """Players want something that happens once all do, or do not want it any more."""

    to: ConsentKind
    seats: list[int]
    on: bool
    alone: bool = False
    """Whether it happens without the others: the game has been paused for long."""


class Voted(Sent):
    """Players want a bot to take the seat of somebody who is away."""

    seat: int
    seats: list[int]


class Ended(Sent):
    """A game of two ended before its last turn: a player gave up, or had left."""

    winner: int
    why: EndKind


class Restarted(Sent):
    """A new game began at the table; the seats moved up by one."""

    seed: str
    start: str
    moves: str
    rules: int = FIRST_RULES


AnySent = (
    Played
    | Undone
    | Joined
    | Said
    | Reseated
    | Agreed
    | Renewed
    | Hushed
    | Failed
    | Bound
    | Sat
    | TimedOut
    | Excused
    | Consented
    | Voted
    | Ended
    | Restarted
)
AnyEntry = Opened | AnySent

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[AnyEntry] = msgspec.json.Decoder(AnyEntry)


def encode(entry: AnyEntry) -> tuple[bytes, list[str]]:
    """An entry as it is stored: without what people typed, and that."""
    texts = _texts(entry)
    return _encoder.encode(_with_texts(entry, {}) if any(texts) else entry), texts


def decode(body: bytes, texts: Mapping[int, str] = NO_TEXTS) -> AnyEntry:
    """A stored entry with what people typed, as far as it was not deleted."""
    entry = _decoder.decode(body)
    return _with_texts(entry, texts) if texts else entry


def _texts(entry: AnyEntry) -> list[str]:
    """What people typed in an entry."""
    match entry:
        case Opened():
            return [seat.name for seat in entry.seats]
        case Joined():
            return [entry.name]
        case Said():
            return [entry.name, entry.text]
        case Reseated() | Sat():
            return [entry.seated.name]
    return []


def _with_texts(entry: AnyEntry, texts: Mapping[int, str]) -> AnyEntry:
    """An entry with other texts; those that are missing are empty."""
    match entry:
        case Opened():
            return replace(entry, seats=[replace(seat, name=texts.get(n, "")) for n, seat in enumerate(entry.seats)])
        case Joined():
            return replace(entry, name=texts.get(0, ""))
        case Said():
            return replace(entry, name=texts.get(0, ""), text=texts.get(1, ""))
        case Reseated() | Sat():
            return replace(entry, seated=replace(entry.seated, name=texts.get(0, "")))
    return entry


def read(stored: StoredEntry, number: int) -> AnyEntry:
    """An entry of the log. Raises Refusal if it cannot be the entry with this number."""
    if stored.version != number or not stored.intact:
        if stored.version != number:
            raise Refusal(Message("The log of this table is damaged: entry {n} is missing.", n=number), "damaged")
        raise Refusal(
            Message("The log of this table is damaged: entry {n} has changed on the disk.", n=number), "damaged"
        )
    if stored.format > READABLE:
        raise Refusal(Message("A newer version of the program has written the log of this table."), "newer")
    try:
        return decode(stored.body, stored.texts)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise Refusal(
            Message("The log of this table is damaged: entry {n} cannot be read.", n=number), "damaged"
        ) from None
