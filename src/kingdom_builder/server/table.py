"""A table: a game, the people at it, and the log that both follow from."""

import asyncio
import time
from collections.abc import Callable, Mapping
from random import Random, SystemRandom
from typing import NamedTuple, cast

import msgspec

from kingdom_builder.board import Section
from kingdom_builder.daily import PERSON, Daily, parse_day
from kingdom_builder.game import Game, parse_actions
from kingdom_builder.lessons import LEARNER, Progress, lessons
from kingdom_builder.message import Message, Refusal, SeatName
from kingdom_builder.notation import NotationError, action_text, as_played_under, parse_stored_position, position_of
from kingdom_builder.rules import (
    DRAWN,
    EVERYTHING,
    RULES_VERSION,
    Action,
    Deal,
    Perspective,
    at_random,
    observe,
    seen_by,
)
from kingdom_builder.rules.state import HAND
from kingdom_builder.server import entries, messages, people, words
from kingdom_builder.server.entries import AnySent, Seat
from kingdom_builder.server.journal import Doubt, Journal, Loaded
from kingdom_builder.server.messages import DailyGame, SeatView, TableView, WatcherView
from kingdom_builder.server.pacing import Pace
from kingdom_builder.server.party import Party, keys_of
from kingdom_builder.server.sentences import refusal, sent_sentence
from kingdom_builder.server.setups import another, dealt, start_of
from kingdom_builder.server.tokens import TokenHashes, derived_token, token_hash
from kingdom_builder.server.transcript import Transcript
from kingdom_builder.server.viewers import Seen, Viewer, Viewers
from kingdom_builder.server.views import (
    explanations,
    lesson_place,
    log_line,
    own_view,
    score_lines,
    setup_view,
    view_of,
)

COMMANDS_KEPT = 256
"""How many command ids are remembered for each token, so that a repeated command is done only once."""

MOST_ENTRIES = 25_000
"""The most entries in the log of a table. The longest evening needs a tenth of that."""

SHARES = {"watcher": 0.2, "talk": 0.4, "player": 0.6, "host": 0.8, "move": 1.0}
"""How full the log may be for each kind of entry, so that endless talk or undo does not keep others from what matters
more. At the end only moves are possible, so that the game can end."""

MOST_ACTIONS, MOST_OF_A_TURN = 2_000, 300
"""The most actions of people in one game and in one turn: several times as many as the longest have. Some actions can
be begun again and again; a bot that takes over such a turn can still end it."""

ID_LENGTH = 100


class Carried(NamedTuple):
    """A command that was carried out."""

    version: int
    made_token: bool
    """Whether it made a token, which is sent again if the command is repeated."""


