"""The rules reference, docs/rules.md, has every section that is cited, and says what the tests test."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from kingdom_builder.content import OPTIONS

ROOT = Path(__file__).parents[2]
RULES = (ROOT / "docs" / "rules.md").read_text("utf-8")
EXAMPLES = json.loads((ROOT / "tests" / "data" / "examples.json").read_text("utf-8"))

SECTIONS = set(re.findall(r'<a id="([^"]+)"></a>', RULES))
"""The numbers of all sections, rules and rows, which are their anchors."""

NUMBER = r"\d+(?:\.\d+[a-z]?)?"
CITED = re.compile(rf"\bRULES ({NUMBER}(?:(?:, | and | to |, and ){NUMBER})*)")
"""Sections as in "RULES 4.3", "RULES 8.1 and 8.5", "RULES 5.1 to 5.3"."""

READ = (".py", ".ts", ".svelte", ".js", ".json", ".md", ".txt")
NOT_OURS = {"node_modules", "static", "__pycache__"}


def sources() -> Iterator[Path]:
    """The files of ours that may cite a rule."""
    for folder in ("src", "tests", "web", "docs"):
        for file in (ROOT / folder).rglob("*"):
            if file.suffix in READ and not NOT_OURS & set(file.relative_to(ROOT).parts):
                yield file


def test_every_section_that_is_cited_exists() -> None:
    cited = {
        (number, str(file.relative_to(ROOT)))
        for file in sources()
        for numbers in CITED.findall(file.read_text("utf-8"))
        for number in re.findall(NUMBER, numbers)
    }
    assert len(cited) > 50, "the search for citations finds too little"
    missing = sorted((number, file) for number, file in cited if number not in SECTIONS)
    assert not missing, f"docs/rules.md has no such section: {missing}"


def test_an_anchor_has_the_number_of_what_follows_it() -> None:
    headings = re.findall(r'<a id="([^"]+)"></a>\n\n#{2,3} ([\d.]+?)\.? ', RULES)
    assert len(headings) > 30
    assert all(anchor == number for anchor, number in headings)
    assert len(headings) == len(re.findall(r"^#{2,3} ", RULES, re.M)), "a heading without a number or an anchor"
    rows = re.findall(r'^\| <a id="10\.([^"]+)"></a>(\w+) \|', RULES, re.M)
    assert len(rows) > 40
    assert all(anchor == number for anchor, number in rows)


def test_the_worked_examples_are_those_of_the_tests() -> None:
    written = re.findall(
        r'<a id="(x\d+)"></a>\n\n\*\*(X\d+) (.*?)\*\*.*?\n- Situation: (.*?)\n- Expected: (.*?)\n', RULES, re.S
    )
    assert [anchor.upper() for anchor, *_ in written] == [key for _, key, *_ in written]
    assert [tuple(example) for _, *example in written] == [
        (example["id"], example["title"], example["setup"], example["expect"]) for example in EXAMPLES
    ]


def test_a_switch_is_an_option_or_is_marked_as_not_built_yet() -> None:
    table = RULES[RULES.index('<a id="10"></a>') : RULES.index('<a id="11"></a>')]
    switches = {
        switch: "not built yet" in row.lower()
        for row in table.splitlines()
        for switch in re.findall(r"`([a-z]+[A-Z]\w+)`", row)
    }
    assert {switch for switch, is_missing in switches.items() if not is_missing} == OPTIONS.keys()
    assert not {switch for switch, is_missing in switches.items() if is_missing} & OPTIONS.keys()
