"""How far a learner is in a lesson. It follows from the moves made and taken back, so that a log gives it again."""

from typing import NamedTuple

from kingdom_builder.game import Game, parse_actions
from kingdom_builder.hexes import SIZE
from kingdom_builder.lessons.lesson import LEARNER, Lesson, Step
from kingdom_builder.message import HexName, Listed, Message
from kingdom_builder.rules import DRAWN, END, Action
from kingdom_builder.rules.actions import USE


class Place(NamedTuple):
    """A step, and the number of actions before it began."""

    step: int
    ply: int


class Progress:
    """The current step of a lesson: the first that is not to be read only and is not done yet.

    Steps to be read come before it, on the page: they are nothing to wait for.
    """

    def __init__(self, lesson: Lesson, game: Game) -> None:
        self.lesson = lesson
        self._game = game
        self._places = {0: Place(self._from(0), 0)}
        """The step after each number of actions that the game has stopped at."""

    @property
    def step(self) -> int:
        """The number of the current step; the number of all steps if everything is done."""
        return self._place.step

    @property
    def has_begun(self) -> bool:
        """Whether the current step has several actions, and some of them are done."""
        return self._place.ply < len(self._game.plies)

    @property
    def _place(self) -> Place:
        return self._places[max(ply for ply in self._places if ply <= len(self._game.plies))]

    @property
    def _current(self) -> Step | None:
        return self.lesson.steps[self.step] if self.step < len(self.lesson.steps) else None

    def is_wanted(self, actions: list[Action]) -> bool:
        """Whether the lesson asks for these actions of the learner now, or for a move that begins with them."""
        step = self._current
        if step is None or step.kind != "play":
            return False
        if not step.wants:
            return len(self._decided(actions)) == 1
        done = [*self._since(), *self._decided(actions)]
        return any(wanted[: len(done)] == done for wanted in self._wanted(step))

    def next_actions(self) -> list[Action]:
        """The actions that the lesson asks for now; nothing if any will do."""
        step = self._current
        if step is None or step.kind != "play":
            return []
        done = self._since()
        found = (wanted[len(done)] for wanted in self._wanted(step) if wanted[: len(done)] == done)
        return list(dict.fromkeys(found))

    def objection(self) -> Message:
        """What to say of a legal move that is not wanted: what is wanted instead."""
        step, wanted = self._current, self.next_actions()
        if step is None:
            return Message("The lesson ends here: begin it again, or choose another.")
        if step.kind == "undo":
            return Message("You may do that, but the lesson goes on when you take your last action back.")
        if wanted == [END]:
            return Message("You may do that, but the lesson goes on when you end your turn.")
        if wanted and all(action < SIZE for action in wanted):
            hexes = Listed(tuple(HexName(action) for action in wanted), "or")
            return Message("You may do that, but the lesson goes on at {hexes}.", hexes=hexes)
        if len(wanted) == 1 and wanted[0] >= USE:
            return Message(
                "You may do that, but the lesson goes on with {tile}.", tile=self._game.setup.actions[wanted[0] - USE]
            )
        return Message("You may do that, but the lesson goes on with something else.")

    def moved(self) -> None:
        """Note that the game has gone on."""
        step, ply = self._current, len(self._game.plies)
        if step is not None and self._is_done(step):
            self._places[ply] = Place(self._from(self.step + 1), ply)

    def undone(self) -> None:
        """Note that the game has gone back."""
        ply = len(self._game.plies)
        *earlier, left = sorted(self._places.values(), key=lambda place: place.ply)
        self._places = {at: place for at, place in self._places.items() if at <= ply}
        is_asked = left.step < len(self.lesson.steps) and self.lesson.steps[left.step].kind == "undo"
        if is_asked and earlier and ply == earlier[-1].ply:  # not the whole turn: earlier steps would be missing
            self._places[ply] = Place(self._from(left.step + 1), ply)

    def _is_done(self, step: Step) -> bool:
        if step.kind == "wait":
            return self._game.player == LEARNER or self._game.over
        if step.kind != "play":
            return False
        done = self._since()
        return done in self._wanted(step) if step.wants else len(done) == 1

    def _since(self) -> list[Action]:
        """What the learner has decided since the current step began."""
        return self._decided([ply.action for ply in self._game.plies[self._place.ply :]])

    def _decided(self, actions: list[Action]) -> list[Action]:
        return [action for action in actions if action not in DRAWN]

    def _wanted(self, step: Step) -> list[list[Action]]:
        return [parse_actions(self._game.setup, text) for text in step.wants]

    def _from(self, number: int) -> int:
        """The first step from this one on that is not for reading only."""
        steps = self.lesson.steps
        return next((at for at in range(number, len(steps)) if steps[at].kind != "read"), len(steps))
