"""What the page translates is what the library says, and the figures of its rules can be drawn."""

import ast
import re
from pathlib import Path

import pytest
from make_sentences import FILE, ROOT, errors, text

from kingdom_builder import notation
from kingdom_builder.hexes import parse_hex
from kingdom_builder.notation import parse_position

RULES = (ROOT / "web" / "src" / "rules" / "en.ts").read_text("utf-8")
FIGURE = re.compile(r'position:\s*"([^"]*)",\s*highlight: (?:"legal"|\[([^\]]*)\])')


def test_the_sentences_for_the_test_of_the_translations_are_up_to_date() -> None:
    assert FILE.read_text("utf-8") == text(), "run python tests/make_sentences.py, then translate what is new"


def test_every_slip_that_the_notation_tells_of_is_among_them() -> None:
    told = set()
    for error in errors():
        cause: BaseException | None = error
        while cause is not None:
            trace = cause.__traceback__
            while trace is not None:
                told.add((Path(trace.tb_frame.f_code.co_filename).name, trace.tb_lineno))
                trace = trace.tb_next
            cause = cause.__context__
    for file in Path(notation.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Raise):
                lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
                assert any((file.name, line) in told for line in lines), ast.unparse(node)


@pytest.mark.parametrize(("position", "highlight"), FIGURE.findall(RULES))
def test_a_figure_of_the_rules_can_be_drawn(position: str, highlight: str) -> None:
    board = parse_position(position).setup.board
    for h in re.findall(r"\w+", highlight):
        assert board.hexes >> parse_hex(h) & 1


def test_no_figure_of_the_rules_is_overlooked() -> None:
    assert len(FIGURE.findall(RULES)) == RULES.count('kind: "figure"') > 0
