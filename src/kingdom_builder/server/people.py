"""Requests of people besides moves: names, chat, seats, order. Each becomes an entry, or is refused."""

from kingdom_builder.message import Message, Refusal, quoted
from kingdom_builder.players import LEVELS
from kingdom_builder.server import entries, messages
from kingdom_builder.server.entries import Seat
from kingdom_builder.server.messages import Kind
from kingdom_builder.server.names import clean, look_alike
from kingdom_builder.server.party import Party, keys_of
from kingdom_builder.server.tokens import TokenHashes

COLOURS = 5


def joined(party: Party, hashes: TokenHashes, by: str, command: messages.Join) -> entries.Joined:
    """A player takes a name and a colour."""
    check_seat(party, command.seat)
    if command.seat not in party.seats_of(hashes):
        raise Refusal(Message("This seat belongs to somebody else."), "forbidden")
    colour = free_colour(party, command.seat, command.colour)
    return entries.Joined(by, command.id, command.seat, free_name(party, command.seat, hashes, command.name), colour)


def free_colour(party: Party, seat: int, colour: int) -> int:
    """A colour that somebody chooses for a seat. Raises Refusal if there is no such colour, or another seat has it."""
    if not 0 <= colour < COLOURS:
        raise Refusal(Message("There is no colour {n}: expected 0 to {most}.", n=colour, most=COLOURS - 1))
    if colour in [other.colour for number, other in enumerate(party.seats) if number != seat]:
        raise Refusal(Message("This colour is taken: choose another one."), "taken")
    return colour


def free_name(party: Party, seat: int, hashes: TokenHashes, typed: str) -> str:
    """A name that somebody chooses for a seat. Raises Refusal if it can be mistaken for the name of somebody else."""
    name = clean(typed, messages.NAME_LENGTH)
    others = [other for number, other in enumerate(party.seats) if number != seat]
    defaults = party.default_names()
    if look_alike(name, defaults.pop(seat)):
        return ""  # the seats move up in the next game
    strangers = [other for other in others if not keys_of(other) & hashes]
    taken = [*defaults, *(other.name for other in strangers if keys_of(other))]
    if name and any(look_alike(name, each) for each in taken):
        raise Refusal(Message("Another player has this name, or one that looks like it: choose another one."), "taken")
    return name


def said(
    party: Party, hashes: TokenHashes, by: str, command: messages.Say, *, is_muted: bool, person: str = ""
) -> entries.Said:
    """Somebody speaks; `person` is who it is, if known."""
    text = clean(command.text, messages.CHAT_LENGTH)
    if not text and command.phrase is None:
        raise Refusal(Message("There is nothing to say in this message."), "malformed")
    if text and command.phrase is not None:
        raise Refusal(Message("A text and a phrase to say: expected one of the two."), "malformed")
    phrase = command.phrase or ""

    def spoken(name: str, role: messages.Role) -> entries.Said:
        return entries.Said(by, command.id, name, text, role, person, phrase)

    seat, mine, role = command.seat, party.seats_of(hashes), party.role_of(hashes)
    if seat is None and mine and role == "watcher":
        seat = mine[0]  # players may not speak as spectators
    if seat is not None:
        check_seat(party, seat)
        if seat not in mine:
            raise Refusal(Message("You cannot speak for another seat."), "forbidden")
        return spoken(party.names()[seat], "player")
    if role == "watcher" and (party.hushed or is_muted):
        raise Refusal(Message("The host does not want you to speak here."), "muted")
    if role == "watcher" and (stand_ins := party.stand_ins_for(hashes)):
        return spoken(party.names()[stand_ins[0]], role)
    name = clean(command.name, messages.NAME_LENGTH) or "Watcher"
    if any(look_alike(name, taken) for taken in party.names()):
        raise Refusal(Message("This name belongs to a player, or looks like it: choose another one."), "taken")
    return spoken(name, role)


def agreed(party: Party, hashes: TokenHashes, by: str, command: messages.Agree) -> entries.Agreed:
    """A player agrees that the new player of a seat may see its veiled hand."""
    check_seat(party, command.seat)
    if command.seat not in party.agreeable(hashes):
        raise Refusal(Message("There is no hidden hand of this seat that you could agree to show."), "forbidden")
    mine = [seat for seat in party.seats_of(hashes) if seat != command.seat]
    return entries.Agreed(by, command.id, command.seat, mine, party.is_host(hashes))


def taken_back(party: Party, hashes: TokenHashes, by: str, command: messages.TakeBack) -> entries.Reseated:
    """A player comes back to a seat where a bot stood in."""
    seat = check_seat(party, command.seat)
    if command.seat not in party.stand_ins_for(hashes):
        raise Refusal(Message("No bot stands in for you at this seat."), "forbidden")
    kind: Kind = "person" if seat.name or seat.person else "open"
    seated = Seat(seat.owner, kind, seat.name, seat.colour, person=seat.person)
    return entries.Reseated(by, command.id, command.seat, seated, back=True)


def check_host(party: Party, hashes: TokenHashes) -> None:
    """Refuse what only the host may do."""
    if not party.is_host(hashes):
        raise Refusal(Message("Only the host of the table can do that."), "forbidden")


def check_seat(party: Party, seat: int) -> Seat:
    """The seat with this number. Raises Refusal."""
    if not 0 <= seat < len(party.seats):
        raise Refusal(Message("There is no seat {n}: expected 0 to {most}.", n=seat, most=len(party.seats) - 1))
    return party.seats[seat]


def check_level(level: str) -> None:
    """Refuse a bot that does not exist. Strangers cannot set budgets."""
    if level not in LEVELS:
        raise Refusal(
            Message("There is no bot {level}: expected one of {known}.", level=quoted(level), known=", ".join(LEVELS))
        )
