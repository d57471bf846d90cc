"""A table: a game, the people at it, and all that follows from its log."""

import asyncio
import time
from collections.abc import Callable, Collection, Mapping
from random import Random, SystemRandom

from kingdom_builder.board import Section
from kingdom_builder.daily import Daily, parse_day
from kingdom_builder.game import Game, parse_actions
from kingdom_builder.lessons import Progress, lessons
from kingdom_builder.message import Message, Refusal
from kingdom_builder.notation import as_played_under, parse_stored_position
from kingdom_builder.rules import DRAWN, EVERYTHING, RULES_VERSION, Action, Deal, Perspective, at_random
from kingdom_builder.rules.state import HAND
from kingdom_builder.server import entries
from kingdom_builder.server.absence import Absence
from kingdom_builder.server.carried_out import CarriedOut
from kingdom_builder.server.entries import AnySent
from kingdom_builder.server.game_clock import GameClock
from kingdom_builder.server.journal import Journal, Loaded
from kingdom_builder.server.messages import Change
from kingdom_builder.server.pacing import Pace
from kingdom_builder.server.party import Party, keys_of
from kingdom_builder.server.sentences import refusal
from kingdom_builder.server.shown import Shown
from kingdom_builder.server.transcript import Transcript
from kingdom_builder.server.viewers import Viewer, Viewers


