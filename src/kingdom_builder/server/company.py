"""Requests of people about who plays on: taking a free seat, going on without somebody, giving up, wanting the same.

Each becomes an entry, or is refused.
"""

from kingdom_builder.message import Message, Refusal, SeatName
from kingdom_builder.server import entries, messages
from kingdom_builder.server.entries import Seat
from kingdom_builder.server.party import Party, stand_in
from kingdom_builder.server.people import check_seat, free_colour, free_name
from kingdom_builder.server.tokens import TokenHashes

STAND_IN = "greedy"
"""The level of the bots that play on for people who have left."""

PAIR = 2

OWN_ID = 16
"""The fewest characters of the id of a command that nobody else has by chance. Whoever takes a seat without being known
gets a token made of the link of the table, which others have as well, and of this id."""


def free_seats(party: Party, hashes: TokenHashes, *, is_open: bool) -> list[int]:
    """The seats that somebody may take: with the table's link, or if the table is open to everybody."""
    if not is_open and party.invite not in hashes:
        return []
    if is_open and party.seats_of(hashes):
        return []  # one seat each among strangers
    return [number for number, seat in enumerate(party.seats) if seat.kind == "open"]


def sat(
    party: Party, hashes: TokenHashes, by: str, command: messages.Sit, *, is_open: bool, person: str, token_hash: str
) -> entries.Sat:
    """Somebody takes a free seat. The hash is of a token for those who are not known as persons."""
    seat = check_seat(party, command.seat)
    if command.seat not in free_seats(party, hashes, is_open=is_open):
        if seat.kind != "open":
            raise Refusal(Message("Somebody sits there already: choose another seat."), "taken")
        if party.seats_of(hashes):
            raise Refusal(Message("You have a seat at this table already."), "taken")
        raise Refusal(Message("It takes the link of the table to take a seat here."), "forbidden")
    if not person and not token_hash:
        raise Refusal(
            Message("This browser keeps no cookies, so it would lose the seat: ask for the link of the table."),
            "unknown-person",
        )
    if not person and len(command.id) < OWN_ID:
        raise Refusal(
            Message("The id of a command that takes a seat has to be random, with {n} characters or more.", n=OWN_ID)
        )
    name = free_name(party, command.seat, hashes, command.name)
    colour = seat.colour if command.colour is None else free_colour(party, command.seat, command.colour)
    seated = Seat("" if person else token_hash, "person", name, colour, person=person)
    return entries.Sat(by, command.id, command.seat, seated)


def consented(
    party: Party, hashes: TokenHashes, by: str, command: messages.Consent, *, is_long_paused: bool
) -> entries.Consented:
    """Players want something, or do not want it any more. A long pause ends once one of them wants that."""
    mine = _own_seats(party, hashes)
    alone = is_long_paused and command.to == "resume" and command.on
    if not alone and command.on == (set(mine) <= party.consents.get(command.to, set())):
        raise Refusal(Message("You have said so already."), "illegal")
    return entries.Consented(by, command.id, command.to, mine, command.on, alone)


def replaced(
    party: Party, hashes: TokenHashes, by: str, command: messages.Replace, present: set[int], *, among_strangers: bool
) -> entries.Reseated | entries.Voted:
    """A player wants a bot to play for somebody who is away, or at a free seat.

    It does once most of those who are here want that.
    """
    mine = _own_seats(party, hashes)
    here = (present | set(mine)) - {command.seat}
    wanting = (party.votes.get(command.seat, set()) | set(mine)) & here
    if 2 * len(wanting) > len(here):
        seat = party.seats[command.seat]
        seated = stand_in(seat, STAND_IN)
        if seat.kind == "open" and among_strangers:
            seated = Seat("", "bot", "", seat.colour, STAND_IN)  # for nobody; a friend's link still opens the seat
        return entries.Reseated(by, command.id, command.seat, seated)
    return entries.Voted(by, command.id, command.seat, mine)


def claimed(party: Party, hashes: TokenHashes, by: str, command: messages.Claim) -> tuple[entries.Ended, int]:
    """A player wins since the other one has left; with the seat that must have been away for long enough."""
    mine = _own_seats(party, hashes)
    if len(party.seats) != PAIR or len(mine) != 1:
        raise Refusal(Message("Only a game of two can be claimed: let a bot play on."), "illegal")
    return entries.Ended(by, command.id, mine[0], "claimed"), 1 - mine[0]


def left(party: Party, hashes: TokenHashes, by: str, command: messages.Leave) -> entries.Ended | entries.Reseated:
    """A player gives up: the other one wins, or with more than two a bot plays on."""
    mine = _own_seats(party, hashes)
    if len(mine) > 1:
        raise Refusal(Message("Several players share this page: there is nobody to give up to."), "illegal")
    if len(party.seats) == PAIR:
        return entries.Ended(by, command.id, 1 - mine[0], "gave-up")
    return entries.Reseated(by, command.id, mine[0], stand_in(party.seats[mine[0]], STAND_IN))


def _own_seats(party: Party, hashes: TokenHashes) -> list[int]:
    mine = party.seats_of(hashes)
    if not mine:
        raise Refusal(Message("You are looking on: only players can do that."), "forbidden")
    return mine


def still_here(seat: int) -> Refusal:
    """Why the others cannot go on without somebody yet."""
    return Refusal(Message("{seat} is here, or may still come back: wait a little.", seat=SeatName(seat)), "illegal")


def still_free(seat: int) -> Refusal:
    """Why a free seat cannot go to a bot yet."""
    return Refusal(
        Message("Somebody may still take the seat of {seat}: wait a little.", seat=SeatName(seat)), "illegal"
    )
