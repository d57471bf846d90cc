"""A game to read: the replay and the record that somebody may see."""

from dataclasses import dataclass, field
from typing import cast

import msgspec

from kingdom_builder.game import Game
from kingdom_builder.message import Message, Refusal, seat_letter
from kingdom_builder.notation import Record, parse_stored_position
from kingdom_builder.rules import Action, Perspective
from kingdom_builder.server.messages import Frame, Replay
from kingdom_builder.server.messages import Refusal as RefusalSent
from kingdom_builder.server.names import default_name
from kingdom_builder.server.views import frames, setup_view

MOST_BYTES = 20_000_000
"""The most bytes of a replay: ten times as many as for a long game with all boxes."""


@dataclass(frozen=True)
class Transcript:
    """A game as plain values, which can be sent to another process."""

    start: str
    """The position that it begins from."""
    actions: list[Action]
    names: list[str]
    colours: list[int]
    perspective: Perspective
    """The perspective of the reader."""
    tags: dict[str, str] = field(default_factory=dict)
    hints: bool = True
    """Whether the reader may have hints."""
    refusal: RefusalSent | None = None
    """Why the transcript ends before the game does, if it does."""
    left_at: list[int] | None = None
    """What the seat in turn had left at each moment, if the game has a clock."""
    took: list[int] | None = None
    """How long the action before each moment took."""

    def game(self) -> Game:
        return Game(parse_stored_position(self.start), None, self.actions, draws=False)

    def replay(self) -> bytes:
        """All moments of the game, as a Replay in JSON. Raises Refusal if it is too long.

        It is encoded moment by moment: at once, a long game on a full board would take all the memory.
        """
        game = self.game()
        size = 0
        encoded: list[msgspec.Raw] = []
        for frame in frames(game, self.perspective):
            encoded.append(msgspec.Raw(msgspec.json.encode(frame)))
            size += len(encoded[-1])
            if size > MOST_BYTES:
                raise Refusal(
                    Message("the replay of this game has more than {n} bytes: expected a shorter game", n=MOST_BYTES)
                )
        shown = cast("list[Frame]", encoded)
        replay = Replay(
            setup_view(game.start),
            self.names,
            self.colours,
            shown,
            self.tags,
            self.hints,
            self.refusal,
            self.left_at,
            self.took,
        )
        return msgspec.json.encode(replay)

    def record(self) -> Record:
        """The record; for a running game it ends before the first card that the reader may not see."""
        game = self.game()
        known = game.known_prefix(self.perspective)
        if known is None:
            raise Refusal(
                Message("The record would show cards that are still hidden: ask for it later in the game."), "hidden"
            )
        tags = {f"Name{seat_letter(seat)}": name or default_name(seat) for seat, name in enumerate(self.names)}
        return Record.of(game.start, self.actions[:known], tags)
