"""What a page of the lobby sends and gets: open tables, people who look for a game, and what became of one's search.

A connection begins with Hello, without tokens, and may Ping; answers to commands are Done or Refused.
"""

from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta, field

from kingdom_builder.server.messages.commands import Command, Hello, Ping
from kingdom_builder.server.messages.requests import ClockChoice
from kingdom_builder.server.messages.sent import Done, Pong, Refused, ServerMessage

ShortText = Annotated[str, Meta(max_length=40)]


class Seek(Command):
    """Look for a game with others who want the same. It takes the place of the search for another live game."""

    id: ShortText
    clock: ClockChoice
    """A game with a clock of days is looked for while one is away, others only while a page of the lobby is open."""
    least: Annotated[int, Meta(ge=2, le=3)] = 2
    """The fewest players; with 3, there are three or four of them."""
    sets: Annotated[list[ShortText], Meta(max_length=20)] = field(default_factory=lambda: ["base"])
    rated: bool = False


class Cancel(Command):
    """Do not look for this game any more."""

    id: ShortText
    seek: ShortText


class Bots(Command):
    """Play this game with bots, at once."""

    id: ShortText
    seek: ShortText


class Took(Command):
    """We know of this table: do not announce it again."""

    id: ShortText
    table: ShortText


AnyLobbyCommand = Hello | Seek | Cancel | Bots | Took | Ping


@dataclass(slots=True, frozen=True)
class LobbySeat:
    """A seat of a table in the lobby, and who has it."""

    free: bool
    name: str = ""
    """Empty for somebody who has not chosen one."""
    level: str = ""
    """The level of a bot; empty for a person."""
    person: str = ""
    """Who it is, for the page about them; empty if they are not known."""
    colour: int = 0
    points: int | None = None
    """Their rating for such games."""
    provisional: bool = False


@dataclass(slots=True, frozen=True)
class LobbyTable:
    """An open table: with free seats to take, or with a game to look at."""

    table: str
    since: int
    """When its game began, in seconds."""
    clock: ClockChoice
    sets: list[str]
    """The boxes."""
    rated: bool
    round: int
    seats: list[LobbySeat]


@dataclass(slots=True, frozen=True)
class LobbySeek:
    """Somebody who looks for a game."""

    seek: str
    since: int
    """In seconds."""
    name: str
    person: str
    points: int | None
    provisional: bool
    clock: ClockChoice
    least: int
    most: int
    sets: list[str]
    rated: bool


class Lobby(ServerMessage):
    """The whole lobby: after Hello, and for whoever has missed some news."""

    online: int
    """The number of people who have a page open, here or at a table."""
    tables: list[LobbyTable]
    """Open tables, at most 100 of those with free seats and 100 of the others: the newest."""
    seeks: list[LobbySeek]
    """At most 100: those who have waited longest."""


class LobbyNews(ServerMessage):
    """What has changed in the lobby since the last message."""

    online: int
    tables: list[LobbyTable]
    """Those that are new, or have changed."""
    seeks: list[LobbySeek]
    gone: list[str]
    """Tables and seeks that are not there any more."""


@dataclass(slots=True, frozen=True)
class OwnSeek:
    """A game that one looks for."""

    seek: str
    waited: float
    """Seconds so far."""
    bots_in: float
    """Seconds until bots are offered; 0 if they are offered now."""
    clock: ClockChoice
    least: int
    most: int
    sets: list[str]
    rated: bool


class Own(ServerMessage):
    """What one looks for oneself."""

    seeks: list[OwnSeek]
    can_rate: bool
    """Whether this server can rate games."""


class Paired(ServerMessage):
    """A game has been found. It is announced until the page says with Took that it knows."""

    table: str
    seek: str
    live: bool
    """Whether the others are there now."""


AnyLobbyMessage = Lobby | LobbyNews | Own | Paired | Done | Refused | Pong
