"""A table: a game, the people at it, and the log that both follow from."""

import asyncio
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from random import Random, SystemRandom
from typing import NamedTuple, cast

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
from kingdom_builder.server import company, entries, messages, people, words
from kingdom_builder.server.absence import Absence, free_seat_until, is_person
from kingdom_builder.server.clocks import LONG_PAUSE, SECOND, Gap
from kingdom_builder.server.entries import AnySent, Seat
from kingdom_builder.server.game_clock import GameClock
from kingdom_builder.server.journal import OVERTAKEN, STORING, Conflict, Doubt, Journal, Loaded
from kingdom_builder.server.messages import ClockView, DailyGame, SeatView, TableView, WatcherView
from kingdom_builder.server.pacing import Pace
from kingdom_builder.server.party import Party, keys_of, stand_in
from kingdom_builder.server.presence import People
from kingdom_builder.server.sent_lines import SentLines
from kingdom_builder.server.sent_views import Angle, PublicView, SentView
from kingdom_builder.server.sentences import refusal, sent_sentence
from kingdom_builder.server.setups import another, dealt, start_of
from kingdom_builder.server.tokens import TokenHashes, derived_token, token_hash
from kingdom_builder.server.transcript import Transcript
from kingdom_builder.server.viewers import Seen, Viewer, Viewers
from kingdom_builder.server.views import (
    explanations,
    lesson_place,
    own_view,
    score_lines,
    setup_view,
    view_of,
)

