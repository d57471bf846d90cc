"""Pictures of components and pieces: small SVG files in the folders of the `content` package, by key.

A file is read when its picture is first needed: playing games reads none.
"""

from functools import cache
from pathlib import Path

CONTENT = Path(__file__).parent.parent / "content"


@cache
def elements_of(folder: str, key: str) -> str:
    """The elements inside the `svg` element of a file, whose tags are on separate lines; empty if there is no file."""
    try:
        text = (CONTENT / folder / f"{key}.svg").read_text("utf-8")
    except FileNotFoundError:
        return ""
    return "".join(text.splitlines()[1:-1])
