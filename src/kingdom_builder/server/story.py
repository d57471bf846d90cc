"""A game from its beginning, as one reader may know it: as a replay and as a record."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from kingdom_builder.notation import Record, parse_position
from kingdom_builder.rules import Action, State
from kingdom_builder.rules.explanation import seat_letter
from kingdom_builder.server.messages import Replay
from kingdom_builder.server.refusal import Refusal
from kingdom_builder.server.views import (
    EVERYTHING,
    Eyes,
    Moment,
    first_secret,
    frames,
    history_of,
    setup_view,
    start_is_secret,
)


@dataclass(frozen=True)
class FinishedGame:
    """An earlier game at a table."""

    start: str
    actions: list[Action]
    names: list[str]
    colours: list[int]

    def story(self) -> "Story":
        return Story(*history_of(parse_position(self.start), self.actions), self.names, self.colours, EVERYTHING)


@dataclass(frozen=True)
class Story:
    """All moments of a game. Nothing in it changes any more, so that it can be told in another thread."""

    history: Sequence[Moment]
    now: State
    names: list[str]
    colours: list[int]
    eyes: Eyes
    """Who reads it."""
    tags: dict[str, str] = field(default_factory=dict)
    advice: bool = True

    @property
    def start(self) -> State:
        return self.history[0][0] if self.history else self.now

    def replay(self) -> Replay:
        shown = list(frames(self.history, self.now, self.eyes))
        return Replay(setup_view(self.start), self.names, self.colours, shown, self.tags, self.advice)

    def record(self) -> Record:
        """The record; that of a running game ends before the first card that the reader may not know."""
        if start_is_secret(self.history, self.now, self.eyes):
            raise Refusal("hidden", "The record would show cards that are still hidden: ask for it later in the game.")
        told = first_secret(self.history, self.now, self.eyes)
        tags = {f"Name{seat_letter(seat)}": name for seat, name in enumerate(self.names)}
        return Record.of(self.start, [action for _, action in self.history[:told]], tags)
