"""A table: a game in progress, the people at it, and the log that both follow from."""

import asyncio
import hashlib
import hmac
import secrets
import time
from base64 import urlsafe_b64encode
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random, SystemRandom
from typing import NamedTuple, Protocol, cast

import msgspec

from kingdom_builder.message import Message
from kingdom_builder.notation import (
    NotationError,
    action_text,
    as_played_under,
    parse_move,
    parse_position,
    play,
    position_of,
)
from kingdom_builder.players import LEVELS
from kingdom_builder.rules import DRAWN, RULES_VERSION, Action, IllegalAction, State, observe
from kingdom_builder.rules.state import HAND
from kingdom_builder.server import entries, messages
from kingdom_builder.server.entries import AnyEntry, AnySent, Seat
from kingdom_builder.server.journal import Doubt, Journal, Loaded, StoredEntry
from kingdom_builder.server.messages import SeatView, TableView, WatcherView
from kingdom_builder.server.names import clean, look_alike
from kingdom_builder.server.pacing import Pace
from kingdom_builder.server.party import Party, TokenHashes
from kingdom_builder.server.refusal import Refusal
from kingdom_builder.server.setups import another, deal, start_of
from kingdom_builder.server.transcript import Transcript
from kingdom_builder.server.views import (
    EVERYTHING,
    Perspective,
    Ply,
    last_placed,
    log_line,
    own_view,
    pay_lines,
    setup_view,
    view_of,
)

COMMANDS_KEPT = 256
"""Of these the ids are remembered for each key, so that a repeated command is done once."""

MOST_ENTRIES = 25_000
"""Of the log of a table. The longest evening has a tenth of it."""

SHARES = {"watcher": 0.2, "talk": 0.4, "player": 0.6, "host": 0.8, "move": 1.0}
"""How full the log may be for each kind of entry: whoever talks or takes back without end does not keep the others from
what matters more. In the end there are moves only, so that the game can end."""

MOST_ACTIONS, MOST_OF_A_TURN = 2_000, 300
"""Actions of people in one game and in one turn: several times as many as the longest have. Some can be begun again and
again; a bot that takes over such a turn can still end it."""

MOST_STEPS = 20
"""Of one move. In some actions another piece can be chosen again and again."""

ID_LENGTH = 100
COLOURS = 5
QUIET_SECONDS = 1.0
"""Between two messages about who came and went."""


@dataclass
class Seen:
    """What a viewer has been told so far."""

    game: int = 0
    version: int = 0
    """Up to which the actions are known."""
    is_current: bool = True
    """Whether the view of that version was told too."""
    chat: int = 0
    """The version of the last line."""
    people: int = -1


class Viewer(Protocol):
    """A connection to a table."""

    hashes: TokenHashes
    tokens: Mapping[str, str]
    """The secrets that the viewer has shown, by their hashes."""
    visitor: str
    number: int
    """Tells those who look on apart; given by the table."""
    name: str
    """As last used in the chat."""
    seen: Seen

    def send(self, message: messages.AnyMessage) -> None:
        """Answer a command."""

    def notify(self) -> None:
        """There may be news: ask the table for them when the last ones have been sent."""

    def dismiss(self, refusal: Refusal | None) -> None:
        """End the connection: for the reason given, or so that the page comes back by itself."""


class Carried(NamedTuple):
    """A command that was carried out."""

    version: int
    made_token: bool
    """Whether it made a key, to be told again when the command is repeated."""


class FinishedGame(NamedTuple):
    """An earlier game at a table."""

    start: str
    actions: list[Action]
    names: list[str]
    colours: list[int]


def new_token() -> str:
    """A part of a link that nobody can guess."""
    return secrets.token_urlsafe(16)