class Table:
    """What the log of a table means, and who is at its pages.

    A restart and the running server follow the log with the same `apply_entry`. Other modules write to the log
    (`writing`), decide what is written (`deciding`), and say what people see (`looking`, `news`).
    """

    def __init__(
        self, identity: str, journal: Journal, generation: int, opened: entries.Opened, rng: Random | None = None
    ) -> None:
        self.id = identity
        self.journal = journal
        self.generation = generation
        """The generation of the journal in which this table was loaded."""
        self.lock = asyncio.Lock()
        """Held by whoever decides what is written, until it has taken effect: one after the other."""
        self.trouble: Refusal | None = None
        """Why the log cannot be read to its end, so that the table can only be looked at; None if it can be read."""
        self.rng = rng or SystemRandom()
        self.clock: Callable[[], float] = time.time
        """The wall clock, in seconds."""
        self.sections: Mapping[str, Section] = {}
        """The sections of the server for games on a new board."""

        # ---- who is told, and asked
        self.on_change: Callable[[Table], None] = lambda table: None
        """Called after the game or the players have changed: it may be a bot's turn."""
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
        self.check: Callable[[Table, Viewer, Change], None] = lambda table, viewer, command: None
        """Called with every command that changes something, to refuse what somebody may not do among strangers."""

        # ---- who is at the pages, which is not in the log
        self.viewers = Viewers()
        self.absence = Absence(opened.clock)
        self.visitor = ""
        """The visitor who came last: the bots' thinking counts as theirs."""
        self.touched = time.monotonic()
        """When somebody was last here."""

        # ---- what the first entry says for good
        self.choice = opened.choice
        """What was chosen for the games here."""
        self.lesson = lessons().get(opened.lesson)
        """The lesson that is taken here, if one is."""
        self.time_control = opened.clock
        self.rated = opened.rated
        """Whether the games here count for the ratings of the players."""
        self.is_open = opened.open
        """Whether everybody may take a seat or look on without a link."""
        self.is_among_strangers = (
            opened.open or opened.rated or any(seat.person and not seat.token_hash for seat in opened.seats)
        )
        """Whether people play here who do not know each other: anybody may sit down, or they were brought together."""

        # ---- what the entries so far mean
        self.party = Party(opened)
        self.version = 1
        self.changed = 1
        """The version in which the game was last changed."""
        self.game_number = 1
        self.daily = opened.daily
        """The date of the daily game that is played here; empty if none is, or not any more."""
        self.ended: entries.Ended | None = None
        """How the current game ended before its last turn, if it did."""
        self.began = self.moved = int(opened.created)
        """When the current game began and when it was last changed, in seconds by the server's clock."""
        self.arrived = round(opened.created * 1000)
        """When somebody last sat down or was given a seat, or the current game began, in milliseconds."""
        self.carried_out = CarriedOut()
        self.finished: list[Transcript] = []
        """The games before the current one."""
        deal = at_random(self.rng.random)
        if opened.daily:
            deal = Daily(parse_day(opened.daily)).draw
        elif self.lesson:
            deal = self.lesson.deal(deal)
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
                table.apply_entry(entry)
            except (ValueError, LookupError) as error:
                table.trouble = _no_longer_legal(table.rules, error)
                break
            await pace.rest()
        return table

    # ---- what the log means --------------------------------------------------------------------------------------

    def _begin(self, seed: str, start: str, moves: str, rules: int, at: int, deal: Deal | None = None) -> None:
        self.seed = seed
        self.rules = rules
        """The version of the rules that the current game began under."""
        self.start = as_played_under(start, rules)
        """The position that the current game began from."""
        self.game = Game.restore(parse_stored_position(self.start), seed=self.rng, deal=deal)
        self.progress = Progress(self.lesson, self.game) if self.lesson else None
        self.shown = Shown(self.version)
        self._extend(parse_actions(self.game.setup, moves))
        self.clocks = None
        if self.time_control.kind != "none":
            self.clocks = GameClock(self.time_control, self.party, self.game.turn, len(self.game.plies), at)

    @property
    def over(self) -> bool:
        """Whether the current game is over: it was played to its end, or ended before."""
        return self.game.over or self.ended is not None

    def _extend(self, actions: list[Action]) -> None:
        for action in actions:
            if action in DRAWN and self.game.state.awaiting == HAND:
                self.party.card_drawn(self.game.player)
            self.game.apply(action)
        if self.progress:
            self.progress.moved()
        if self.game.over:
            self.party.end_game()
        self.changed = self.shown.version = self.version

    def apply_entry(self, entry: AnySent, actions: list[Action] | None = None) -> None:
        """Apply an entry of the log; `actions` are those of a move, if it has already been read."""
        if isinstance(entry, entries.Restarted):
            self.on_ended(self)
        self.version += 1
        self.shown.next_version(entry.ply if isinstance(entry, entries.Undone) else len(self.game.plies))
        match entry:
            case entries.Played():
                self._extend(parse_actions(self.game.setup, entry.moves) if actions is None else actions)
            case entries.Undone():
                self.game.undo_to(entry.ply)
                if self.progress:
                    self.progress.undone()
                self.shown.lines.cut(entry.ply)
                self.changed = self.shown.version = self.version
            case entries.Restarted():
                self.finished.append(self.transcript(EVERYTHING))
                self.game_number += 1
                self.daily = ""
                self.ended = None
                self.absence.forget()
                self.party.new_game(keep_absent=not self.rated)
                self._begin(entry.seed, entry.start, entry.moves, entry.rules, entry.at)
                self.began = entry.at // 1000 or self.began
                self.arrived = entry.at or self.arrived
            case entries.Ended():
                self.ended = entry
                self.party.apply_entry(entry, self.version, len(self.game.plies), has_hand=False)
                self.changed = self.shown.version = self.version
            case _:
                self._apply_people_entry(entry)
        if self.changed == self.version:
            self.moved = entry.at // 1000 or self.moved
        if self.clocks is not None and not isinstance(entry, entries.Restarted):
            turn = None if self.over else self.game.turn
            self.clocks.apply_entry(entry, self.party, turn, len(self.game.plies))
        self.carried_out.remember(entry, self.version)

    def _apply_people_entry(self, entry: AnySent) -> None:
        has_hand = False
        if isinstance(entry, entries.Reseated):
            has_hand = bool(self.game.state.hands[entry.seat]) and not self.over
            if not entry.back and not keys_of(entry.seated) & keys_of(self.party.seats[entry.seat]):
                self.carried_out.forget(self.party.seats[entry.seat].token_hash)
            self.daily = ""  # somebody else plays on
        self.party.apply_entry(entry, self.version, len(self.game.plies), has_hand)
        if isinstance(entry, entries.Joined | entries.Sat | entries.Reseated):
            self.arrived = entry.at or self.arrived
        if isinstance(entry, entries.Reseated | entries.Agreed | entries.Sat | entries.TimedOut):
            self.shown.version = self.version
        elif isinstance(entry, entries.Renewed):
            self.viewers.forgive()

    def transcript(self, perspective: Perspective, *, hints: bool = True) -> Transcript:
        """The current game, for a reader."""
        return Transcript(
            self.start,
            self.game.actions(),
            [seat.name for seat in self.party.seats],
            [seat.colour for seat in self.party.seats],
            perspective,
            hints=hints,
            refusal=refusal(self.trouble) if self.trouble else None,
            left_at=list(self.clocks.left_at) if self.clocks else None,
            took=list(self.clocks.took) if self.clocks else None,
        )

    # ---- what others ask -----------------------------------------------------------------------------------------

    @property
    def boxes(self) -> list[str]:
        """The boxes that the table was made with."""
        return self.choice.sets

    @property
    def asks_all(self) -> bool:
        """Whether all players decide on another game: among strangers nobody is the host of the others."""
        return self.rated or self.is_open

    @property
    def is_out_of_time(self) -> bool:
        """Whether the time of the seat in turn is up."""
        return self.clocks is not None and self.clocks.is_out(self.game.player)

    def now(self) -> int:
        """The moment by the server's clock, in milliseconds."""
        return round(self.clock() * 1000)

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
