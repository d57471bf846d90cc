"""Experiments are short notes, all of them in the one table of docs/strength.md."""

import re
from pathlib import Path

import pytest

from kingdom_builder.arena.studies.ladder import BY_HAND

DOCS = Path(__file__).parents[2] / "docs"
NOTES = sorted((DOCS / "experiments").iterdir())


def test_the_table_of_experiments_has_every_note_with_its_outcome() -> None:
    page = (DOCS / "strength.md").read_text("utf-8")
    table = re.findall(r"^\| \d+ \|.*$", page[page.index(BY_HAND) :], re.M)
    assert table == [_row(number, note) for number, note in enumerate(NOTES, start=1)]


def _row(number: int, note: Path) -> str:
    title, _, outcome = note.read_text("utf-8").splitlines()[:3]
    return f"| {number} | [{title.removeprefix('# ')}](experiments/{note.name}) | {outcome.strip('*')} |"


@pytest.mark.parametrize("note", NOTES, ids=lambda note: note.stem)
def test_a_note_has_question_method_result_and_decision(note: Path) -> None:
    text = note.read_text("utf-8")
    assert re.match(r"# .+\n\n\*.+\*\n\n- \*\*Question\.\*\* ", text)
    assert re.findall(r"^- \*\*(\w+)\.\*\*", text, re.M) == ["Question", "Method", "Result", "Decision"]
    prose = text.partition("```")[0].strip()
    assert len(prose.splitlines()) <= 15, "about ten lines; figures go into a block below"


def test_notes_are_numbered_without_gaps() -> None:
    assert [int(note.name[:4]) for note in NOTES] == list(range(1, len(NOTES) + 1))
