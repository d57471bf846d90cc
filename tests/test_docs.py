"""The documentation tells the truth about what is there."""

from pathlib import Path

import pytest

from kingdom_builder.cli.main import main
from kingdom_builder.content import OPTIONS

ROOT = Path(__file__).parent.parent


def test_the_picture_in_the_readme_is_up_to_date(tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    command = "replay tests/golden/02.kbr --turn 8A --svg docs/board.svg"
    assert command in readme
    arguments = (
        command.replace("tests/", f"{ROOT}/tests/").replace("docs/board.svg", str(tmp_path / "board.svg")).split()
    )
    with pytest.raises(SystemExit):
        main(arguments)
    assert (tmp_path / "board.svg").read_text("utf-8") == (ROOT / "docs" / "board.svg").read_text("utf-8")


def test_the_table_of_options_is_complete() -> None:
    rows = [f"| `{key}` | {text} |" for key, text in OPTIONS.items()]
    page = (ROOT / "docs" / "options.md").read_text("utf-8")
    assert [line for line in page.splitlines() if line.startswith("| `")] == rows
