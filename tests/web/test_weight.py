"""What the browser has to fetch before a page can be used stays small."""

import re
from pathlib import Path

import pytest

import kingdom_builder.server

STATIC = Path(kingdom_builder.server.__file__).parent / "static"
ASSETS = STATIC / "assets"

# The bytes of packed script that a page may need at first sight. For the table: a tenth more than the whole page had
# before lessons, puzzles and explanations (91.4 kB).
LIMITS = {"Start": 53_000, "Entrance": 100_500}


def scripts(page: str) -> set[str]:
    """The files of script that a page imports, and the first one of all pages."""
    first = re.findall(r'src="/assets/([^"]+\.js)"', (STATIC / "index.html").read_text("utf-8"))
    waiting = [*first, *(path.name for path in ASSETS.glob(f"{page}-*.js"))]
    assert len(waiting) == 2
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += re.findall(r'(?:from|import) ?"\./([^"]+\.js)"', (ASSETS / name).read_text("utf-8"))
    return found


def size(name: str) -> int:
    packed = ASSETS / f"{name}.gz"
    return (packed if packed.exists() else ASSETS / name).stat().st_size


@pytest.mark.parametrize("page", LIMITS)
def test_a_page_loads_little(page: str) -> None:
    sizes = {name: size(name) for name in scripts(page)}
    assert sum(sizes.values()) > 30_000, "the files were found"
    assert sum(sizes.values()) <= LIMITS[page], sizes