TRIES = 20
"""How often something is tried that another server was first with."""

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
PAIR = 2


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
        self.on_followed: Callable[[Table], None] = lambda table: None
        """Called after entries of other servers have taken effect."""
        self.on_ended: Callable[[Table], None] = lambda table: None
        """Called with a game that is over, before the next one takes its place."""
        self.on_presence: Callable[[Table], None] = lambda table: None
        """Called when the people at the pages of this table have changed."""
        self.on_lost: Callable[[Table], None] = lambda table: None
        """Called when the stored log may differ from this table."""
        self.check: Callable[[Table, Viewer, messages.Change], None] = lambda table, viewer, command: None
        """Called with every command that changes something, to refuse what somebody may not do among strangers."""
        self.is_open = opened.open
        """Whether everybody may take a seat or look on without a link."""
        self.time_control = opened.clock
        self.rated = opened.rated
        """Whether the games here count for the ratings of the players."""
        self.ended: entries.Ended | None = None
        """How the current game ended before its last turn, if it did."""
        self.absence = Absence(opened.clock)
        self.arrived = round(opened.created * 1000)
        """When somebody last sat down or was given a seat, or the current game began, in milliseconds."""
        self.is_among_strangers = (
            opened.open or opened.rated or any(seat.person and not seat.token_hash for seat in opened.seats)
        )
        """Whether people play here who do not know each other: anybody may sit down, or they were brought together."""
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
        self._sent_public: PublicView | None = None
        self._sent_views: dict[Angle, SentView] = {}
        """The views of the present version that somebody who reads differences has been sent."""
        deal = at_random(self.rng.random)
        if opened.daily:
            deal = Daily(parse_day(opened.daily)).draw
        elif self._lesson:
            deal = self._lesson.deal(deal)
        self._begin(opened.seed, opened.start, opened.moves, opened.rules, round(opened.created * 1000), deal)

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

    def _begin(self, seed: str, start: str, moves: str, rules: int, at: int, deal: Deal | None = None) -> None:
        self.seed = seed
        self._rules = rules
        self._start = as_played_under(start, rules)
        self.game = Game.restore(parse_stored_position(self._start), seed=self.rng, deal=deal)
        self._first_version = self.version
        self._kept: list[int] = []
        """For each version of this game, the number of actions that did not change."""
        self._progress = Progress(self._lesson, self.game) if self._lesson else None
        self._lines = SentLines()
        self._extend(parse_actions(self.game.setup, moves))
        self.clocks = None
        if self.time_control.kind != "none":
            self.clocks = GameClock(self.time_control, self.party, self.game.turn, len(self.game.plies), at)

    @property
    def over(self) -> bool:
        """Whether the current game is over: it was played to its end, or ended before."""
        return self.game.over or self.ended is not None

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
        self._sent_public = None
        self._sent_views.clear()
        self._lines.forget_short()
        match entry:
            case entries.Played():
                self._extend(parse_actions(self.game.setup, entry.moves) if actions is None else actions)
            case entries.Undone():
                self._kept.append(entry.ply)
                self.game.undo_to(entry.ply)
                if self._progress:
                    self._progress.undone()
                self._lines.cut(entry.ply)
                self.changed = self._shown = self.version
            case entries.Restarted():
                self._finished.append(self._transcript(EVERYTHING))
                self.game_number += 1
                self.daily = ""
                self.ended = None
                self.absence.forget()
                self.party.new_game(keep_absent=not self.rated)
                self._begin(entry.seed, entry.start, entry.moves, entry.rules, entry.at)
                self.began = entry.at // 1000 or self.began
                self.arrived = entry.at or self.arrived
            case entries.Ended():
                self._kept.append(len(self.game.plies))
                self.ended = entry
                self.party.apply_entry(entry, self.version, len(self.game.plies), has_hand=False)
                self.changed = self._shown = self.version
            case _:
                self._kept.append(len(self.game.plies))
                self._apply_people_entry(entry)
        if self.changed == self.version:
            self.moved = entry.at // 1000 or self.moved
        if self.clocks is not None and not isinstance(entry, entries.Restarted):
            turn = None if self.over else self.game.turn
            self.clocks.apply_entry(entry, self.party, turn, len(self.game.plies))
        made_token = _makes_token(entry)
        for sender in entry.by.split():
            carried = self._carried.setdefault(sender, {})
            carried[entry.id] = Carried(self.version, made_token)
            if len(carried) > COMMANDS_KEPT:
                del carried[next(iter(carried))]

    def _apply_people_entry(self, entry: AnySent) -> None:
        has_hand = False
        if isinstance(entry, entries.Reseated):
            has_hand = bool(self.game.state.hands[entry.seat]) and not self.over
            if not entry.back and not keys_of(entry.seated) & keys_of(self.party.seats[entry.seat]):
                self._carried.pop(self.party.seats[entry.seat].token_hash, None)
            self.daily = ""  # somebody else plays on
        self.party.apply_entry(entry, self.version, len(self.game.plies), has_hand)
        if isinstance(entry, entries.Joined | entries.Sat | entries.Reseated):
            self.arrived = entry.at or self.arrived
        if isinstance(entry, entries.Reseated | entries.Agreed | entries.Sat | entries.TimedOut):
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

    # ---- what other servers write ----------------------------------------------------------------------------------

    async def follow(self) -> None:
        """Apply what other servers have written. Raises StoreError."""
        async with self.lock:
            await self._catch_up()

    async def _catch_up(self) -> None:
        """Apply the entries after the last one that is known."""
        if self.trouble is not None:
            return
        loaded = await self.journal.load(self.id, self.version)
        for stored in loaded.entries:
            game, was_out = self.game_number, self._is_out_of_time()
            try:
                entry = entries.read(stored, self.version + 1)
                if isinstance(entry, entries.Opened):
                    raise ValueError("it opens the table again")
                self._apply_entry(entry)
            except (Refusal, ValueError, LookupError):
                self.on_lost(self)  # whoever reads the whole log says what is wrong with it
                return
            if isinstance(entry, entries.Sat):
                self._seat_person(entry.seated.person)
            self._announce(entry, is_new_game=self.game_number != game, was_out=was_out)
        if loaded.entries:
            self.on_followed(self)
            self.on_change(self)

    async def _store_or_follow(self, make: "Callable[[], AnySent | None]") -> AnySent | None:
        """Store the entry that somebody wants, and decide again if another server was first; the stored entry."""
        for _ in range(TRIES):
            entry = make()
            if entry is None:
                return None
            try:
                await self._store(entry)
            except Conflict:
                await self._catch_up()
            else:
                return entry
        return None

    # ---- looking -------------------------------------------------------------------------------------------------

    @property
    def is_lesson(self) -> bool:
        return self._lesson is not None

    @property
    def boxes(self) -> list[str]:
        """The boxes that the table was made with."""
        return self._choice.sets

    def bot_in_turn(self) -> str:
        """The level of the bot whose turn it is; empty if it is a person's turn, or nobody's."""
        if self.over or self.trouble is not None or self.party.is_paused:
            return ""
        return self.party.seats[self.game.player].level

    def is_looked_at(self, seconds: float) -> bool:
        """Whether somebody is here, was here at most this many seconds ago, or waits for the result elsewhere."""
        return self.rated or bool(self.viewers) or time.monotonic() - self.touched < seconds

    def is_seen_by(self, persons: Collection[str]) -> bool:
        """Whether one of these persons, or whoever shares a seat with them, has this table before their eyes."""
        keys = {key for seat in self.party.seats if seat.person in persons for key in keys_of(seat)}
        return any(
            each.is_visible and (each.person in persons or not keys.isdisjoint(each.keys))
            for each in (*self.viewers.people(), *self.viewers.elsewhere)
        )

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
        return self._view(self._perspective(hashes), acts=self._acts(hashes))

    def _view(self, perspective: Perspective, *, acts: bool) -> messages.View:
        if self._public_view is None:
            self._public_view = view_of(self.game.state, len(self.game.plies), None, self.game.last_placed())
            if self.ended is not None:
                self._public_view.over, self._public_view.winners = True, [self.ended.winner]
                self._public_view.prompt = sent_sentence(Message("The game is over."))
        undo = acts and self.game.undo_limit < len(self.game.plies)
        instead = self.game.other_sources() if undo else 0
        view = own_view(self._public_view, self.game.state, perspective, acts=acts, undo=undo, instead=instead)
        view.lesson = lesson_place(self._progress, self.game.state) if self._progress else None
        return view

    def _acts(self, hashes: TokenHashes) -> bool:
        """Whether the moves of the seat in turn are somebody's to make."""
        return self.game.player in self.party.seats_of(hashes) and not self.over

    def _sent_view(self, viewer: Viewer) -> messages.View:
        """The view for somebody. It is remembered, if they can be told later what has changed since."""
        viewer.seen.view = None
        if not viewer.reads_differences:
            return self.view(viewer.hashes)
        angle = Angle(self.version, self._perspective(viewer.hashes), self._acts(viewer.hashes))
        if angle not in self._sent_views:
            view = self._view(angle.perspective, acts=angle.acts)
            assert self._public_view is not None
            if self._sent_public is None:
                self._sent_public = PublicView(self.version, self._public_view, self.clock_view())
            self._sent_views[angle] = SentView(angle, view, self._sent_public)
        viewer.seen.view = self._sent_views[angle]
        return viewer.seen.view.view

    def _lines_since(self, perspective: Perspective, since: int) -> list[messages.LogLine]:
        plies = range(since, len(self.game.plies))
        lines = [self._lines.full(self.game, ply, perspective) for ply in plies]
        return cast("list[messages.LogLine]", lines)  # encoded already

    def _short_lines_since(self, seen: Seen, since: int) -> list[messages.LogLine | tuple[int, str, messages.Edit]]:
        plies = range(since, len(self.game.plies))
        lines = [self._lines.short(self.game, ply, seen.reader, seen.lines) for ply in plies]
        return cast("list[messages.LogLine | tuple[int, str, messages.Edit]]", lines)  # encoded already

    async def _prepare_lines(self, hashes: TokenHashes) -> None:
        """Make all lines of the log, with breaks for others."""
        perspective, pace, ply = self._log_perspective(hashes), Pace(), 0
        while ply < len(self.game.plies):
            self._lines.full(self.game, ply, perspective)
            ply += 1
            await pace.rest()

    def table_view(self, hashes: TokenHashes) -> TableView:
        """The people as one viewer may see them."""
        party = self.party
        present = self.viewers.present()
        spectators = self.viewers.spectators(party)
        is_host = party.is_host(hashes)
        free = [] if self.over else company.free_seats(party, hashes, is_open=self.is_open)
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
                    seat.person,
                    self._away(number),
                    sorted(party.votes.get(number, ())),
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
            rated=self.rated,
            open=self.is_open,
            free=free,
            consents={what: sorted(seats) for what, seats in party.consents.items() if seats},
            asks_all=self.asks_all,
            ended=self.ended.why if self.ended else None,
            strangers=self.is_among_strangers,
            resumable=self._resumable(),
        )

    @property
    def asks_all(self) -> bool:
        """Whether all players decide on another game: among strangers nobody is the host of the others."""
        return self.rated or self.is_open

    def clock_view(self) -> ClockView | None:
        """The clocks of the game for a page, if it has some."""
        return None if self.clocks is None else self.clocks.view(self._now())

    def _resumable(self) -> int | None:
        """The moment from which on one player alone can end the pause; None if there is none."""
        if self.party.paused_at is None:
            return None
        return self.party.paused_at + LONG_PAUSE[self.time_control.kind] * SECOND

    def _now(self) -> int:
        """The moment by the server's clock, in milliseconds."""
        return round(self.clock() * 1000)

    def _follow_absence(self, leaving: Viewer | None = None) -> None:
        self.absence.follow(self.party, self.viewers.present(), self._now(), leaving)

    def _away(self, seat: int) -> int | None:
        """The moment from which on the others may go on without the player of a seat; None if they need not."""
        if self.over or self._lesson:
            return None
        if self.party.seats[seat].kind == "open":
            is_looked_at = bool(keys_of(self.party.seats[seat]) & self.viewers.present())
            return None if is_looked_at else free_seat_until(self.time_control, self.arrived)
        if len(self.party.people()) < PAIR:
            return None
        if self.clocks is not None and self.clocks.is_out(seat) and is_person(self.party.seats[seat]):
            return self.clocks.times.since
        if self.time_control.kind == "days":
            return None  # nobody has to be here
        return self.absence.until(seat)

    def _welcome(self, viewer: Viewer) -> messages.Welcome:
        hashes, reader = viewer.hashes, self._log_perspective(viewer.hashes)
        viewer.seen.read_on(reader, 0)
        return messages.Welcome(
            protocol=messages.PROTOCOL,
            version=self.version,
            table=self.table_view(hashes),
            setup=setup_view(self.game.start),
            view=self._sent_view(viewer),
            lines=self._lines_since(reader, 0),
            chat=self._chat_for(viewer, 0),
            clock=self.clock_view(),
        )

    def _chat_for(self, viewer: Viewer, since: int) -> list[messages.ChatLine]:
        """The lines of the chat after a version, without those of people whom a viewer has blocked."""
        hidden = viewer.terms.hidden
        return [line for line in self.party.chat if line.version > since and line.person not in hidden]

    def _update(self, viewer: Viewer) -> messages.Update | messages.Difference:
        """What has changed in the game for somebody who has seen some version of it."""
        seen, clock = viewer.seen, self.clock_view()
        kept = min(self._kept[seen.version - self._first_version + 1 :], default=len(self.game.plies))
        old, view, new = seen.view, self._sent_view(viewer), seen.view
        seen.read_on(self._log_perspective(viewer.hashes), kept)
        change = new.since(old) if old is not None and new is not None else None
        if old is None or change is None:
            return messages.Update(self.version, kept, self._lines_since(seen.reader, kept), view, clock)
        return messages.Difference(
            self.version,
            change.view,
            self._short_lines_since(seen, kept),
            since=None if kept == old.view.ply else kept,
            spans=self.version - old.angle.version,
            clock=change.clock,
            now=clock.now if clock else 0,
        )

    def transcript(self, hashes: TokenHashes, game: int = 0) -> Transcript:
        """A game at this table, by default the current one. A finished game has no secrets."""
        if game in (0, self.game_number):
            perspective = EVERYTHING if self.over else self._log_perspective(hashes)
            return self._transcript(perspective, hints=self.over or self.gives_hints(hashes))
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
            left_at=list(self.clocks.left_at) if self.clocks else None,
            took=list(self.clocks.took) if self.clocks else None,
        )

    # ---- coming and going ----------------------------------------------------------------------------------------

    async def connect(self, viewer: Viewer, hello: messages.Hello, most: int) -> None:
        """Somebody opens a page of this table, or comes back to it; at most `most` pages can be open.

        Raises StoreError.
        """
        if self.journal.is_shared:
            await self.follow()  # another server may have shown this page more than is known here
        await self._prepare_lines(viewer.hashes)
        await self._bind(viewer)
        self.viewers.add(viewer, self.party, most)
        self._touch(viewer)
        self._follow_absence()
        if hello.game == self.game_number and self._first_version <= hello.version <= self.version:
            viewer.seen = Seen(self.game_number, hello.version, False, hello.version)
        self.viewers.broadcast_presence()
        self.on_presence(self)
        self.on_change(self)

    async def _bind(self, viewer: Viewer) -> None:
        """Give the seats whose links somebody has opened to the person that they are."""
        if not viewer.person or self._lesson or self.trouble is not None:
            return

        def bound() -> entries.Bound | None:
            free = [each for each in self.party.seats_of(viewer.hashes) if not self.party.seats[each].person]
            return entries.Bound("link", f"{self.version}", free[0], viewer.person) if free else None

        async with self.lock:
            while await self._store_or_follow(bound):
                pass

    def disconnect(self, viewer: Viewer) -> None:
        """Somebody closed a page."""
        self.viewers.discard(viewer)
        self._follow_absence(viewer)
        self.touched = time.monotonic()
        self.viewers.broadcast_presence()
        self.on_presence(self)

    def note_elsewhere(self, people: People) -> None:
        """Other people look at this table at other servers now."""
        self.viewers.elsewhere = people
        self._follow_absence()
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
            return [self._welcome(viewer)]
        news: list[messages.AnyMessage] = []
        is_changed = seen.version < self._shown or not seen.is_current
        if not is_changed:
            seen.version = self.version
        lines = self._chat_for(viewer, seen.chat)
        if lines:
            seen.chat = lines[-1].version
            news.append(messages.Chat(seen.version, lines))
        if is_changed:
            news.append(self._update(viewer))
            seen.version, seen.is_current = self.version, True
        if seen.people != self.viewers.people_version:
            seen.people = self.viewers.people_version
            news.append(messages.Table(self.version, self.table_view(viewer.hashes), self.clock_view()))
        return news

    def remind(self, viewer: Viewer) -> None:
        """Send a viewer the current state of the game again, in full."""
        viewer.seen.is_current = False
        viewer.seen.view = None
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
                case messages.Visible():
                    viewer.is_visible = command.on
                    viewer.send(messages.Done(command.id, self.version))
                    self.on_presence(self)
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
        for _ in range(TRIES):
            if self._has_carried_out(viewer, command):
                return
            self.check(self, viewer, command)
            entry, actions = self._entry(viewer, command)
            game, was_out = self.game_number, self._is_out_of_time()
            try:
                await self._store(entry, actions, viewer.person)
            except Conflict:
                await self._catch_up()
            else:
                await self._answer(viewer, command, entry)
                self._announce(entry, is_new_game=self.game_number != game, was_out=was_out)
                self.on_change(self)
                return
        raise Conflict(STORING.format(OVERTAKEN))

    async def _answer(self, viewer: Viewer, command: messages.Change, entry: AnySent) -> None:
        """Tell a viewer that their command was carried out, and do what follows from it."""
        self._touch(viewer)
        if isinstance(entry, entries.Sat):
            self._seat_viewer(viewer, entry.seated.token_hash)
        token = self._made_token(viewer, self.version, command.id) if _makes_token(entry) else None
        viewer.send(messages.Done(command.id, self.version, token))
        if isinstance(entry, entries.Said) and entry.role != "player":
            viewer.name = entry.name
        if isinstance(entry, entries.Consented) and entry.to == "rematch":
            await self._store_or_follow(self._wanted_rematch)

    def _has_carried_out(self, viewer: Viewer, command: messages.Change) -> bool:
        """Whether a command was carried out before; then it is answered as it was."""
        for shown in viewer.hashes:  # a page may show other tokens than when it first sent the command
            if (before := self._carried.get(shown, {}).get(command.id)) is not None:
                token = self._made_token(viewer, before.version, command.id) if before.made_token else None
                viewer.send(messages.Done(command.id, before.version, token))
                return True
        return False

    def _is_out_of_time(self) -> bool:
        """Whether the time of the seat in turn is up."""
        return self.clocks is not None and self.clocks.is_out(self.game.player)

    def _wanted_rematch(self) -> entries.Restarted | None:
        """The beginning of the game that all players want."""
        if not self.over or not self.party.all_want("rematch"):
            return None
        return self._restarted("players", f"{self.version}", same_board=False)

    def _announce(self, entry: AnySent, *, is_new_game: bool, was_out: bool) -> None:
        """Let the pages of this table know what an entry has changed; `was_out` is whether time was up before it."""
        if isinstance(entry, entries.Reseated):
            self.viewers.drop_void(
                self.party, Refusal(Message("The host has given your seat to somebody else."), "void-key")
            )
        elif isinstance(entry, entries.Renewed):
            self.viewers.drop_void(
                self.party, Refusal(Message("The host has replaced the link for looking on."), "void-key")
            )
        is_about_game = isinstance(entry, entries.Said | entries.Played | entries.Undone) and not was_out
        if not is_about_game:
            self._follow_absence()
        if is_new_game or is_about_game:
            self.viewers.broadcast()
        else:
            self.viewers.broadcast_people()

    def _seat_person(self, person: str) -> None:
        """Let the pages of somebody who sat down at another server see the game from their seat."""
        for each in self.viewers:
            if person and each.person == person:
                each.hashes = frozenset(key for key in each.hashes | each.person_keys if self.party.knows(key))
                each.seen = Seen()
        self.on_presence(self)

    def _seat_viewer(self, viewer: Viewer, new_hash: str) -> None:
        """Let all pages of somebody who has just sat down see the game from their seat."""
        for each in self.viewers:
            if each is viewer or (viewer.person and each.person == viewer.person):
                keys = each.hashes | each.person_keys | {new_hash}
                each.hashes = frozenset(key for key in keys if self.party.knows(key))
                each.seen = Seen()
        self.on_presence(self)

    def _made_token(self, viewer: Viewer, version: int, identity: str) -> str | None:
        """The token that a command of the host, or of somebody who sits down, makes.

        It is derived from the token of the host or of the table's link, so that it can be sent again.
        """
        token = viewer.tokens.get(self.party.host) or viewer.tokens.get(self.party.invite)
        if not token and self.party.is_host(viewer.hashes):
            token = self.party.host  # a host who is known by a cookie alone; nobody is ever sent this hash
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
            case messages.Sit():
                return self._sat(viewer, by, command), None
            case messages.Say():
                return self._said(viewer, by, command), None
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
                people.check_host(party, hashes)
                if self.asks_all:
                    raise Refusal(Message("All players decide on a rematch here."), "forbidden")
                return self._restarted(by, command.id, same_board=command.same_board), None
            case messages.Consent():
                self._check_consent(command)
                resumable = self._resumable()
                is_long = resumable is not None and resumable <= self._now()
                return company.consented(party, hashes, by, command, is_long_paused=is_long), None
            case messages.Replace():
                people.check_seat(party, command.seat)
                self._check_away(command.seat)
                among_strangers = self.is_among_strangers
                return company.replaced(
                    party, hashes, by, command, self._present(), among_strangers=among_strangers
                ), None
            case messages.Claim():
                ended, missing = company.claimed(party, hashes, by, command)
                if party.seats[missing].kind == "open":
                    raise Refusal(
                        Message("Nobody has taken the other seat: there is nobody to win against."), "illegal"
                    )
                self._check_away(missing)
                return ended, None
            case messages.Leave():
                self._check_running()
                return company.left(party, hashes, by, command), None

    def _said(self, viewer: Viewer, by: str, command: messages.Say) -> entries.Said:
        is_muted = self.viewers.is_muted(viewer)
        return people.said(self.party, viewer.hashes, by, command, is_muted=is_muted, person=viewer.person)

    def _check_turn(self, hashes: TokenHashes, version: int) -> None:
        if not self.party.seats_of(hashes):
            raise Refusal(Message("You are looking on: only players can do that."), "forbidden")
        if not self.changed <= version <= self.version:
            raise Refusal(Message("The game has moved on: look at the board again."), "stale")
        self._check_running()
        if self.party.is_paused:
            raise Refusal(Message("The game is paused: all players have to want to go on."), "illegal")
        if self.game.player not in self.party.seats_of(hashes):
            raise Refusal(Message("It is the turn of {seat}.", seat=SeatName(self.game.player)), "forbidden")

    def _check_running(self) -> None:
        if self.over:
            raise Refusal(Message("The game is over."), "illegal")

    def _check_consent(self, command: messages.Consent) -> None:
        """Refuse to agree to something that makes no sense now."""
        if command.to == "rematch":
            self._check_rematch()
            return
        self._check_running()
        if self.clocks is None:
            raise Refusal(Message("This game has no clock that could be stopped."), "illegal")
        if self.party.is_paused != (command.to == "resume"):
            raise Refusal(
                Message("The game is paused already.") if self.party.is_paused else Message("The game is not paused."),
                "illegal",
            )

    def _check_away(self, seat: int) -> None:
        """Refuse to go on without somebody who is here, or may still come back."""
        self._check_running()
        since = self._away(seat)
        if since is None or since > self._now():
            is_free = self.party.seats[seat].kind == "open"
            raise company.still_free(seat) if is_free else company.still_here(seat)

    def _present(self) -> set[int]:
        """The seats whose players are here."""
        present = self.viewers.present()
        return {number for number in self.party.people() if keys_of(self.party.seats[number]) & present}

    def _sat(self, viewer: Viewer, by: str, command: messages.Sit) -> entries.Sat:
        self._check_running()
        made = self._made_token(viewer, self.version + 1, command.id) if not viewer.person else None
        return company.sat(
            self.party,
            viewer.hashes,
            by,
            command,
            is_open=self.is_open,
            person=viewer.person,
            token_hash=token_hash(made.partition(".")[2]) if made else "",
        )

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
            seated = stand_in(seat, command.level)
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

    def _check_rematch(self) -> None:
        if self._lesson:
            raise Refusal(Message("A lesson has one game only: begin it again to repeat it."), "illegal")
        if not self.over:
            raise Refusal(Message("The game is not over yet: a rematch is possible after its end."), "illegal")

    def _restarted(self, by: str, identity: str, *, same_board: bool) -> entries.Restarted:
        self._check_rematch()
        rules = RULES_VERSION
        if same_board:
            start, seed, rules = parse_stored_position(self._start), self.seed, self._rules
        else:
            start, seed = start_of(another(self._choice), len(self.party.seats), self.sections)
        return entries.Restarted(
            by, identity, seed, position_of(start), dealt(start, at_random(self.rng.random)), rules
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

    # ---- time ----------------------------------------------------------------------------------------------------

    async def notice_time(self) -> bool:
        """Write down that the time of the seat in turn is up, if it is; in rated games a bot plays on."""

        def timed_out() -> entries.TimedOut | None:
            if self.clocks is None or self.trouble is not None or not self.clocks.times.is_out(self._now()):
                return None
            seat = self.clocks.times.running
            assert seat is not None
            return entries.TimedOut("clock", f"{self.version}", seat, company.STAND_IN if self.rated else "")

        async with self.lock:
            if await self._store_or_follow(timed_out) is None:
                return False
            self._follow_absence()
            self.viewers.broadcast_people()
            self.on_change(self)
            return True

    async def excuse(self, gaps: Iterable[Gap]) -> None:
        """Write down the gaps in the service that cost the seat in turn time."""
        gaps = tuple(gaps)

        def excused() -> entries.Excused | None:
            if self.clocks is None or self.trouble is not None:
                return None
            gap = self.clocks.unexcused(gaps, self._now())
            return None if gap is None else entries.Excused("clock", f"{self.version}", *gap)

        async with self.lock:
            while await self._store_or_follow(excused):
                self.viewers.broadcast_people()

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
            try:
                await self._store(entries.Played("bot", f"{self.version}", self._text_of(actions)), actions)
            except Conflict:
                await self._catch_up()
                return False
            self.viewers.broadcast()
            return True

    async def report_failure(self, seat: int) -> None:
        """Announce, once in a game, that a bot failed and a simple one acts for it."""

        def failed() -> entries.Failed | None:
            is_known = any(notice.kind == "bot-failed" and notice.seat == seat for notice in self.party.notices)
            return None if is_known else entries.Failed("bot", f"{self.version}", seat)

        async with self.lock:
            if await self._store_or_follow(failed):
                self.viewers.broadcast_people()


def _kind(entry: AnySent) -> str:
    """The share of the log that an entry counts for."""
    match entry:
        case entries.Played() | entries.Failed() | entries.TimedOut() | entries.Excused() | entries.Ended():
            return "move"
        case entries.Said():
            return "watcher" if entry.role == "watcher" else "talk"
        case entries.Undone() | entries.Joined() | entries.Bound() | entries.Consented() | entries.Voted():
            return "player"
    return "host"


def _makes_token(entry: AnySent) -> bool:
    if isinstance(entry, entries.Reseated):
        return bool(entry.seated.token_hash) and not entry.back
    if isinstance(entry, entries.Sat):
        return bool(entry.seated.token_hash)
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
