"""The way from any value to any other."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from make_differences import EXAMPLES, TARGET, text

from kingdom_builder.server.differences import applied, difference

CHANGES: list[Any] = [
    2,
    {"is": ["a"]},
    None,
    [],
    [1, 3],
    ["b", {"is": []}],
    {"is": {"b": 2}},
    {"is": {"b": 2, "a": 1}},
    {"is": {"b": 1, "1": 3}},
    [1, 39],
    [[], 1, "b1"],
    [[0, 2]],
    [[0], 4, "f1"],
    {"is": ["e1"]},
    [1, [[], 0, "b1"]],
    [[], 1, {"key": "barn"}],
]
"""What the differences of the examples are."""


@pytest.mark.parametrize(("example", "change"), list(zip(EXAMPLES, CHANGES, strict=True)), ids=str)
def test_a_difference_says_only_what_has_changed(example: tuple[Any, Any], change: Any) -> None:
    old, new = example
    assert difference(old, new) == change
    assert json.dumps(applied(old, change)) == json.dumps(new)


def test_the_page_is_tested_with_these_differences() -> None:
    assert TARGET.read_text("utf-8") == text(), "run: python tools/make_differences.py"


PLAIN = st.one_of(
    st.none(), st.booleans(), st.integers(min_value=2), st.text("ab1", max_size=2)
)  # in JSON 1 is not true
VALUES = st.recursive(
    PLAIN, lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text("ab1", max_size=2), inner, max_size=4)
)


@given(VALUES, VALUES)
def test_a_difference_leads_from_any_value_to_any_other(old: Any, new: Any) -> None:
    before = json.dumps(old)
    change = json.loads(json.dumps(difference(old, new)))
    assert json.dumps(applied(old, change)) == json.dumps(new)
    assert json.dumps(old) == before
