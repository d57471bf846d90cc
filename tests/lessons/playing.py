"""Lessons, played through by the engine alone: every way through each of them, as the server would take it."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import msgspec

from kingdom_builder.game import Game
from kingdom_builder.lessons import LEARNER, Lesson, Progress, Step
from kingdom_builder.notation import action_text
from kingdom_builder.rules import at_random
from kingdom_builder.server.messages import LessonPlace
from kingdom_builder.server.views import lesson_place, own_view, score_lines, setup_view, view_of
from lessons.claims import Sight

UNDO = "undo"


@dataclass(frozen=True)
class Moment:
    """A moment of a lesson that a learner can come to."""

    lesson: Lesson
    game: Game
    progress: Progress
    path: tuple[str, ...]
    """The actions that lead here, and `undo`."""

    @property
    def current(self) -> Step | None:
        step = self.progress.step
        return self.lesson.steps[step] if step < len(self.lesson.steps) else None

    def steps(self) -> list[Step]:
        """The steps that the page can show at this moment."""
        steps, last = self.lesson.steps, self.progress.step
        if self.progress.has_begun:
            return list(steps[last : last + 1])
        first = last
        while first and steps[first - 1].kind == "read":
            first -= 1
        return list(steps[first : last + 1])

    def sight(self) -> Sight:
        """What the learner's page is sent."""
        state = self.game.state
        acts = self.game.player == LEARNER and not self.game.over
        public = view_of(state, len(self.game.plies), None, self.game.last_placed())
        undo = acts and self.game.undo_limit < len(self.game.plies)
        view = own_view(public, state, LEARNER, acts=acts, undo=undo)
        return Sight(
            msgspec.to_builtins(setup_view(self.game.start)),
            msgspec.to_builtins(view),
            msgspec.to_builtins(score_lines(state)),
        )

    def place(self) -> LessonPlace:
        return lesson_place(self.progress, self.game.state)

    def ways_on(self) -> list[str]:
        """What can happen next."""
        step = self.current
        if step is None:
            return []
        if step.kind == "undo":
            return [UNDO]
        if step.kind == "wait":
            first, *_ = self.lesson.reply(self.game)
            return [action_text(self.game.setup, first)]
        wanted = [action_text(self.game.setup, action) for action in self.progress.next_actions()]
        return wanted or self.game.legal_moves()


def moment(lesson: Lesson, path: tuple[str, ...] = ()) -> Moment:
    """The moment after these actions."""
    game = Game.restore(lesson.start, deal=lesson.deal(at_random(Random(1).random)))
    progress = Progress(lesson, game)
    for way in path:
        if way == UNDO:
            game.undo()
            progress.undone()
            continue
        actions = game.actions_of(way)
        assert game.player != LEARNER or progress.is_wanted(actions), (way, path)
        for action in actions:
            game.apply(action)
        progress.moved()
    return Moment(lesson, game, progress, path)


def moments(lesson: Lesson, path: tuple[str, ...] = ()) -> Iterator[Moment]:
    """Every moment that a learner who does what the lesson asks for can come to."""
    here = moment(lesson, path)
    yield here
    ways = here.ways_on()
    for way in ways:
        yield from moments(lesson, (*path, way))


def line(lesson: Lesson) -> list[Moment]:
    """The moments of one way through a lesson."""
    found = [moment(lesson)]
    while ways := found[-1].ways_on():
        found.append(moment(lesson, (*found[-1].path, ways[0])))
    return found