class Table:
    """Everything about one table.

    A lock lets one command through at a time. An entry is stored first, then it takes effect: people always see what
    they would see after a restart of the server.
    """

    def __init__(
        self, identity: str, journal: Journal, generation: int, opened: entries.Opened, rng: Random | None = None
    ) -> None:
        self.id = identity
        self.journal = journal
        self.generation = generation
        """The generation of the journal in which this table was loaded."""
        self.rng = rng or SystemRandom()
        self.clock: Callable[[], float] = time.time
        """The wall clock, in seconds."""
        self.party = Party(opened)
        self.viewers = Viewers()
        self.lock = asyncio.Lock()
        self.trouble: Refusal | None = None
        """Why the log cannot be read to its end, so that the table can only be looked at; None if it can be read."""
        self.version = 1
        self.changed = 1
        """The version in which the game was last changed."""
        self.game_number = 1
        self.visitor = ""
        """The visitor who came last: the bots' thinking counts as theirs."""
        self.touched = time.monotonic()
        """When somebody was last here."""
        self.on_change: Callable[[Table], None] = lambda table: None
        """Called after the game or the players have changed: it may be a bot's turn."""
        self.sections: Mapping[str, Section] = {}
        """The sections of the server for games on a new board."""
        self.on_stored: Callable[[Table], None] = lambda table: None
        """Called after every entry that was stored and has taken effect."""
        self.on_ended: Callable[[Table], None] = lambda table: None
        """Called with a game that is over, before the next one takes its place."""
        self.on_lost: Callable[[Table], None] = lambda table: None
        """Called when the stored log may differ from this table."""
        self.is_open = opened.open
        """Whether everybody may take a seat or look on without a link."""
        self.time_control = opened.clock
        self.rated = opened.rated
        """Whether the games here count for the ratings of the players."""
        self.began = self.moved = int(opened.created)
        """When the current game began and when it was last changed, in seconds by the server's clock."""
        self.daily = opened.daily
        """The date of the daily game that is played here; empty if none is, or not any more."""
        self._choice = opened.choice
        self._lesson = lessons().get(opened.lesson)
        self._carried: dict[str, dict[str, Carried]] = {}
        self._finished: list[Transcript] = []
        self._shown = 1
        """The first version with the current view of the game."""
        self._public_view: messages.View | None = None
        self._lines: dict[tuple[int, Perspective], msgspec.Raw] = {}
        """The lines of the log that somebody has asked for, as sent."""
        deal = at_random(self.rng.random)
        if opened.daily:
            deal = Daily(parse_day(opened.daily)).draw
        elif self._lesson:
            deal = self._lesson.deal(deal)
        self._begin(opened.seed, opened.start, opened.moves, opened.rules, deal)

    @classmethod
    async def restore(
        cls,
        identity: str,
        journal: Journal,
        loaded: Loaded,
        rng: Random | None = None,
        on_ended: Callable[["Table"], None] = lambda table: None,
    ) -> "Table":
        """The table of a log, as far as it can be read. Raises Refusal if even its beginning cannot.

        `on_ended` is called for every game before the last one, at its end.
        """
        first, *others = loaded.entries
        opened = entries.read(first, 1)
        if not isinstance(opened, entries.Opened):
            raise Refusal(
                Message("The log of this table is damaged: its first entry is not that of a table."), "damaged"
            )
        try:
            table = cls(identity, journal, loaded.generation, opened, rng)
        except ValueError as error:
            raise _no_longer_legal(opened.rules, error) from None
        table.on_ended = on_ended
        pace = Pace()
        for number, stored in enumerate(others, 2):
            try:
                entry = entries.read(stored, number)
            except Refusal as trouble:
                table.trouble = trouble
                break
            if isinstance(entry, entries.Opened):
                message = Message("The log of this table is damaged: entry {n} opens it again.", n=number)
                table.trouble = Refusal(message, "damaged")
                break
            try:
                table._apply_entry(entry)
            except (ValueError, LookupError) as error:
                table.trouble = _no_longer_legal(table._rules, error)
                break
            await pace.rest()
        return table

    # ---- what the log means --------------------------------------------------------------------------------------

    def _begin(self, seed: str, start: str, moves: str, rules: int, deal: Deal | None = None) -> None:
        self.seed = seed
        self._rules = rules
        self._start = as_played_under(start, rules)
        self.game = Game.restore(parse_stored_position(self._start), seed=self.rng, deal=deal)
        self._first_version = self.version
        self._kept: list[int] = []
        """For each version of this game, the number of actions that did not change."""
        self._progress = Progress(self._lesson, self.game) if self._lesson else None
        self._lines.clear()
        self._extend(parse_actions(self.game.setup, moves))

    def _extend(self, actions: list[Action]) -> None:
        self._kept.append(len(self.game.plies))
        for action in actions:
            if action in DRAWN and self.game.state.awaiting == HAND:
                self.party.card_drawn(self.game.player)
            self.game.apply(action)
        if self._progress:
            self._progress.moved()
        if self.game.over:
            self.party.end_game()
        self.changed = self._shown = self.version

    def _apply_entry(self, entry: AnySent, actions: list[Action] | None = None) -> None:
        """Apply an entry of the log; `actions` are those of a move, if it has already been read."""
        if isinstance(entry, entries.Restarted):
            self.on_ended(self)
        self.version += 1
        self._public_view = None
        match entry:
            case entries.Played():
                self._extend(parse_actions(self.game.setup, entry.moves) if actions is None else actions)
            case entries.Undone():
                self._kept.append(entry.ply)
                self.game.undo_to(entry.ply)
                if self._progress:
                    self._progress.undone()
                self._lines = {key: line for key, line in self._lines.items() if key[0] < entry.ply}
                self.changed = self._shown = self.version
            case entries.Restarted():
                self._finished.append(self._transcript(EVERYTHING))
                self.game_number += 1
                self.daily = ""
                self.party.new_game()
                self._begin(entry.seed, entry.start, entry.moves, entry.rules)
                self.began = entry.at // 1000 or self.began
            case _:
                self._kept.append(len(self.game.plies))
                self._apply_people_entry(entry)
        if self.changed == self.version:
            self.moved = entry.at // 1000 or self.moved
        made_token = _makes_token(entry)
        for sender in entry.by.split():
            carried = self._carried.setdefault(sender, {})
            carried[entry.id] = Carried(self.version, made_token)
            if len(carried) > COMMANDS_KEPT:
                del carried[next(iter(carried))]

    def _apply_people_entry(self, entry: AnySent) -> None:
        has_hand = False
        if isinstance(entry, entries.Reseated):
            has_hand = bool(self.game.state.hands[entry.seat]) and not self.game.over
            if not entry.back and not keys_of(entry.seated) & keys_of(self.party.seats[entry.seat]):
                self._carried.pop(self.party.seats[entry.seat].token_hash, None)
            self.daily = ""  # somebody else plays on
        self.party.apply_entry(entry, self.version, len(self.game.plies), has_hand)
        if isinstance(entry, entries.Reseated | entries.Agreed):
            self._shown = self.version
        elif isinstance(entry, entries.Renewed):
            self.viewers.forgive()

    async def _store(self, entry: AnySent, actions: list[Action] | None = None, person: str = "") -> None:
        """Store an entry, then apply it. `person` is who sent it, if known."""
        if self.trouble is not None:
            raise self.trouble
        if self.version >= MOST_ENTRIES * SHARES[_kind(entry)]:
            raise Refusal(
                Message("So much has happened at this table that no more of this can be kept: make a new one."), "full"
            )
        entry.at = round(self.clock() * 1000)
        try:
            version = self.version + 1
            body, texts = entries.encode(entry)
            rows = words.rows_of(self.id, version, person, texts)
            await self.journal.append(self.id, version, entries.FORMAT, body, self.generation, rows)
        except (Doubt, asyncio.CancelledError):
            self.on_lost(self)  # it may be stored after all
            raise
        self._apply_entry(entry, actions)
        self.on_stored(self)

    # ---- looking -------------------------------------------------------------------------------------------------

    @property
    def is_lesson(self) -> bool:
        return self._lesson is not None

    def bot_in_turn(self) -> str:
        """The level of the bot whose turn it is; empty if it is a person's turn, or nobody's."""
        if self.game.over or self.trouble is not None:
            return ""
        return self.party.seats[self.game.player].level

    def is_looked_at(self, seconds: float) -> bool:
        """Whether somebody is here, or was here at most this many seconds ago."""
        return bool(self.viewers) or time.monotonic() - self.touched < seconds

    def _perspective(self, hashes: TokenHashes) -> Perspective:
        """How somebody sees the game: people who share a device see only the cards of the current player.

        A veiled hand is hidden from its own player too, except in their turn.
        """
        player, veils, mine = self.game.player, self.party.veils, self.party.seats_of(hashes)
        seats = [seat for seat in mine if seat not in veils or seat == player]
        if len(mine) > 1:
            return player if player in seats else None
        return seats[0] if seats else None

    def _log_perspective(self, hashes: TokenHashes) -> Perspective:
        """How somebody reads the log."""
        seats = self.party.seats_of(hashes)
        return seats[0] if len(seats) == 1 and seats[0] not in self.party.veils else None

    def view(self, hashes: TokenHashes) -> messages.View:
        """The game as somebody may see it."""
        if self._public_view is None:
            self._public_view = view_of(self.game.state, len(self.game.plies), None, self.game.last_placed())
        acts = self.game.player in self.party.seats_of(hashes)
        undo = acts and self.game.undo_limit < len(self.game.plies)
        instead = self.game.other_sources() if undo else 0
        view = own_view(
            self._public_view, self.game.state, self._perspective(hashes), acts=acts, undo=undo, instead=instead
        )
        view.lesson = lesson_place(self._progress, self.game.state) if self._progress else None
        return view

    def _line(self, ply: int, perspective: Perspective) -> msgspec.Raw:
        """The log line of the action after the first `ply`; viewers see different drawn cards at most."""
        whose = perspective if self.game.plies[ply].action in DRAWN else None
        line = self._lines.get((ply, whose))
        if line is None:
            line = self._lines[ply, whose] = msgspec.Raw(msgspec.json.encode(log_line(self.game, ply, whose)))
        return line

    def _lines_since(self, hashes: TokenHashes, since: int) -> list[messages.LogLine]:
        perspective = self._log_perspective(hashes)
        lines = [self._line(ply, perspective) for ply in range(since, len(self.game.plies))]
        return cast("list[messages.LogLine]", lines)  # encoded already

    async def _prepare_lines(self, hashes: TokenHashes) -> None:
        """Make all lines of the log, with breaks for others."""
        perspective, pace, ply = self._log_perspective(hashes), Pace(), 0
        while ply < len(self.game.plies):
            self._line(ply, perspective)
            ply += 1
            await pace.rest()

    def table_view(self, hashes: TokenHashes) -> TableView:
        """The people as one viewer may see them."""
        party = self.party
        present = self.viewers.present()
        spectators = self.viewers.spectators(party)
        is_host = party.is_host(hashes)
        return TableView(
            id=self.id,
            game=self.game_number,
            seed=self.seed,
            seats=[
                SeatView(
                    seat.name,
                    seat.kind,
                    seat.colour,
                    seat.level,
                    not present.isdisjoint(keys_of(seat)),
                    number in party.veils and not seat.level,
                    bool(seat.level and keys_of(seat)),
                )
                for number, seat in enumerate(party.seats)
            ],
            yours=party.seats_of(hashes),
            host=is_host,
            hints=self.gives_hints(hashes),
            watchers=len(spectators),
            watcher_list=[
                WatcherView(viewer.number, viewer.name, self.viewers.is_muted(viewer))
                for viewer in spectators
                if is_host and viewer.hashes == {party.watch}
            ],
            hushed=party.hushed,
            agreeable=party.agreeable(hashes),
            notices=list(party.notices),
            daily=self.daily,
            stand_ins=party.stand_ins_for(hashes),
        )

    def _welcome(self, hashes: TokenHashes) -> messages.Welcome:
        return messages.Welcome(
            protocol=messages.PROTOCOL,
            version=self.version,
            table=self.table_view(hashes),
            setup=setup_view(self.game.start),
            view=self.view(hashes),
            lines=self._lines_since(hashes, 0),
            chat=list(self.party.chat),
        )

    def update(self, hashes: TokenHashes, version: int) -> messages.Update:
        """The update for somebody who has seen this version of this game."""
        kept = min(self._kept[version - self._first_version + 1 :], default=len(self.game.plies))
        return messages.Update(self.version, kept, self._lines_since(hashes, kept), self.view(hashes))

    def transcript(self, hashes: TokenHashes, game: int = 0) -> Transcript:
        """A game at this table, by default the current one. A finished game has no secrets."""
        if game in (0, self.game_number):
            perspective = EVERYTHING if self.game.over else self._log_perspective(hashes)
            return self._transcript(perspective, hints=self.game.over or self.gives_hints(hashes))
        if not 1 <= game < self.game_number:
            raise Refusal(
                Message("There is no game {n} at this table: expected 1 to {most}.", n=game, most=self.game_number),
                "unknown-game",
            )
        return self._finished[game - 1]

    def _transcript(self, perspective: Perspective, *, hints: bool = True) -> Transcript:
        return Transcript(
            self._start,
            self.game.actions(),
            [seat.name for seat in self.party.seats],
            [seat.colour for seat in self.party.seats],
            perspective,
            hints=hints,
            refusal=refusal(self.trouble) if self.trouble else None,
        )

    # ---- coming and going ----------------------------------------------------------------------------------------

    async def connect(self, viewer: Viewer, hello: messages.Hello, most: int) -> None:
        """Somebody opens a page of this table, or comes back to it; at most `most` pages can be open."""
        await self._prepare_lines(viewer.hashes)
        await self._bind(viewer)
        self.viewers.add(viewer, self.party, most)
        self._touch(viewer)
        if hello.game == self.game_number and self._first_version <= hello.version <= self.version:
            viewer.seen = Seen(self.game_number, hello.version, False, hello.version)
        self.viewers.broadcast_presence()
        self.on_change(self)

    async def _bind(self, viewer: Viewer) -> None:
        """Give the seats whose links somebody has opened to the person that they are."""
        if not viewer.person or self._lesson or self.trouble is not None:
            return
        async with self.lock:
            for number in self.party.seats_of(viewer.hashes):
                seat = self.party.seats[number]
                if not seat.person:
                    by = " ".join(sorted(viewer.hashes))
                    await self._store(entries.Bound(by, f"{self.version}", number, viewer.person))

    def disconnect(self, viewer: Viewer) -> None:
        """Somebody closed a page."""
        self.viewers.discard(viewer)
        self.touched = time.monotonic()
        self.viewers.broadcast_presence()

    def _touch(self, viewer: Viewer) -> None:
        self.touched = time.monotonic()
        self.visitor = viewer.visitor

    def news(self, viewer: Viewer) -> list[messages.AnyMessage]:
        """The messages that a viewer does not have yet, all from the same moment.

        A page that got only the first of these messages comes back with the version in it. That version must not
        include anything that the other messages say.
        """
        seen = viewer.seen
        if seen.game != self.game_number:
            viewer.seen = Seen(self.game_number, self.version, True, self.version, self.viewers.people_version)
            return [self._welcome(viewer.hashes)]
        news: list[messages.AnyMessage] = []
        is_changed = seen.version < self._shown or not seen.is_current
        if not is_changed:
            seen.version = self.version
        lines = [line for line in self.party.chat if line.version > seen.chat]
        if lines:
            seen.chat = lines[-1].version
            news.append(messages.Chat(seen.version, lines))
        if is_changed:
            news.append(self.update(viewer.hashes, seen.version))
            seen.version, seen.is_current = self.version, True
        if seen.people != self.viewers.people_version:
            seen.people = self.viewers.people_version
            news.append(messages.Table(self.version, self.table_view(viewer.hashes)))
        return news

    def remind(self, viewer: Viewer) -> None:
        """Send a viewer the current state of the game again."""
        viewer.seen.is_current = False
        viewer.notify()

    # ---- commands ------------------------------------------------------------------------------------------------

    async def handle(self, viewer: Viewer, command: messages.TableCommand) -> None:
        """Carry out a command and answer it. Raises Refusal or StoreError, having changed nothing."""
        async with self.lock:
            if not viewer.hashes:
                raise Refusal(Message("This key is not valid any more."), "void-key")
            match command:
                case messages.Hello():
                    raise Refusal(Message("This connection has been greeted already."), "malformed")
                case messages.Ping():
                    viewer.send(messages.Pong(command.id))
                case messages.Look():
                    viewer.send(self._hand(viewer.hashes, command))
                case messages.Why():
                    viewer.send(messages.Reason(command.id, self.version, self._why_not(viewer.hashes, command.move)))
                case messages.Explain():
                    things = self._explained(viewer.hashes, command.hex, command.key)
                    viewer.send(messages.Explained(command.id, self.version, things))
                case messages.Scores():
                    viewer.send(messages.Breakdown(command.id, self.version, score_lines(self.game.state)))
                case messages.SetBotSpeed():
                    viewer.bot_speed = command.speed
                    viewer.send(messages.Done(command.id, self.version))
                case messages.Mute() | messages.Remove():
                    self._keep_order(viewer, command)
                case _:
                    await self._change(viewer, command)

    async def _change(self, viewer: Viewer, command: messages.Change) -> None:
        if len(command.id) > ID_LENGTH:
            raise Refusal(
                Message("The id has {n} characters: expected at most {most}.", n=len(command.id), most=ID_LENGTH),
                "too-large",
            )
        for shown in viewer.hashes:  # a page may show other tokens than when it first sent the command
            if (before := self._carried.get(shown, {}).get(command.id)) is not None:
                token = self._made_token(viewer, before.version, command.id) if before.made_token else None
                viewer.send(messages.Done(command.id, before.version, token))
                return
        entry, actions = self._entry(viewer, command)
        game = self.game_number
        await self._store(entry, actions, viewer.person)
        self._touch(viewer)
        token = self._made_token(viewer, self.version, command.id) if _makes_token(entry) else None
        viewer.send(messages.Done(command.id, self.version, token))
        if isinstance(entry, entries.Reseated):
            self.viewers.drop_void(
                self.party, Refusal(Message("The host has given your seat to somebody else."), "void-key")
            )
        elif isinstance(entry, entries.Renewed):
            self.viewers.drop_void(
                self.party, Refusal(Message("The host has replaced the link for looking on."), "void-key")
            )
        elif isinstance(entry, entries.Said) and entry.role != "player":
            viewer.name = entry.name
        if self.game_number != game or self.changed == self.version or isinstance(entry, entries.Said):
            self.viewers.broadcast()
        else:
            self.viewers.broadcast_people()
        self.on_change(self)

    def _made_token(self, viewer: Viewer, version: int, identity: str) -> str | None:
        """The token that a command of the host makes, derived from the host's own so that it can be sent again."""
        token = viewer.tokens.get(self.party.host)
        return token and f"{self.id}.{derived_token(token, f'{self.id} {version} {identity}')}"

    def _entry(self, viewer: Viewer, command: messages.Change) -> tuple[AnySent, list[Action] | None]:
        """The log entry of a command, with the actions of a move."""
        party, hashes = self.party, viewer.hashes
        by = " ".join(sorted(hashes))
        match command:
            case messages.Play():
                self._check_turn(hashes, command.version)
                self._check_length()
                actions = self._actions_of(command.move)
                self._check_lesson(actions)
                return entries.Played(by, command.id, self._text_of(actions)), actions
            case messages.Undo():
                self._check_turn(hashes, command.version)
                return entries.Undone(by, command.id, self._undo_to(command.whole_turn)), None
            case messages.Join():
                return people.joined(party, hashes, by, command), None
            case messages.Say():
                return people.said(party, hashes, by, command, is_muted=self.viewers.is_muted(viewer)), None
            case messages.Reseat():
                return self._reseated(viewer, by, command), None
            case messages.TakeBack():
                return self._taken_back(viewer, by, command), None
            case messages.Agree():
                return people.agreed(party, hashes, by, command), None
            case messages.Renew():
                return entries.Renewed(by, command.id, self._new_token_hash(viewer, command.id)), None
            case messages.Hush():
                people.check_host(party, hashes)
                return entries.Hushed(by, command.id, command.on), None
            case messages.Rematch():
                return self._restarted(hashes, by, command), None

    def _check_turn(self, hashes: TokenHashes, version: int) -> None:
        if not self.party.seats_of(hashes):
            raise Refusal(Message("You are looking on: only players can do that."), "forbidden")
        if not self.changed <= version <= self.version:
            raise Refusal(Message("The game has moved on: look at the board again."), "stale")
        if self.game.over:
            raise Refusal(Message("The game is over."), "illegal")
        if self.game.player not in self.party.seats_of(hashes):
            raise Refusal(Message("It is the turn of {seat}.", seat=SeatName(self.game.player)), "forbidden")

    def _check_length(self) -> None:
        ply = len(self.game.plies)
        if ply >= MOST_ACTIONS:
            raise Refusal(Message("This game has as many actions as can be kept: make a new table."), "full")
        if ply - self.game.undo_limit >= MOST_OF_A_TURN:
            raise Refusal(Message("This turn has as many actions as can be kept: take some back."), "full")

    def _actions_of(self, move: str) -> list[Action]:
        """The actions of a move and the draws that follow."""
        try:
            return self.game.actions_of(move)
        except NotationError as error:
            raise Refusal(error.message, "illegal") from None

    def _check_lesson(self, actions: list[Action]) -> None:
        """Raise Refusal for a legal move that the lesson does not ask for, so that what it says next stays true."""
        if self._progress and self.game.player == LEARNER and not self._progress.is_wanted(actions):
            raise Refusal(self._progress.objection(), "lesson")

    def _text_of(self, actions: list[Action]) -> str:
        return " ".join(action_text(self.game.setup, action) for action in actions)

    def _undo_to(self, whole_turn: bool) -> int:
        self.game.check_undo()
        return self.game.turn_limit if whole_turn else len(self.game.plies) - 1

    def _why_not(self, hashes: TokenHashes, move: str) -> messages.Message | None:
        try:
            self._check_turn(hashes, self.version)
        except Refusal as no:
            return sent_sentence(no.message)
        reason = self.game.why_not(move)
        return None if reason is None else sent_sentence(reason)

    def _explained(self, hashes: TokenHashes, place: str, key: str) -> list[messages.ExplanationView]:
        seats = self.party.seats_of(hashes)
        you = self.game.player if self.game.player in seats else next(iter(seats), None)
        return explanations(seen_by(self._perspective(hashes), self.game.state), you, place, key)

    def _hand(self, hashes: TokenHashes, command: messages.Look) -> messages.Hand:
        """The hand of one of the seats that somebody plays."""
        people.check_seat(self.party, command.seat)
        if command.seat not in self.party.seats_of(hashes):
            raise Refusal(Message("This seat belongs to somebody else."), "forbidden")
        if command.seat in self.party.veils:
            raise Refusal(Message("You see the hand of this seat when you draw a card."), "forbidden")
        return messages.Hand(command.id, self.version, command.seat, self.game.state.hands[command.seat])

    def _new_token_hash(self, viewer: Viewer, identity: str) -> str:
        """The hash of the token that a command of the host makes."""
        people.check_host(self.party, viewer.hashes)
        token = self._made_token(viewer, self.version + 1, identity)
        assert token is not None
        return token_hash(token.partition(".")[2])

    def _reseated(self, viewer: Viewer, by: str, command: messages.Reseat) -> entries.Reseated:
        people.check_host(self.party, viewer.hashes)
        seat = people.check_seat(self.party, command.seat)
        if command.level:
            people.check_level(command.level)
            owner = seat.token_hash or seat.owner
            seated = Seat("", "bot", seat.name, seat.colour, command.level, owner, seat.person)
        else:
            self._check_no_choice(command.seat)
            seated = Seat(self._new_token_hash(viewer, command.id), "open", "", seat.colour)
        return entries.Reseated(by, command.id, command.seat, seated)

    def _taken_back(self, viewer: Viewer, by: str, command: messages.TakeBack) -> entries.Reseated:
        entry = people.taken_back(self.party, viewer.hashes, by, command)
        if command.seat in self.party.veils:
            self._check_no_choice(command.seat)
        return entry

    def _check_no_choice(self, seat: int) -> None:
        """Refuse a player to whom the hand is veiled if one of its cards has to be chosen now."""
        if seat == self.game.player and self.game.state.choice_is_open():
            raise Refusal(
                Message("The seat has still to choose a card in this turn: give it to a bot, or wait."), "illegal"
            )

    def _keep_order(self, viewer: Viewer, command: messages.Mute | messages.Remove) -> None:
        """Mute or remove a spectator."""
        people.check_host(self.party, viewer.hashes)
        spectator = self.viewers.spectator(command.watcher, self.party)
        if isinstance(command, messages.Mute):
            self.viewers.mute(spectator, command.on)
        else:
            self.viewers.remove(spectator, self.party)
        viewer.send(messages.Done(command.id, self.version))
        self.viewers.broadcast_people()

    def _restarted(self, hashes: TokenHashes, by: str, command: messages.Rematch) -> entries.Restarted:
        people.check_host(self.party, hashes)
        if self._lesson:
            raise Refusal(Message("A lesson has one game only: begin it again to repeat it."), "illegal")
        if not self.game.over:
            raise Refusal(Message("The game is not over yet: a rematch is possible after its end."), "illegal")
        rules = RULES_VERSION
        if command.same_board:
            start, seed, rules = parse_stored_position(self._start), self.seed, self._rules
        else:
            start, seed = start_of(another(self._choice), len(self.party.seats), self.sections)
        return entries.Restarted(
            by, command.id, seed, position_of(start), dealt(start, at_random(self.rng.random)), rules
        )

    # ---- hints ---------------------------------------------------------------------------------------------------

    def gives_hints(self, hashes: TokenHashes) -> bool:
        """Whether somebody may have hints: no other person plays at another device, or did and may come back.

        A daily game and a rated one have none, and a lesson says itself what to do.
        """
        if self._lesson or self.daily or self.rated:
            return False
        people = [keys_of(seat) for seat in self.party.seats if not seat.level or (keys_of(seat) and seat.name)]
        return bool(self.party.seats_of(hashes)) and all(keys & hashes for keys in people)

    def position_for_hint(self, hashes: TokenHashes) -> str:
        """The position that the current seat may see. Raises Refusal if it may not have a hint."""
        self._check_turn(hashes, self.version)
        if self.daily:
            raise Refusal(Message("There are no hints in the daily game."), "forbidden")
        if self.rated:
            raise Refusal(Message("There are no hints in rated games."), "forbidden")
        if not self.gives_hints(hashes):
            raise Refusal(Message("There are no hints where people play at other devices."), "forbidden")
        return position_of(observe(self.game.state, self.game.player))

    # ---- the daily game ------------------------------------------------------------------------------------------

    def daily_game(self, hashes: TokenHashes) -> DailyGame | None:
        """The daily game of somebody who plays it here; None if they do not."""
        if not self.daily or PERSON not in self.party.seats_of(hashes):
            return None
        return DailyGame(self.id, self.daily, self.game.over, self.game.turn.round, self.game.scores())

    # ---- bots ----------------------------------------------------------------------------------------------------

    def reply_of_lesson(self) -> list[str]:
        """The moves that a lesson has for the current bot; nothing at other tables."""
        actions = self._lesson.reply(self.game) if self._lesson else []
        return [action_text(self.game.setup, action) for action in actions]

    async def act_for_bot(self, version: int, move: str) -> bool:
        """Play a move of the current bot; nothing happens if the game has changed since it began to think."""
        async with self.lock:
            if self.changed != version or not self.bot_in_turn():
                return False
            actions = self._actions_of(move)
            await self._store(entries.Played("bot", f"{self.version}", self._text_of(actions)), actions)
            self.viewers.broadcast()
            return True

    async def report_failure(self, seat: int) -> None:
        """Announce, once in a game, that a bot failed and a simple one acts for it."""
        async with self.lock:
            if any(notice.kind == "bot-failed" and notice.seat == seat for notice in self.party.notices):
                return
            await self._store(entries.Failed("bot", f"{self.version}", seat))
            self.viewers.broadcast_people()


def _kind(entry: AnySent) -> str:
    """The share of the log that an entry counts for."""
    match entry:
        case entries.Played() | entries.Failed():
            return "move"
        case entries.Said():
            return "watcher" if entry.role == "watcher" else "talk"
        case entries.Undone() | entries.Joined() | entries.Bound():
            return "player"
    return "host"


def _makes_token(entry: AnySent) -> bool:
    if isinstance(entry, entries.Reseated):
        return bool(entry.seated.token_hash) and not entry.back
    return isinstance(entry, entries.Renewed)


def _no_longer_legal(rules: int, error: Exception) -> Refusal:
    """Why an undamaged log cannot be replayed."""
    reason = error.message if isinstance(error, Refusal) else str(error)
    return Refusal(
        Message(
            "The game at this table began under version {began} of the rules, and cannot go on under version {now}:"
            " {reason}",
            began=rules,
            now=RULES_VERSION,
            reason=reason,
        ),
        "outdated",
    )
