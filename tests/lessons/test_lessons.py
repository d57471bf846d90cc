"""Every lesson can be played to its end, whatever its learner chooses, and what it says is true at each step."""

from random import Random

import pytest

from kingdom_builder.content import BOXES
from kingdom_builder.game import Game
from kingdom_builder.hexes import bits
from kingdom_builder.lessons import LEARNER, Lesson, lessons
from kingdom_builder.rules import DRAWING, DRAWN, Action, State, random_draw
from lessons.playing import UNDO, Moment, line, moment, moments

LESSONS = list(lessons().values())
every_lesson = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.key)


def test_there_is_a_lesson_for_each_box() -> None:
    assert LESSONS[0].key == "tutorial"
    assert {lesson.box for lesson in LESSONS} >= set(BOXES)


@every_lesson
def test_steps_have_keys_of_their_own_and_claim_something(lesson: Lesson) -> None:
    keys = [step.key for step in lesson.steps]
    assert len(set(keys)) == len(keys)
    assert [step.key for step in lesson.steps if not step.claims] == []
    assert lesson.steps[-1].kind == "read"


@every_lesson
def test_everything_said_is_true_whenever_it_can_be_shown(lesson: Lesson) -> None:
    wrong: set[tuple[str, str]] = set()
    shown: set[str] = set()
    for here in moments(lesson):
        sight = here.sight()
        for step in here.steps():
            shown.add(step.key)
            wrong |= {(step.key, claim) for claim in sight.unmet(dict(step.claims))}
    assert wrong == set()
    assert shown == {step.key for step in lesson.steps}


@every_lesson
def test_a_lesson_ends_whatever_its_learner_chooses(lesson: Lesson) -> None:
    ends = [here for here in moments(lesson) if not here.ways_on()]
    assert ends
    assert {here.progress.step for here in ends} == {len(lesson.steps)}


@every_lesson
def test_nobody_plays_on_behind_the_last_words(lesson: Lesson) -> None:
    game = line(lesson)[-1].game
    assert game.over or game.player == LEARNER


@every_lesson
def test_the_draws_are_those_of_the_lesson(lesson: Lesson) -> None:
    drawn = "".join(DRAWN[ply.action] for ply in line(lesson)[-1].game.plies if ply.action in DRAWN)
    assert lesson.draws == drawn


def test_only_the_first_cards_are_those_of_the_lesson() -> None:
    """Whoever plays on draws at random, also from a pile that has been shuffled."""
    rng = Random(1)
    others: list[Action] = []

    def otherwise(state: State) -> Action:
        others.append(random_draw(state, rng.random))
        return others[-1]

    lesson = Lesson("long", "", Game.first(4, seed=1).position, draws="CCFF", replies=(), names=(), steps=())
    game = Game(lesson.start, deal=lesson.deal(otherwise))
    for _ in game.run(lambda state: rng.choice(bits(state.legal()))):
        pass
    drawn = [ply.action for ply in game.plies if ply.action in DRAWN]
    assert drawn == [*(DRAWING[card] for card in lesson.draws), *others]
    assert len(drawn) > len(lesson.start.deck), "it was shuffled"


@every_lesson
def test_the_learner_plays_about_five_moves(lesson: Lesson) -> None:
    played = [step for step in lesson.steps if step.kind == "play"]
    assert 3 <= len(played) <= (16 if lesson.key == "tutorial" else 9)


@every_lesson
def test_nothing_but_what_is_asked_for_is_played(lesson: Lesson) -> None:
    """Any other legal move would make the next sentences false."""
    for here in line(lesson):
        step = here.current
        if here.game.over or here.game.player != LEARNER:
            continue
        asked = set(here.ways_on()) if step is not None and step.kind == "play" else set()
        for move in here.game.legal_moves():
            assert here.progress.is_wanted(here.game.actions_of(move)) == (move in asked), (here.path, move)


@every_lesson
def test_undo_goes_back_to_the_step_before(lesson: Lesson) -> None:
    """Wherever a learner takes a move back that nobody asked to take back, the same step comes again."""
    for before, after in zip(line(lesson), line(lesson)[1:], strict=False):
        step = after.current
        if after.path[-1] == UNDO or (step and step.kind == "undo") or after.game.undo_limit == len(after.game.plies):
            continue
        back = moment(lesson, (*after.path, UNDO))
        assert _place(back) == _place(before)
        assert _place(moment(lesson, (*back.path, after.path[-1]))) == _place(after)


@every_lesson
def test_the_whole_turn_can_be_taken_back_anywhere(lesson: Lesson) -> None:
    for here in line(lesson):
        again = moment(lesson, here.path)
        if again.game.player != LEARNER or again.game.undo_limit == len(again.game.plies):
            continue
        again.game.undo_turn()
        again.progress.undone()
        assert set(again.ways_on()) <= {UNDO, *again.game.legal_moves()}, here.path
        for step in again.steps():
            assert again.sight().unmet(dict(step.claims)) == [], (here.path, step.key)


def _place(here: Moment) -> tuple[int, bool, int]:
    return here.progress.step, here.progress.has_begun, len(here.game.plies)
