"""What lessons say: in every language the same, with every number and name either from the game or claimed of it."""

import re

import pytest

from kingdom_builder.lessons import Lesson, lessons
from lessons.playing import line
from lessons.texts import LANGUAGES, template, words

LESSONS = list(lessons().values())
every_lesson = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.key)
every_language = pytest.mark.parametrize("language", LANGUAGES)

NUMBERS = {
    "en": "two three four five six seven eight forty",
    "de": "zwei drei vier fünf sechs sieben acht vierzig",
    "fr": "deux trois quatre cinq six sept huit quarante",
}
"""Words for the same numbers in each language; `one` is an article in some."""


def numbers(language: str, text: str) -> list[int]:
    listed = NUMBERS[language].split()
    return sorted(listed.index(word) for word in re.findall(r"\w+", text.lower()) if word in listed)


@every_language
@every_lesson
def test_every_text_can_be_said_whenever_its_step_is_shown(lesson: Lesson, language: str) -> None:
    assert template(language, lesson, "title")
    assert template(language, lesson, "about")
    for here in line(lesson):
        for step in here.steps():
            said = words(language, lesson, step.key, here.place())
            assert not re.search(r"[{}]|\b[a-t]\d", said)
            assert len(said) < 330, f"{step.key} is too long to be read beside the board"


@every_language
@every_lesson
def test_numbers_come_from_the_game_or_are_words(lesson: Lesson, language: str) -> None:
    """A figure in the text could not be told from one that was true once."""
    for step in lesson.steps:
        assert not re.search(r"\d", template(language, lesson, step.key))


@every_language
@every_lesson
def test_every_language_says_the_same_numbers(lesson: Lesson, language: str) -> None:
    """The claims of a step are checked against the game once: what they say must be what each language says."""
    for step in lesson.steps:
        inside = numbers("en", template("en", lesson, step.key))
        assert numbers(language, template(language, lesson, step.key)) == inside, step.key
