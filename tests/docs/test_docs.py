"""The documentation agrees with the code."""

from pathlib import Path

import pytest
from make_docs import pages

from kingdom_builder.cli.main import main

ROOT = Path(__file__).parents[2]


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


@pytest.mark.parametrize("path", sorted(pages()))
def test_a_page_made_from_the_code_is_up_to_date(path: str) -> None:
    assert (ROOT / "docs" / path).read_text("utf-8") == pages()[path], "run make docs"
