"""A table: a game in progress, the people at it, and the log that both follow from."""

import asyncio
import hashlib
import secrets
import time
from collections import deque
from collections.abc import Callable, Iterable
from random import Random, SystemRandom
from typing import Protocol

from kingdom_builder.notation import NotationError, action_text, parse_move, parse_position, play, position_of
from kingdom_builder.players import LEVELS
from kingdom_builder.rules import DRAWN, Action, State, observe
from kingdom_builder.rules.explanation import seat_letter
from kingdom_builder.server import entries, messages
from kingdom_builder.server.entries import AnyEntry, Chair
from kingdom_builder.server.journal import Journal
from kingdom_builder.server.messages import ChatLine, SeatView, TableView
from kingdom_builder.server.refusal import Refusal
from kingdom_builder.server.setups import another, deal, start_of
from kingdom_builder.server.story import FinishedGame, Story
from kingdom_builder.server.views import (
    EVERYTHING,
    Eyes,
    Moment,
    last_placed,
    log_line,
    own_view,
    pay_lines,
    setup_view,
    view_of,
)

CHAT_KEPT = 100
COMMANDS_KEPT = 256
"""Of these the ids are remembered, so that a repeated command is done once."""

COLOURS = 5
Keys = frozenset[str]
"""The hashes of the secrets that somebody has shown."""


class Viewer(Protocol):
    """A connection to a table."""

    keys: Keys

    def send(self, message: messages.AnyMessage) -> None: ...


def new_secret() -> str:
    """A part of a link that nobody can guess."""
    return secrets.token_urlsafe(16)


