"""A plugin of pytest: every action that a test plays in Python is played in the native core too, and compared.

At the end a line says how many actions that were, and how many had states that the core refuses.
"""

import re
from collections.abc import Iterator
from unittest.mock import patch

import pytest

from kingdom_builder.native.setups import NativeSetup, NoShape, of_setup
from kingdom_builder.native.states import NativeState
from kingdom_builder.rules import Action, IllegalAction, Setup, State, scores
from kingdom_builder.rules.state import HIDDEN

_setups: dict[int, tuple[Setup, NativeSetup | None]] = {}
_counts = {"compared": 0, "refused": 0}
_apply = State.apply


def _native(state: State) -> NativeState | None:
    """The state in the core, if that can have it."""
    if id(state.setup) not in _setups:
        try:
            _setups[id(state.setup)] = state.setup, of_setup(state.setup)
        except NoShape:
            _setups[id(state.setup)] = state.setup, None
    setup = _setups[id(state.setup)][1]
    if setup is None or HIDDEN in "".join(state.hands):
        return None
    try:
        return NativeState.of(state, setup)
    except ValueError:
        return None


def _apply_twice(state: State, action: Action) -> None:
    twin = _native(state)
    if twin is None:
        _counts["refused"] += 1
        _apply(state, action)
        return
    _counts["compared"] += 1
    assert twin.to_state() == state
    assert twin.legal() == state.legal()
    try:
        _apply(state, action)
    except IllegalAction as error:
        reason = str(error)
        with pytest.raises(IllegalAction, match=f"^{re.escape(reason)}$"):
            twin.apply(action)
        raise
    twin.apply(action)
    assert twin.to_state() == state
    assert twin.legal() == state.legal()
    assert twin.scores() == scores(state)


@pytest.fixture(autouse=True)
def _both_cores() -> Iterator[None]:
    with patch.object(State, "apply", _apply_twice):
        yield


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    terminalreporter.write_line(f"both cores: {_counts['compared']} compared, {_counts['refused']} refused")