def token_hash(secret: str) -> str:
    """What is kept of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()[:32]


def derived_token(secret: str, about: str) -> str:
    """A further secret, the same each time for whoever has the first one."""
    digest = hmac.digest(secret.encode(), about.encode(), "sha256")
    return urlsafe_b64encode(digest[:16]).rstrip(b"=").decode()


class Table:
    """Everything about one table.

    A lock lets one command after the other through. An entry is stored first, then it takes effect: what people see is
    always what a restart of the server would give.
    """

    def __init__(
        self, identity: str, journal: Journal, generation: int, opened: entries.Opened, rng: Random | None = None
    ) -> None:
        self.id = identity
        self.journal = journal
        self.generation = generation
        """Of the journal's content that this table follows from."""
        self.rng = rng or SystemRandom()
        self.party = Party(opened)
        self.viewers: set[Viewer] = set()
        self.lock = asyncio.Lock()
        self.trouble: Refusal | None = None
        """Why the log cannot be read to its end: the table is for looking at only."""
        self.version = 1
        self.changed = 1
        """The version in which the game was last changed."""
        self.game = 1
        self.visitor = ""
        """The address of whoever came last: bots think at their expense."""
        self.touched = time.monotonic()
        """When somebody was last here."""
        self.on_change: Callable[[Table], None] = lambda table: None
        """Called after the game or the players have changed: a bot may be in turn."""
        self.on_lost: Callable[[Table], None] = lambda table: None
        """Called when the log may differ from what is known here."""
        self._choice = opened.choice
        self._carried: dict[str, dict[str, Carried]] = {}
        self._finished: list[FinishedGame] = []
        self._shown = 1
        """The version since which what viewers see of the game is the same."""
        self._people = 0
        """How often something about the people was told."""
        self._people_told = 0.0
        self._people_due: asyncio.TimerHandle | None = None
        self._numbers = 0
        self._muted: set[str] = set()
        self._removed: set[str] = set()
        self._public_view: messages.View | None = None
        self._lines: dict[tuple[int, Perspective], msgspec.Raw] = {}
        """The lines of the log that somebody asked for, as they go over the wire."""
        self._begin(opened.seed, opened.start, opened.moves, opened.rules)

    @classmethod
    async def restore(cls, identity: str, journal: Journal, loaded: Loaded, rng: Random | None = None) -> "Table":
        """The table that a log tells of, as far as it can be read. Raises Refusal if not even its beginning can."""
        first, *others = loaded.entries
        opened = _decoded(first, 1)
        if not isinstance(opened, entries.Opened):
            raise Refusal("damaged", "The log of this table is damaged: its first entry is not that of a table.")
        try:
            table = cls(identity, journal, loaded.generation, opened, rng)
        except (ValueError, IllegalAction) as error:
            raise _no_longer_legal(opened.rules, error) from None
        pace = Pace()
        for number, stored in enumerate(others, 2):
            try:
                entry = _decoded(stored, number)
                if isinstance(entry, entries.Opened):
                    raise Refusal("damaged", f"The log of this table is damaged: entry {number} opens it again.")
                table._apply_entry(entry)
            except Refusal as trouble:
                table.trouble = trouble
                break
            except (ValueError, IllegalAction, LookupError) as error:
                table.trouble = _no_longer_legal(table._rules, error)
                break
            await pace.rest()
        return table

    # ---- what the log means --------------------------------------------------------------------------------------

    def _begin(self, seed: str, start: str, moves: str, rules: int) -> None:
        self.seed = seed
        self._rules = rules
        self._start = as_played_under(start, rules)
        self.state = parse_position(self._start)
        self.history: list[Ply] = []
        self._first_version = self.version
        self._kept: list[int] = []
        """For each version of this game, how many actions were left as they had been."""
        self._lines.clear()
        self._extend(moves)

    def _extend(self, moves: str) -> None:
        self._kept.append(len(self.history))
        for move in moves.split():
            (action,) = parse_move(self.state.setup, move)
            if action in DRAWN and self.state.awaiting == HAND:
                self.party.card_drawn(self.state.player)
            self.history.append((self.state.copy(), action))
            self.state.apply(action)
        self.changed = self._shown = self.version

    def _apply_entry(self, entry: AnySent) -> None:
        """Do what an entry of the log says."""
        self.version += 1
        self._public_view = None
        match entry:
            case entries.Played():
                self._extend(entry.moves)
            case entries.Undone():
                self._kept.append(entry.ply)
                self.state = self.history[entry.ply][0]
                del self.history[entry.ply :]
                self._lines = {key: line for key, line in self._lines.items() if key[0] < entry.ply}
                self.changed = self._shown = self.version
            case entries.Restarted():
                actions = [action for _, action in self.history]
                colours = [chair.colour for chair in self.party.seats]
                self._finished.append(FinishedGame(self._start, actions, self.party.names(), colours))
                self.game += 1
                self.party.new_game()
                self._begin(entry.seed, entry.start, entry.moves, entry.rules)
            case _:
                self._kept.append(len(self.history))
                self._apply_people_entry(entry)
        made_key = _makes_token(entry)
        for key in entry.by.split():
            carried = self._carried.setdefault(key, {})
            carried[entry.id] = Carried(self.version, made_key)
            if len(carried) > COMMANDS_KEPT:
                del carried[next(iter(carried))]

    def _apply_people_entry(self, entry: AnySent) -> None:
        has_hand = False
        if isinstance(entry, entries.Reseated):
            has_hand = bool(self.state.hands[entry.seat]) and not self.state.over
            self._carried.pop(self.party.seats[entry.seat].token_hash, None)
        self.party.apply_entry(entry, self.version, len(self.history), has_hand)
        if isinstance(entry, entries.Reseated | entries.Agreed):
            self._shown = self.version
        elif isinstance(entry, entries.Renewed):
            self._removed.clear()

    async def _store(self, entry: AnySent) -> None:
        """Make an entry lasting, then let it take effect."""
        if self.trouble is not None:
            raise self.trouble
        if self.version >= MOST_ENTRIES * SHARES[_kind(entry)]:
            raise Refusal(
                "full", "So much has happened at this table that no more of this can be kept: make a new one."
            )
        try:
            body = entries.encode(entry)
            await self.journal.append(self.id, self.version + 1, entries.FORMAT, body, self.generation)
        except (Doubt, asyncio.CancelledError):
            self.on_lost(self)  # it may be stored all the same
            raise
        self._apply_entry(entry)

    # ---- looking -------------------------------------------------------------------------------------------------

    def bot_in_turn(self) -> str:
        """The level of the bot that has to act; empty if a person has, or nobody."""
        if self.state.over or self.trouble is not None:
            return ""
        return self.party.seats[self.state.player].level

    def is_looked_at(self, seconds: float) -> bool:
        """Whether somebody is here, or was so many seconds ago."""
        return bool(self.viewers) or time.monotonic() - self.touched < seconds

    def _seeing(self, hashes: TokenHashes) -> list[int]:
        """The seats whose hand somebody may see: not a veiled one, except in its own turn."""
        veils = self.party.veils
        return [seat for seat in self.party.seats_of(hashes) if seat not in veils or seat == self.state.player]

    def _perspective(self, hashes: TokenHashes) -> Perspective:
        """With whose perspective the game is seen: people who share a device see only the cards of the one in turn."""
        seats = self._seeing(hashes)
        if len(self.party.seats_of(hashes)) > 1:
            return self.state.player if self.state.player in seats else None
        return seats[0] if seats else None

    def _log_perspective(self, hashes: TokenHashes) -> Perspective:
        """With whose perspective the log is read."""
        seats = self.party.seats_of(hashes)
        return seats[0] if len(seats) == 1 and seats[0] not in self.party.veils else None

    def view(self, hashes: TokenHashes) -> messages.View:
        """The game as somebody may see it."""
        ply = len(self.history)
        if self._public_view is None:
            self._public_view = view_of(self.state, ply, None, last_placed(self.history, self.state, ply))
        acts = self.state.player in self.party.seats_of(hashes)
        undo = acts and self._turn_began() < ply
        return own_view(self._public_view, self.state, self._perspective(hashes), acts=acts, undo=undo)

    def _line(self, ply: int, perspective: Perspective) -> msgspec.Raw:
        """The action after the first `ply`; viewers differ only in which drawn cards they may know."""
        before, action = self.history[ply]
        whose = perspective if action in DRAWN else None
        line = self._lines.get((ply, whose))
        if line is None:
            after = self.history[ply + 1][0] if ply + 1 < len(self.history) else self.state
            encoded = msgspec.json.encode(log_line(before, action, after, ply + 1, whose))
            line = self._lines[ply, whose] = msgspec.Raw(encoded)
        return line

    def _lines_since(self, hashes: TokenHashes, since: int) -> list[messages.LogLine]:
        perspective = self._log_perspective(hashes)
        lines = [self._line(ply, perspective) for ply in range(since, len(self.history))]
        return cast("list[messages.LogLine]", lines)  # encoded already

    async def _prepare_lines(self, hashes: TokenHashes) -> None:
        """Work out all lines of the log, with breaks for others."""
        perspective, pace, ply = self._log_perspective(hashes), Pace(), 0
        while ply < len(self.history):
            self._line(ply, perspective)
            ply += 1
            await pace.rest()

    def table_view(self, hashes: TokenHashes) -> TableView:
        """The people as one viewer may see them."""
        party = self.party
        present: set[str] = set()
        for viewer in self.viewers:
            present |= viewer.hashes
        looking_on = [viewer for viewer in self.viewers if not party.seats_of(viewer.hashes)]
        is_host = party.is_host(hashes)
        return TableView(
            id=self.id,
            game=self.game,
            seed=self.seed,
            seats=[
                SeatView(name, chair.kind, chair.colour, chair.level, chair.token_hash in present, seat in party.veils)
                for seat, (name, chair) in enumerate(zip(party.names(), party.seats, strict=True))
            ],
            yours=party.seats_of(hashes),
            host=is_host,
            advice=self.advises(hashes),
            watchers=len(looking_on),
            guests=[
                WatcherView(viewer.number, viewer.name, viewer.visitor in self._muted)
                for viewer in sorted(looking_on, key=lambda viewer: viewer.number)
                if is_host and not party.is_host(viewer.hashes)
            ],
            hushed=party.hushed,
            agreeable=party.agreeable(hashes),
            notices=list(party.notices),
        )

    def _welcome(self, hashes: TokenHashes) -> messages.Welcome:
        return messages.Welcome(
            protocol=messages.PROTOCOL,
            version=self.version,
            table=self.table_view(hashes),
            setup=setup_view(self.history[0][0] if self.history else self.state),
            view=self.view(hashes),
            lines=self._lines_since(hashes, 0),
            chat=list(self.party.chat),
        )

    def update(self, hashes: TokenHashes, version: int) -> messages.Update:
        """What somebody does not know who saw this version of this game."""
        kept = min(self._kept[version - self._first_version + 1 :], default=len(self.history))
        return messages.Update(self.version, kept, self._lines_since(hashes, kept), self.view(hashes))

    def transcript(self, hashes: TokenHashes, game: int = 0) -> Transcript:
        """A game at this table, by default the present one. A finished one has no secrets."""
        if game in (0, self.game):
            perspective = EVERYTHING if self.state.over else self._log_perspective(hashes)
            return Transcript(
                self._start,
                [action for _, action in self.history],
                self.party.names(),
                [chair.colour for chair in self.party.seats],
                perspective,
                advice=self.state.over or self.advises(hashes),
                problem=messages.Problem(self.trouble.code, str(self.trouble)) if self.trouble else None,
            )
        if not 1 <= game < self.game:
            raise Refusal("unknown-game", f"There is no game {game} at this table: expected 1 to {self.game}.")
        return Transcript(*self._finished[game - 1], EVERYTHING)

    # ---- coming and going ----------------------------------------------------------------------------------------

    async def connect(self, viewer: Viewer, hello: messages.Hello, most: int) -> None:
        """Somebody opens a page of this table, or comes back to it; `most` can be open."""
        await self._prepare_lines(viewer.hashes)
        viewer.hashes = frozenset(key for key in viewer.hashes if self.party.knows(key))  # they may be void by now
        if not viewer.hashes:
            raise Refusal("void-key", "This key is not valid any more.")
        if viewer.visitor in self._removed and viewer.hashes == {self.party.watch}:
            raise Refusal("removed", "The host has sent you away from this table.")
        if len(self.viewers) >= most:
            self._make_room(viewer)
        self._numbers += 1
        viewer.number = self._numbers
        self.viewers.add(viewer)
        self._touch(viewer)
        if hello.game == self.game and self._first_version <= hello.version <= self.version:
            viewer.seen = Seen(self.game, hello.version, False, hello.version)
        self._broadcast_presence()
        self.on_change(self)

    def _make_room(self, viewer: Viewer) -> None:
        """Close the oldest page of those with most pages, so that nobody keeps a player or the host out."""
        if viewer.hashes == {self.party.watch}:
            raise Refusal("full", "This table has too many visitors now: try again later.")
        pages = Counter(each.hashes for each in self.viewers)
        crowd = max(pages, key=lambda hashes: (pages[hashes], hashes == {self.party.watch}))
        oldest = min((each for each in self.viewers if each.hashes == crowd), key=lambda each: each.number)
        oldest.dismiss(Refusal("full", "Too many pages of this table are open: one of them had to close."))

    def disconnect(self, viewer: Viewer) -> None:
        """Somebody closed a page."""
        self.viewers.discard(viewer)
        self.touched = time.monotonic()
        self._broadcast_presence()

    def _touch(self, viewer: Viewer) -> None:
        self.touched = time.monotonic()
        self.visitor = viewer.visitor

    def news(self, viewer: Viewer) -> list[messages.AnyMessage]:
        """What a viewer does not know yet, all of one moment.

        Whoever got only the first of these messages comes back with the version in it: it must not stand for anything
        that the others tell.
        """
        seen = viewer.seen
        if seen.game != self.game:
            viewer.seen = Seen(self.game, self.version, True, self.version, self._people)
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
        if seen.people != self._people:
            seen.people = self._people
            news.append(messages.Table(self.version, self.table_view(viewer.hashes)))
        return news

    def remind(self, viewer: Viewer) -> None:
        """Tell a viewer again how the game stands."""
        viewer.seen.is_current = False
        viewer.notify()

    def _broadcast(self) -> None:
        for viewer in self.viewers:
            viewer.notify()

    def _broadcast_people(self) -> None:
        if self._people_due is not None:
            self._people_due.cancel()
            self._people_due = None
        self._people += 1
        self._people_told = time.monotonic()
        self._broadcast()

    def _broadcast_presence(self) -> None:
        """People come and go often: that is told once a second at most."""
        if self._people_due is None and self.viewers:
            wait = max(0.0, self._people_told + QUIET_SECONDS - time.monotonic())
            self._people_due = asyncio.get_running_loop().call_later(wait, self._broadcast_people)

    def _send_away(self, refusal: Refusal) -> None:
        """Take void hashes from the viewers; who has no other has to go."""
        for viewer in list(self.viewers):
            known = frozenset(key for key in viewer.hashes if self.party.knows(key))
            if known != viewer.hashes:
                viewer.hashes = known
            if not known:
                viewer.dismiss(refusal)

    # ---- commands ------------------------------------------------------------------------------------------------

    async def handle(self, viewer: Viewer, command: messages.TableCommand) -> None:
        """Carry out a command and answer it. Raises Refusal or StoreError, having changed nothing."""
        async with self.lock:
            if not viewer.hashes:
                raise Refusal("void-key", "This key is not valid any more.")
            match command:
                case messages.Hello():
                    raise Refusal("malformed", "This connection has been greeted already.")
                case messages.Ping():
                    viewer.send(messages.Pong(command.id))
                case messages.Why():
                    viewer.send(messages.Reason(command.id, self.version, self._why_not(viewer.hashes, command.move)))
                case messages.Pay():
                    viewer.send(messages.Payment(command.id, self.version, pay_lines(self.state)))
                case messages.Mute() | messages.Remove():
                    self._keep_order(viewer, command)
                case _:
                    await self._change(viewer, command)

    async def _change(self, viewer: Viewer, command: messages.Change) -> None:
        hashes = viewer.hashes
        if len(command.id) > ID_LENGTH:
            raise Refusal("too-large", f"The id has {len(command.id)} characters: expected at most {ID_LENGTH}.")
        for key in hashes:  # a page may show other hashes than when it sent the command first
            if (before := self._carried.get(key, {}).get(command.id)) is not None:
                token = self._made_token(viewer, before.version, command.id) if before.made_token else None
                viewer.send(messages.Done(command.id, before.version, token))
                return
        entry = self._entry(viewer, command)
        game = self.game
        await self._store(entry)
        self._touch(viewer)
        token = self._made_token(viewer, self.version, command.id) if _makes_token(entry) else None
        viewer.send(messages.Done(command.id, self.version, token))
        if isinstance(entry, entries.Reseated):
            self._send_away(Refusal("void-key", "The host has given your seat to somebody else."))
        elif isinstance(entry, entries.Renewed):
            self._send_away(Refusal("void-key", "The host has replaced the link for looking on."))
        if self.game != game or self.changed == self.version or isinstance(entry, entries.Said):
            self._broadcast()
        else:
            self._broadcast_people()
        self.on_change(self)

    def _made_token(self, viewer: Viewer, version: int, identity: str) -> str | None:
        """The key that a command of the host makes. It follows from the host's own, so that it can be told again."""
        secret = viewer.tokens.get(self.party.host)
        return secret and f"{self.id}.{derived_token(secret, f'{self.id} {version} {identity}')}"

    def _entry(self, viewer: Viewer, command: messages.Change) -> AnySent:
        """What a command would enter in the log."""
        hashes = viewer.hashes
        by = " ".join(sorted(hashes))
        match command:
            case messages.Play():
                self._check_turn(hashes, command.version)
                self._check_length()
                return entries.Played(by, command.id, self._moves(command.move))
            case messages.Undo():
                self._check_turn(hashes, command.version)
                return entries.Undone(by, command.id, self._undo_to(command.whole_turn))
            case messages.Join():
                return self._joined(hashes, by, command)
            case messages.Say():
                return self._said(viewer, by, command)
            case messages.Reseat():
                return self._reseated(viewer, by, command)
            case messages.Agree():
                return self._agreed(hashes, by, command)
            case messages.Renew():
                return entries.Renewed(by, command.id, self._new_token_hash(viewer, command.id))
            case messages.Hush():
                self._check_host(hashes)
                return entries.Hushed(by, command.id, command.on)
            case messages.Rematch():
                return self._restarted(hashes, by, command)

    def _check_turn(self, hashes: TokenHashes, version: int) -> None:
        if not self.party.seats_of(hashes):
            raise Refusal("forbidden", "You are looking on: only players can do that.")
        if not self.changed <= version <= self.version:
            raise Refusal("stale", "The game has gone on meanwhile: look at the board again.")
        if self.state.over:
            raise Refusal("illegal", "The game is over.")
        if self.state.player not in self.party.seats_of(hashes):
            raise Refusal("forbidden", f"It is the turn of {self.party.names()[self.state.player]}.")

    def _check_length(self) -> None:
        ply = len(self.history)
        if ply >= MOST_ACTIONS:
            raise Refusal("full", "This game has as many actions as can be kept: make a new table.")
        if ply - self._turn_began() >= MOST_OF_A_TURN:
            raise Refusal("full", "This turn has as many actions as can be kept: take some back.")

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
        actions = parse_move(trial.setup, move)
        if len(actions) > MOST_STEPS:
            raise NotationError(
                Message("A move of {n} steps: expected at most {most}.", n=len(actions), most=MOST_STEPS), move, 0
            )
        if any(action in DRAWN for action in actions):
            raise NotationError(Message("Cards are drawn by the server."), move, 0)
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

    def _why_not(self, hashes: TokenHashes, move: str) -> str | None:
        if self.state.over:
            return "The game is over."
        if self.state.player not in self.party.seats_of(hashes):
            return f"It is the turn of {self.party.names()[self.state.player]}."
        try:
            self._try(self.state.copy(), move)
        except NotationError as error:
            return sentence(error.reason.removeprefix(f"{move}: "))
        return None

    # ---- commands of people --------------------------------------------------------------------------------------

    def _seat(self, seat: int) -> Seat:
        seats = self.party.seats
        if not 0 <= seat < len(seats):
            raise Refusal("malformed", f"There is no seat {seat}: expected 0 to {len(seats) - 1}.")
        return seats[seat]

    def _joined(self, hashes: TokenHashes, by: str, command: messages.Join) -> AnySent:
        self._seat(command.seat)
        if command.seat not in self.party.seats_of(hashes):
            raise Refusal("forbidden", "This seat belongs to somebody else.")
        name = clean(command.name, messages.NAME_LENGTH)
        if not 0 <= command.colour < COLOURS:
            raise Refusal("malformed", f"There is no colour {command.colour}: expected 0 to {COLOURS - 1}.")
        others = [chair for seat, chair in enumerate(self.party.seats) if seat != command.seat]
        if command.colour in [chair.colour for chair in others]:
            raise Refusal("taken", "This colour is taken: choose another one.")
        defaults = self.party.default_names()
        if look_alike(name, defaults.pop(command.seat)):
            name = ""  # the seats move up in the next game
        taken = [*defaults, *(chair.name for chair in others if chair.token_hash and chair.token_hash not in hashes)]
        if name and any(look_alike(name, each) for each in taken):
            raise Refusal("taken", "Another player has this name, or one that looks like it: choose another one.")
        return entries.Joined(by, command.id, command.seat, name, command.colour)

    def _said(self, viewer: Viewer, by: str, command: messages.Say) -> AnySent:
        hashes, party = viewer.hashes, self.party
        text = clean(command.text, messages.CHAT_LENGTH)
        if not text:
            raise Refusal("malformed", "There is nothing to say in this message.")
        seat, mine, role = command.seat, party.seats_of(hashes), party.role_of(hashes)
        if seat is None and mine and role == "watcher":
            seat = mine[0]  # players do not speak as if they looked on
        if seat is not None:
            self._seat(seat)
            if seat not in mine:
                raise Refusal("forbidden", "You cannot speak for another seat.")
            return entries.Said(by, command.id, party.names()[seat], text, "player")
        if role == "watcher" and (party.hushed or viewer.visitor in self._muted):
            raise Refusal("muted", "The host does not want you to speak here.")
        name = clean(command.name, messages.NAME_LENGTH) or "Watcher"
        if any(look_alike(name, taken) for taken in party.names()):
            raise Refusal("taken", "This name belongs to a player, or looks like it: choose another one.")
        viewer.name = name
        return entries.Said(by, command.id, name, text, role)

    def _check_host(self, hashes: TokenHashes) -> None:
        if not self.party.is_host(hashes):
            raise Refusal("forbidden", "Only the host of the table can do that.")

    def _new_token_hash(self, viewer: Viewer, identity: str) -> str:
        """The hash of the key that a command of the host makes."""
        self._check_host(viewer.hashes)
        token = self._made_token(viewer, self.version + 1, identity)
        assert token is not None
        return token_hash(token.partition(".")[2])

    def _reseated(self, viewer: Viewer, by: str, command: messages.Reseat) -> AnySent:
        self._check_host(viewer.hashes)
        chair = self._seat(command.seat)
        if command.level:
            check_level(command.level)
            seated = Seat("", "bot", "", chair.colour, command.level)
        elif command.seat == self.state.player and self.state.choice_is_open():
            raise Refusal("illegal", "The seat has still to choose a card in this turn: give it to a bot, or wait.")
        else:
            seated = Seat(self._new_token_hash(viewer, command.id), "open", "", chair.colour)
        return entries.Reseated(by, command.id, command.seat, seated)

    def _agreed(self, hashes: TokenHashes, by: str, command: messages.Agree) -> AnySent:
        self._seat(command.seat)
        if command.seat not in self.party.agreeable(hashes):
            raise Refusal("forbidden", "There is no hidden hand of this seat that you could agree to show.")
        mine = [seat for seat in self.party.seats_of(hashes) if seat != command.seat]
        return entries.Agreed(by, command.id, command.seat, mine, self.party.is_host(hashes))

    def _keep_order(self, viewer: Viewer, command: messages.Mute | messages.Remove) -> None:
        """Mute or remove somebody who looks on. That holds while the table is in memory; a new link is for good."""
        self._check_host(viewer.hashes)
        found = [each for each in self.viewers if each.number == command.watcher and each.hashes == {self.party.watch}]
        if not found:
            raise Refusal("malformed", f"Nobody with number {command.watcher} looks on: look at the list again.")
        visitor = found[0].visitor
        if isinstance(command, messages.Mute):
            (self._muted.add if command.on else self._muted.discard)(visitor)
        else:
            self._removed.add(visitor)
            for each in list(self.viewers):
                if each.visitor == visitor and each.hashes == {self.party.watch}:
                    each.dismiss(Refusal("removed", "The host has sent you away from this table."))
        viewer.send(messages.Done(command.id, self.version))
        self._broadcast_people()

    def _restarted(self, hashes: TokenHashes, by: str, command: messages.Rematch) -> AnySent:
        self._check_host(hashes)
        if not self.state.over:
            raise Refusal("illegal", "The game is not over yet: a rematch is possible after its end.")
        rules = RULES_VERSION
        if command.same_board:
            start, seed, rules = parse_position(self._start), self.seed, self._rules
        else:
            start, seed = start_of(another(self._choice), len(self.party.seats))
        moves = deal(start, self.rng)
        return entries.Restarted(by, command.id, seed, position_of(start), moves, rules)

    # ---- advice --------------------------------------------------------------------------------------------------

    def advises(self, hashes: TokenHashes) -> bool:
        """Whether somebody may have hints: nobody else is a person at another device."""
        seats = self.party.seats
        return bool(self.party.seats_of(hashes)) and all(chair.level or chair.token_hash in hashes for chair in seats)

    def position_for_hint(self, hashes: TokenHashes) -> str:
        """What the seat in turn may see. Raises Refusal if it may not have a hint."""
        self._check_turn(hashes, self.version)
        if not self.advises(hashes):
            raise Refusal("forbidden", "There are no hints where people play at other devices.")
        return position_of(observe(self.state, self.state.player))

    # ---- bots ----------------------------------------------------------------------------------------------------

    async def act_for_bot(self, version: int, move: str) -> bool:
        """A move of the bot in turn; nothing is done if the game has changed since it began to think."""
        async with self.lock:
            if self.changed != version or not self.bot_in_turn():
                return False
            await self._store(entries.Played("bot", f"{self.version}", self._moves(move)))
            self._broadcast()
            return True

    async def report_failure(self, seat: int) -> None:
        """Let all know, once in a game, that a bot failed and a simple one acts for it."""
        async with self.lock:
            if any(notice.kind == "bot-failed" and notice.seat == seat for notice in self.party.notices):
                return
            await self._store(entries.Failed("bot", f"{self.version}", seat))
            self._broadcast_people()


