"""Every page is found from docs/index.md, and no link between pages is broken."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
INDEX = DOCS / "index.md"
NOT_OURS = {".venv", "node_modules"}

LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.M | re.S)


def pages() -> list[Path]:
    """All Markdown files of the repository."""
    return sorted(
        path for path in ROOT.rglob("*.md") if not any(part in NOT_OURS for part in path.relative_to(ROOT).parts)
    )


def links(page: Path) -> list[tuple[Path, str]]:
    """The files and anchors that a page links to, those on the web left out."""
    text = CODE.sub("", page.read_text("utf-8"))
    found = []
    for target in LINK.findall(text):
        if not re.match(r"[a-z]+:", target):
            file, _, anchor = target.partition("#")
            found.append(((page.parent / file).resolve() if file else page, anchor))
    return found


def anchors(page: Path) -> set[str]:
    """The anchors of a page: those written out, and those that its headings get."""
    text = page.read_text("utf-8")
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), re.M)
    slugs = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
    return slugs | set(re.findall(r'<a id="([^"]+)"', text))


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_no_link_is_broken(page: Path) -> None:
    for file, anchor in links(page):
        assert file.exists(), f"{file} does not exist"
        assert file.is_relative_to(ROOT), f"{file} is outside of the repository"
        if anchor:
            assert anchor in anchors(file), f"{file.name} has no anchor {anchor}"


def test_every_file_of_the_docs_is_two_links_from_the_index_at_most() -> None:
    reached = {INDEX}
    for _ in range(2):
        reached |= {file for page in reached if page.suffix == ".md" for file, _ in links(page)}
    lost = [str(path.relative_to(ROOT)) for path in DOCS.rglob("*") if path.is_file() and path not in reached]
    assert not lost, f"not found from docs/index.md: {sorted(lost)}"
