"""Writes the pages that are made from the code: content, options, privacy and encoding, below docs (`make docs`)."""

from collections.abc import Iterable
from pathlib import Path

from kingdom_builder.board import Section, printed_sections
from kingdom_builder.board.terrain import CARDS, SPECIAL, terrain_name
from kingdom_builder.content import BOXES, OPTIONS
from kingdom_builder.content.box import Box
from kingdom_builder.encoding import spaces
from kingdom_builder.rules import Component
from kingdom_builder.server.privacy import NOTHING_PERSONAL, inventory
from kingdom_builder.server.schema import RELATIONS
from kingdom_builder.server.settings import Settings

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


def privacy_page() -> str:
    """What a server keeps about people."""
    settings = Settings()
    lines = [
        "# Privacy",
        "",
        "Made from the declaration of the database by `make docs`. A server shows the same at `#/privacy`, with",
        "what its operator has set.",
        "",
        "A table by link needs none of this: no cookie, no name. A server loads nothing from other hosts, and sends",
        "nothing to any but those that its operator has configured (mail, push services, webhooks of its users).",
        "",
        "| what an operator can set | default |",
        "|---|---|",
        f"| `--keep-days`: tables that nobody uses are removed after | {settings.keep_days} days |",
        f"| `--keep-guests-days`: guests who do not come any more go after | {settings.keep_guests_days} days |",
        f"| `--keep-reports-days`: reports and what operators did go after | {settings.keep_reports_days} days |",
    ]
    for relation in inventory():
        lines += ["", f"## {relation.name}", "", f"{relation.about} Kept {relation.kept}.", "", "| column | what |"]
        lines += ["|---|---|", *(f"| `{column.name}` | {column.about} |" for column in relation.columns)]
    without = [relation for relation in RELATIONS if relation.name in NOTHING_PERSONAL]
    lines += ["", "## Nothing about people", "", "| kept besides | what |", "|---|---|"]
    return "\n".join([*lines, *(f"| `{each.name}` | {each.about} |" for each in without), ""])


def encoding_page() -> str:
    """The spaces of the environments: actions, planes and the vector by number."""
    lines = [
        "# The arrays",
        "",
        f"Version {spaces.VERSION} of the encoding, made from the code by `make docs`. [Learning](learn.md) says how to"
        " use it. Seat 0 is the one that looks, the others follow in the order of turns.",
        "",
        f"## Actions: {spaces.ACTIONS}",
        "",
        "| number | action |",
        "|---|---|",
        f"| 0-{spaces.END - 1} | a hex, row by row from the top left: build there, or choose it for an extra action |",
        f"| {spaces.END} | end the turn |",
        *[f"| {spaces.CHOOSE + i} | play the card {terrain_name(letter)} |" for i, letter in enumerate(CARDS)],
        f"| {spaces.DONE} | stop an extra action that could go on |",
        f"| {spaces.OTHER} | what an extra action offers besides hexes |",
        *[f"| {spaces.USE + i} | begin `{key}` |" for i, key in enumerate(spaces.EXTRA_ACTIONS)],
        "",
        f"## Planes: {len(spaces.PLANES)} x 20 x 20",
        "",
        "Zeros and ones, but for `location` and `kind` (numbers from 1, for an embedding) and `tiles left`.",
        "",
        "| number | plane |",
        "|---|---|",
        *[f"| {number} | {name} |" for number, name in enumerate(spaces.PLANES)],
        "",
        f"## Vector: {spaces.VECTOR_SIZE}",
        "",
        "| from | numbers | what | divided by | |",
        "|---|---|---|---|---|",
        *[f"| {spaces.VECTOR[p.name].start} | {p.size} | {p.name} | {p.scale:g} | {p.text} |" for p in spaces.PARTS],
        "",
        f"## Goal: {len(spaces.GOALS)}",
        "",
        "Multi-hot, in this order: " + ", ".join(f"`{key}`" for key in spaces.GOALS) + ".",
    ]
    return "\n".join([*lines, ""])


def pages() -> dict[str, str]:
    """All files by their path below docs."""
    return {
        "content.md": content_page(),
        "encoding.md": encoding_page(),
        "options.md": options_page(),
        "privacy.md": privacy_page(),
    }


def main() -> None:
    for path, text in pages().items():
        (DOCS / path).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
