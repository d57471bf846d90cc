"""A game from its beginning, as one reader may know it: as a replay and as a record."""

from dataclasses import dataclass, field
from typing import cast

import msgspec

from kingdom_builder.message import seat_letter
from kingdom_builder.notation import Record, parse_position
from kingdom_builder.rules import Action
from kingdom_builder.server.messages import Frame, Problem, Replay
from kingdom_builder.server.refusal import Refusal
from kingdom_builder.server.views import Perspective, first_secret, frames, history_of, setup_view, start_is_secret

MOST_BYTES = 20_000_000
"""Bytes of a replay: ten times as many as that of a long game with everything."""


@dataclass(frozen=True)
class Transcript:
    """A game as plain values, which can be sent to another process to be told there."""

    start: str
    """The position that it begins from."""
    actions: list[Action]
    names: list[str]
    colours: list[int]
    perspective: Perspective
    """Who reads it."""
    tags: dict[str, str] = field(default_factory=dict)
    advice: bool = True
    problem: Problem | None = None
    """Why it ends before the game does."""

    def replay(self) -> bytes:
        """All moments of the game, as a Replay in JSON. Raises ValueError if it is too long.

        It is encoded moment by moment: a long game on a full board would take all the memory there is.
        """
        start = parse_position(self.start)
        size = 0
        shown: list[msgspec.Raw] = []
        for frame in frames(*history_of(start, self.actions), self.perspective):
            encoded = msgspec.json.encode(frame)
            size += len(encoded)
            if size > MOST_BYTES:
                raise ValueError(f"the replay of this game has more than {MOST_BYTES} bytes: expected a shorter game")
            shown.append(msgspec.Raw(encoded))
        told = cast("list[Frame]", shown)
        replay = Replay(setup_view(start), self.names, self.colours, told, self.tags, self.advice, self.problem)
        return msgspec.json.encode(replay)

    def record(self) -> Record:
        """The record; that of a running game ends before the first card that the reader may not know."""
        start = parse_position(self.start)
        history, now = history_of(start, self.actions)
        if start_is_secret(history, now, self.perspective):
            raise Refusal("hidden", "The record would show cards that are still hidden: ask for it later in the game.")
        told = first_secret(history, now, self.perspective)
        tags = {f"Name{seat_letter(seat)}": name for seat, name in enumerate(self.names)}
        return Record.of(start, self.actions[:told], tags)