def hashed(secret: str) -> str:
    """What is kept of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()[:32]


class Table:
    """Everything about one table.

    A lock lets one command after the other through. An entry is stored first, then it takes effect: what people see is
    always what a restart of the server would give.
    """

    def __init__(self, identity: str, journal: Journal, opened: entries.Opened, rng: Random | None = None) -> None:
        self.id = identity
        self.journal = journal
        self.rng = rng or SystemRandom()
        self.viewers: set[Viewer] = set()
        self.lock = asyncio.Lock()
        self.version = 1
        self.changed = 1
        """The version in which the game was last changed."""
        self.game = 1
        self.touched = time.monotonic()
        self.on_change: Callable[[Table], None] = lambda table: None
        """Called after the game or the players have changed: a bot may be in turn."""
        self.chairs = list(opened.chairs)
        self._host, self._watch = opened.host, opened.watch
        self._choice = opened.choice
        self._chat: deque[ChatLine] = deque(maxlen=CHAT_KEPT)
        self._done: dict[tuple[str, str], int] = {}
        self._finished: list[FinishedGame] = []
        self._public_view: messages.View | None = None
        self._known_lines: dict[tuple[int, Eyes], messages.LogLine] = {}
        """Worked out for this version and the next viewer."""
        self._begin(opened.seed, opened.start, opened.moves)

    @classmethod
    def restore(cls, identity: str, journal: Journal, bodies: Iterable[bytes], rng: Random | None = None) -> "Table":
        """The table that a log tells of."""
        opened, *others = map(entries.decode, bodies)
        if not isinstance(opened, entries.Opened):
            raise ValueError(f"the log of table {identity} begins with {opened}: expected Opened")
        table = cls(identity, journal, opened, rng)
        for entry in others:
            table._follow(entry)
        return table

    # ---- what the log means --------------------------------------------------------------------------------------

    def _begin(self, seed: str, start: str, moves: str) -> None:
        self.seed = seed
        self._start = start
        self.state = parse_position(start)
        self.history: list[Moment] = []
        self._first_version = self.version
        self._kept: list[int] = []
        """For each version of this game, how many actions were left as they had been."""
        self._extend(moves)

    def _extend(self, moves: str) -> None:
        self._kept.append(len(self.history))
        for move in moves.split():
            (action,) = parse_move(self.state.setup, move)
            self.history.append((self.state.copy(), action))
            self.state.apply(action)
        self.changed = self.version

    def _follow(self, entry: AnyEntry) -> None:
        """Do what an entry of the log says."""
        self.version += 1
        self._public_view = None
        self._known_lines.clear()
        match entry:
            case entries.Played():
                self._extend(entry.moves)
            case entries.Undone():
                self._kept.append(entry.ply)
                self.state = self.history[entry.ply][0]
                del self.history[entry.ply :]
                self.changed = self.version
            case entries.Restarted():
                actions = [action for _, action in self.history]
                colours = [chair.colour for chair in self.chairs]
                self._finished.append(FinishedGame(self._start, actions, self.names(), colours))
                self.game += 1
                self.chairs = self.chairs[1:] + self.chairs[:1]
                self._begin(entry.seed, entry.start, entry.moves)
            case _:
                self._kept.append(len(self.history))
                self._follow_people(entry)
        if not isinstance(entry, entries.Opened):
            self._done[entry.by, entry.id] = self.version
            if len(self._done) > COMMANDS_KEPT:
                del self._done[next(iter(self._done))]

    def _follow_people(self, entry: AnyEntry) -> None:
        match entry:
            case entries.Joined():
                chair = self.chairs[entry.seat]
                kind = "person" if chair.kind == "open" else chair.kind
                self.chairs[entry.seat] = Chair(chair.key, kind, entry.name, entry.colour, chair.level)
            case entries.Said():
                self._chat.append(ChatLine(self.version, entry.name, entry.text))
            case entries.Reseated():
                self.chairs[entry.seat] = entry.chair

    async def _store(self, entry: AnyEntry) -> None:
        """Make an entry lasting, then let it take effect."""
        await self.journal.append(self.id, self.version + 1, entries.encode(entry))
        self._follow(entry)

    # ---- who is who ----------------------------------------------------------------------------------------------

    def knows(self, key: str) -> bool:
        """Whether somebody who has shown this key may be here."""
        return key in (self._host, self._watch) or any(chair.key == key for chair in self.chairs)

    def seats_of(self, keys: Keys) -> list[int]:
        """The seats that are played with these keys."""
        return [seat for seat, chair in enumerate(self.chairs) if chair.key in keys]

    def names(self) -> list[str]:
        return [chair.name or f"Player {seat_letter(seat)}" for seat, chair in enumerate(self.chairs)]

    def bot_in_turn(self) -> str:
        """The level of the bot that has to act; empty if a person has, or nobody."""
        if self.state.over:
            return ""
        return self.chairs[self.state.player].level

    def _is_host(self, keys: Keys) -> bool:
        return self._host in keys

    def _sender(self, keys: Keys) -> str:
        """Whose command ids are remembered together."""
        return min(keys)

    # ---- looking -------------------------------------------------------------------------------------------------

    def _eyes(self, keys: Keys) -> Eyes:
        """With whose eyes the game is seen: people who share a device see only the cards of the one in turn."""
        seats = self.seats_of(keys)
        if len(seats) > 1:
            return self.state.player if self.state.player in seats else None
        return seats[0] if seats else None

    def _log_eyes(self, keys: Keys) -> Eyes:
        """With whose eyes the log is read."""
        seats = self.seats_of(keys)
        return seats[0] if len(seats) == 1 else None

    def view(self, keys: Keys) -> messages.View:
        ply = len(self.history)
        if self._public_view is None:
            self._public_view = view_of(self.state, ply, None, last_placed(self.history, self.state, ply))
        acts = self.state.player in self.seats_of(keys)
        undo = acts and self._turn_began() < ply
        return own_view(self._public_view, self.state, self._eyes(keys), acts=acts, undo=undo)

    def _lines(self, keys: Keys, since: int = 0) -> list[messages.LogLine]:
        """The actions after the first `since`; viewers differ only in which drawn cards they may know."""
        eyes = self._log_eyes(keys)
        lines = []
        for ply in range(since, len(self.history)):
            before, action = self.history[ply]
            whose = eyes if action in DRAWN else None
            if (ply, whose) not in self._known_lines:
                after = self.history[ply + 1][0] if ply + 1 < len(self.history) else self.state
                self._known_lines[ply, whose] = log_line(before, action, after, ply + 1, whose)
            lines.append(self._known_lines[ply, whose])
        return lines

    def table_view(self, keys: Keys) -> TableView:
        present: set[str] = set()
        for viewer in self.viewers:
            present |= viewer.keys
        return TableView(
            id=self.id,
            game=self.game,
            seed=self.seed,
            seats=[
                SeatView(name, chair.kind, chair.colour, chair.level, chair.key in present)
                for name, chair in zip(self.names(), self.chairs, strict=True)
            ],
            yours=self.seats_of(keys),
            host=self._is_host(keys),
            advice=self.advises(keys),
            watchers=sum(not self.seats_of(viewer.keys) for viewer in self.viewers),
            chat=list(self._chat),
        )

    def _welcome(self, keys: Keys, setup: messages.SetupView) -> messages.Welcome:
        return messages.Welcome(
            protocol=messages.PROTOCOL,
            version=self.version,
            table=self.table_view(keys),
            setup=setup,
            view=self.view(keys),
            lines=self._lines(keys),
        )

    def update(self, keys: Keys, version: int) -> messages.Update:
        """What somebody does not know who saw this version of this game."""
        kept = min(self._kept[version - self._first_version + 1 :], default=len(self.history))
        return messages.Update(self.version, kept, self._lines(keys, kept), self.view(keys))

    def story(self, keys: Keys, game: int = 0) -> Story:
        """A game at this table, by default the present one. A finished one has no secrets."""
        if game in (0, self.game):
            eyes = EVERYTHING if self.state.over else self._log_eyes(keys)
            colours = [chair.colour for chair in self.chairs]
            advice = self.state.over or self.advises(keys)
            return Story(self.history[:], self.state.copy(), self.names(), colours, eyes, advice=advice)
        if not 1 <= game < self.game:
            raise Refusal("unknown-game", f"There is no game {game} at this table: expected 1 to {self.game}.")
        return self._finished[game - 1].story()

    # ---- coming and going ----------------------------------------------------------------------------------------

    async def arrive(self, viewer: Viewer, hello: messages.Hello) -> None:
        """Somebody opens a page of this table, or comes back to it."""
        async with self.lock:
            self.viewers.add(viewer)
            self.touched = time.monotonic()
            if hello.game == self.game and self._first_version <= hello.version <= self.version:
                viewer.send(self.update(viewer.keys, hello.version))
            else:
                viewer.send(self._welcome(viewer.keys, setup_view(parse_position(self._start))))
            self._tell_of_people()
            self.on_change(self)

    def leave(self, viewer: Viewer) -> None:
        self.viewers.discard(viewer)
        self.touched = time.monotonic()
        self._tell_of_people()

    def _tell_of_people(self) -> None:
        for viewer in self.viewers:
            viewer.send(messages.Table(self.version, self.table_view(viewer.keys)))

    def _tell_of_game(self, version: int) -> None:
        """Send what has changed since a version."""
        for viewer in self.viewers:
            viewer.send(self.update(viewer.keys, version))

    # ---- commands ------------------------------------------------------------------------------------------------

    async def obey(self, viewer: Viewer, command: messages.TableCommand) -> None:
        """Carry out a command and answer it. Raises Refusal or StoreError, having changed nothing."""
        async with self.lock:
            match command:
                case messages.Hello():
                    raise Refusal("malformed", "This connection has been greeted already.")
                case messages.Ping():
                    viewer.send(messages.Pong(command.id))
                case messages.Why():
                    viewer.send(messages.Reason(command.id, self.version, self._why_not(viewer.keys, command.move)))
                case messages.Pay():
                    viewer.send(messages.Payment(command.id, self.version, pay_lines(self.state)))
                case _:
                    await self._change(viewer, command)

    async def _change(self, viewer: Viewer, command: messages.Change) -> None:
        keys = viewer.keys
        for key in keys:  # a page may show other keys than when it sent the command first
            if (before := self._done.get((key, command.id))) is not None:
                viewer.send(messages.Done(command.id, before))
                return
        game, version, secret = self.game, self.version, None
        if isinstance(command, messages.Reseat):
            entry, secret = self._reseated(keys, command)
        else:
            entry = self._entry(keys, command)
        await self._store(entry)
        self.touched = time.monotonic()
        viewer.send(messages.Done(command.id, self.version, secret and f"{self.id}.{secret}"))
        if self.game != game:
            setup = setup_view(parse_position(self._start))
            for each in self.viewers:
                each.send(self._welcome(each.keys, setup))
        elif self.changed > version:
            self._tell_of_game(version)
        else:
            if isinstance(entry, entries.Reseated):
                self._tell_of_game(version)  # who lost a seat may see less
            self._tell_of_people()
        self.on_change(self)

    def _entry(self, keys: Keys, command: messages.Change) -> AnyEntry:
        """What a command would enter in the log."""
        by = self._sender(keys)
        match command:
            case messages.Play():
                self._check_turn(keys, command.version)
                return entries.Played(by, command.id, self._moves(command.move))
            case messages.Undo():
                self._check_turn(keys, command.version)
                return entries.Undone(by, command.id, self._undo_to(command.whole_turn))
            case messages.Join():
                return self._joined(keys, command)
            case messages.Say():
                return self._said(keys, command)
            case messages.Rematch():
                return self._restarted(keys, command)
        raise Refusal("malformed", f"{type(command).__name__} is no command for a table.")

    def _check_turn(self, keys: Keys, version: int) -> None:
        if not self.seats_of(keys):
            raise Refusal("forbidden", "You are looking on: only players can do that.")
        if not self.changed <= version <= self.version:
            raise Refusal("stale", "The game has gone on meanwhile: look at the board again.")
        if self.state.over:
            raise Refusal("illegal", "The game is over.")
        if self.state.player not in self.seats_of(keys):
            raise Refusal("forbidden", f"It is the turn of {self.names()[self.state.player]}.")

    def _moves(self, move: str) -> str:
        """A move with the draws that follow."""
        trial = self.state.copy()
        try:
            actions = self._try(trial, move)
        except NotationError as error:
            raise Refusal("illegal", sentence(error.reason.removeprefix(f"{move}: "))) from None
        texts = [action_text(trial.setup, action) for action in actions]
        return " ".join([*texts, deal(trial, self.rng)]).strip()

    def _try(self, trial: State, move: str) -> list[Action]:
        """Carry out a move of a player. Draws are none, legal or not: that would tell what is left in the pile."""
        if any(action in DRAWN for action in parse_move(trial.setup, move)):
            raise NotationError("Cards are drawn by the server.", move, 0)
        return play(trial, move)

    def _turn_began(self) -> int:
        """To which action the player in turn may go back."""
        ply = len(self.history)
        turn = (self.state.round, self.state.player)
        while ply and not self.state.over:
            before, action = self.history[ply - 1]
            if action in DRAWN or (before.round, before.player) != turn:
                break
            ply -= 1
        return ply

    def _undo_to(self, whole_turn: bool) -> int:
        earliest = self._turn_began()
        if earliest == len(self.history):
            raise Refusal("illegal", "There is nothing to undo in this turn: a drawn card cannot be taken back.")
        return earliest if whole_turn else len(self.history) - 1

    def _why_not(self, keys: Keys, move: str) -> str | None:
        if self.state.over:
            return "The game is over."
        if self.state.player not in self.seats_of(keys):
            return f"It is the turn of {self.names()[self.state.player]}."
        try:
            self._try(self.state.copy(), move)
        except NotationError as error:
            return sentence(error.reason.removeprefix(f"{move}: "))
        return None

    def _seat(self, seat: int) -> Chair:
        if not 0 <= seat < len(self.chairs):
            raise Refusal("malformed", f"There is no seat {seat}: expected 0 to {len(self.chairs) - 1}.")
        return self.chairs[seat]

    def _joined(self, keys: Keys, command: messages.Join) -> AnyEntry:
        self._seat(command.seat)
        if command.seat not in self.seats_of(keys):
            raise Refusal("forbidden", "This seat belongs to somebody else.")
        name = clean(command.name, messages.NAME_LENGTH)
        if not 0 <= command.colour < COLOURS:
            raise Refusal("malformed", f"There is no colour {command.colour}: expected 0 to {COLOURS - 1}.")
        others = [chair.colour for seat, chair in enumerate(self.chairs) if seat != command.seat]
        if command.colour in others:
            raise Refusal("taken", "This colour is taken: choose another one.")
        return entries.Joined(self._sender(keys), command.id, command.seat, name, command.colour)

    def _said(self, keys: Keys, command: messages.Say) -> AnyEntry:
        text = clean(command.text, messages.CHAT_LENGTH)
        if not text:
            raise Refusal("malformed", "There is nothing to say in this message.")
        name = clean(command.name, messages.NAME_LENGTH) or "Watcher"
        if command.seat is not None:
            self._seat(command.seat)
            if command.seat not in self.seats_of(keys):
                raise Refusal("forbidden", "You cannot speak for another seat.")
            name = self.names()[command.seat]
        elif name.casefold() in [taken.casefold() for taken in self.names()]:
            raise Refusal("taken", "This name belongs to a player: choose another one.")
        return entries.Said(self._sender(keys), command.id, name, text)

    def _check_host(self, keys: Keys) -> None:
        if not self._is_host(keys):
            raise Refusal("forbidden", "Only the host of the table can do that.")

    def _reseated(self, keys: Keys, command: messages.Reseat) -> tuple[AnyEntry, str | None]:
        """The entry, and the secret of the new player if it is a person."""
        self._check_host(keys)
        chair = self._seat(command.seat)
        if command.level:
            check_level(command.level)
            seated, secret = Chair("", "bot", "", chair.colour, command.level), None
        else:
            secret = new_secret()
            seated = Chair(hashed(secret), "open", "", chair.colour)
        return entries.Reseated(self._sender(keys), command.id, command.seat, seated), secret

    def _restarted(self, keys: Keys, command: messages.Rematch) -> AnyEntry:
        self._check_host(keys)
        if not self.state.over:
            raise Refusal("illegal", "The game is not over yet: a rematch is possible after its end.")
        if command.same_board:
            start, seed = parse_position(self._start), self.seed
        else:
            start, seed = start_of(another(self._choice), len(self.chairs))
        moves = deal(start, self.rng)
        return entries.Restarted(self._sender(keys), command.id, seed, position_of(start), moves)

    # ---- advice --------------------------------------------------------------------------------------------------

    def advises(self, keys: Keys) -> bool:
        """Whether somebody may have hints: nobody else is a person at another device."""
        return bool(self.seats_of(keys)) and all(chair.level or chair.key in keys for chair in self.chairs)

    def position_for_hint(self, keys: Keys) -> str:
        """What the seat in turn may see. Raises Refusal if it may not have a hint."""
        self._check_turn(keys, self.version)
        if not self.advises(keys):
            raise Refusal("forbidden", "There are no hints where people play at other devices.")
        return position_of(observe(self.state, self.state.player))

    # ---- bots ----------------------------------------------------------------------------------------------------

    async def act_for_bot(self, version: int, move: str) -> bool:
        """A move of the bot in turn; nothing is done if the game has changed since it began to think."""
        async with self.lock:
            if self.changed != version or not self.bot_in_turn():
                return False
            before = self.version
            await self._store(entries.Played("bot", f"{before}", self._moves(move)))
            self._tell_of_game(before)
            return True


def check_level(level: str) -> None:
    """Refuse a bot that does not exist. Budgets of one's own are not for strangers to set."""
    if level not in LEVELS:
        raise Refusal("malformed", f"There is no bot {level!r}: expected one of {', '.join(LEVELS)}.")


def sentence(text: str) -> str:
    """A reason as a sentence of its own; the name of a hex stays as it is."""
    first = text[:1] if text[1:2].isdigit() else text[:1].upper()
    return f"{first}{text[1:]}{'' if text.endswith('.') else '.'}"


def clean(text: str, length: int) -> str:
    """A text of people without line breaks and control characters."""
    shown = "".join(character if character.isprintable() else " " for character in text)
    text = " ".join(shown.split())
    if len(text) > length:
        raise Refusal("too-large", f"The text has {len(text)} characters: expected at most {length}.")
    return text
