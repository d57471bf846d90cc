"""The page of promises names tests that exist."""

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]


def test_each_promise_names_tests_that_exist() -> None:
    page = (TESTS.parent / "docs" / "promises.md").read_text()
    lines = [line for line in page.splitlines() if line.startswith("|")][2:]
    assert len(lines) > 20
    tests = "\n".join(file.read_text() for file in TESTS.glob("**/test_*.py"))
    existing = set(re.findall(r"^def (test_\w+)", tests, re.MULTILINE))
    for line in lines:
        named = re.findall(r"`(test_\w+)`", line)
        assert named, line
        assert set(named) <= existing, line
