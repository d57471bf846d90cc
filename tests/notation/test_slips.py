"""The slips of `slips.py` are all the errors that the notation reports."""

import ast
from pathlib import Path

from slips import errors

from kingdom_builder import notation


def test_every_error_of_the_notation_is_raised_by_some_slip() -> None:
    raised = set()
    for error in errors():
        cause: BaseException | None = error
        while cause is not None:
            trace = cause.__traceback__
            while trace is not None:
                raised.add((Path(trace.tb_frame.f_code.co_filename).name, trace.tb_lineno))
                trace = trace.tb_next
            cause = cause.__context__
    for file in Path(notation.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Raise):
                lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
                assert any((file.name, line) in raised for line in lines), ast.unparse(node)
