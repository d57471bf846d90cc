"""Writes the pages that are made from the code: docs/content.md and docs/options.md. Run by `make docs`."""

from collections.abc import Iterable
from pathlib import Path

from kingdom_builder.board import Section, printed_sections
from kingdom_builder.board.terrain import SPECIAL
from kingdom_builder.content import BOXES, OPTIONS
from kingdom_builder.content.box import Box
from kingdom_builder.rules import Component

DOCS = Path(__file__).parent.parent / "docs"
ICONS = "../src/kingdom_builder/content/icons"
STANDINGS = {
    "verified": "as printed, checked by several hands",
    "single": "transcribed once",
    "stand-in": "**a stand-in of ours**: the printed map could not be found",
}


def content_page() -> str:
    """Everything printed, box by box."""
    lines = [
        "# What is in the boxes",
        "",
        "Made from the code by `make docs`. Keys are what positions and records use.",
        "",
        "The printed maps of the four Harvest sections could not be found: those here are stand-ins with the printed",
        "locations, silo and castle. Whoever has the box can type them in: in the map workshop of the page for the",
        "games of a device, or in a [map file](notation.md#map-file) for `kb play`, `kb arena` and a whole server",
        "(`kb serve --sections FILE`).",
    ]
    for box in BOXES.values():
        lines += ["", f"## {box.name} (`{box.key}`)"]
        sections = [section for section in printed_sections().values() if section.expansion == box.key]
        lines += _sections(sections)
        for title, printed in _groups(box):
            lines += ["", f"### {title}", "", "| | name | key | rule |", "|---|---|---|---|"]
            lines += [
                f"| ![]({ICONS}/{each.key}.svg) | {each.name} | `{each.key}` | {each.text_for(SPECIAL)} |"
                for each in printed
            ]
    return "\n".join([*lines, ""])


def _groups(box: Box) -> list[tuple[str, list[Component]]]:
    groups: list[tuple[str, Iterable[Component]]] = [
        ("Locations", box.locations),
        ("Scoring cards", box.cards),
        ("Task cards", box.tasks),
        ("Nomad tiles", box.nomad_tiles),
        ("Always", box.always),
    ]
    return [(title, list(dict.fromkeys(printed))) for title, printed in groups if printed]


def _sections(sections: list[Section]) -> list[str]:
    if not sections:
        return []
    rows = [f"| `{each.key}` | {', '.join(each.locations)} | {STANDINGS[each.standing]} |" for each in sections]
    return ["", "### Sections", "", "| key | locations | map |", "|---|---|---|", *rows]


def options_page() -> str:
    """The options."""
    rows = [f"| `{key}` | {text} |" for key, text in OPTIONS.items()]
    return "\n".join(
        [
            "# Options",
            "",
            "Rulings on which tables disagree. Without an option the ruling closest to the printed text is in force.",
            'Switch one on with `kb play --option KEY`, in the options field of a position, or with `options=["KEY"]`.',
            "",
            "| key | meaning |",
            "|---|---|",
            *rows,
            "",
        ]
    )


def pages() -> dict[str, str]:
    """All files by their path below docs."""
    return {"content.md": content_page(), "options.md": options_page()}


def main() -> None:
    for path, text in pages().items():
        (DOCS / path).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
