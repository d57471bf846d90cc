"""The command line, called from a test."""

import pytest

from kingdom_builder.cli.main import main


def run(*arguments: str) -> int:
    """The exit code of `kb` with these arguments."""
    with pytest.raises(SystemExit) as exit_:
        main(arguments)
    code = exit_.value.code
    assert isinstance(code, int)
    return code