def check_level(level: str) -> None:
    """Refuse a bot that does not exist. Strangers cannot set budgets of their own."""
    if level not in LEVELS:
        raise Refusal("malformed", f"There is no bot {level!r}: expected one of {', '.join(LEVELS)}.")


def sentence(text: str) -> str:
    """A reason as a sentence of its own; the name of a hex stays as it is."""
    first = text[:1] if text[1:2].isdigit() else text[:1].upper()
    return f"{first}{text[1:]}{'' if text.endswith('.') else '.'}"


def _kind(entry: AnySent) -> str:
    """The share of the log that an entry counts for."""
    match entry:
        case entries.Played() | entries.Failed():
            return "move"
        case entries.Said():
            return "watcher" if entry.role == "watcher" else "talk"
        case entries.Undone() | entries.Joined():
            return "player"
    return "host"


def _makes_token(entry: AnySent) -> bool:
    return isinstance(entry, entries.Renewed) or (isinstance(entry, entries.Reseated) and bool(entry.seated.token_hash))


def _decoded(stored: StoredEntry, number: int) -> AnyEntry:
    """An entry of the log. Raises Refusal if it cannot be the one of this number."""
    if stored.version != number or not stored.intact:
        fault = f"entry {number} is missing" if stored.version != number else f"entry {number} has changed on the disk"
        raise Refusal("damaged", f"The log of this table is damaged: {fault}.")
    if stored.format > entries.FORMAT:
        raise Refusal("newer", "A newer version of the program has written the log of this table.")
    try:
        return entries.decode(stored.body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise Refusal("damaged", f"The log of this table is damaged: entry {number} cannot be read.") from None


def _no_longer_legal(rules: int, error: Exception) -> Refusal:
    """Why a log that was written well cannot be followed."""
    return Refusal(
        "outdated",
        f"The game at this table began under version {rules} of the rules, and cannot go on under version"
        f" {RULES_VERSION}: {sentence(str(error))}",
    )
