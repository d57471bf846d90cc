"""Lessons: short games with a fixed position, fixed draws and fixed replies, in which a learner is told what to do.

The texts of a lesson are on the page (`web/src/i18n/<language>/parts/lessons.json`); here is what happens in it.
"""

from kingdom_builder.lessons.lesson import LEARNER, Lesson, Step, StepKind, lessons
from kingdom_builder.lessons.progress import Progress

__all__ = ["LEARNER", "Lesson", "Progress", "Step", "StepKind", "lessons"]
