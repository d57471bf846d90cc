"""Requests of people besides moves: names, chat, seats, order. Each becomes an entry, or is refused."""

from kingdom_builder.message import Message, Refusal, quoted
from kingdom_builder.players import LEVELS
from kingdom_builder.server import entries, messages
from kingdom_builder.server.entries import Seat
from kingdom_builder.server.names import clean, look_alike
from kingdom_builder.server.party import Party, keys_of
from kingdom_builder.server.tokens import TokenHashes

COLOURS = 5


def joined(party: Party, hashes: TokenHashes, by: str, command: messages.Join) -> entries.Joined:
    """A player takes a name and a colour."""
    check_seat(party, command.seat)
    if command.seat not in party.seats_of(hashes):
        raise Refusal(Message("This seat belongs to somebody else."), "forbidden")
    name = clean(command.name, messages.NAME_LENGTH)
    if not 0 <= command.colour < COLOURS:
        raise Refusal(Message("There is no colour {n}: expected 0 to {most}.", n=command.colour, most=COLOURS - 1))
    others = [seat for number, seat in enumerate(party.seats) if number != command.seat]
    if command.colour in [seat.colour for seat in others]:
        raise Refusal(Message("This colour is taken: choose another one."), "taken")
    defaults = party.default_names()
    if look_alike(name, defaults.pop(command.seat)):
        name = ""  # the seats move up in the next game
    strangers = [seat for seat in others if not keys_of(seat) & hashes]
    taken = [*defaults, *(seat.name for seat in strangers if keys_of(seat))]
    if name and any(look_alike(name, each) for each in taken):
        raise Refusal(Message("Another player has this name, or one that looks like it: choose another one."), "taken")
    return entries.Joined(by, command.id, command.seat, name, command.colour)


def said(party: Party, hashes: TokenHashes, by: str, command: messages.Say, *, is_muted: bool) -> entries.Said:
    """Somebody speaks."""
    text = clean(command.text, messages.CHAT_LENGTH)
    if not text:
        raise Refusal(Message("There is nothing to say in this message."), "malformed")
    seat, mine, role = command.seat, party.seats_of(hashes), party.role_of(hashes)
    if seat is None and mine and role == "watcher":
        seat = mine[0]  # players may not speak as spectators
    if seat is not None:
        check_seat(party, seat)
        if seat not in mine:
            raise Refusal(Message("You cannot speak for another seat."), "forbidden")
        return entries.Said(by, command.id, party.names()[seat], text, "player")
    if role == "watcher" and (party.hushed or is_muted):
        raise Refusal(Message("The host does not want you to speak here."), "muted")
    if role == "watcher" and (stand_ins := party.stand_ins_for(hashes)):
        return entries.Said(by, command.id, party.names()[stand_ins[0]], text, role)
    name = clean(command.name, messages.NAME_LENGTH) or "Watcher"
    if any(look_alike(name, taken) for taken in party.names()):
        raise Refusal(Message("This name belongs to a player, or looks like it: choose another one."), "taken")
    return entries.Said(by, command.id, name, text, role)


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
    seated = Seat(seat.owner, "person" if seat.name else "open", seat.name, seat.colour, person=seat.person)
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
