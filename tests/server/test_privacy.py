"""What is kept about people is declared, shown, and ends; nothing goes to or comes from other hosts."""

import json
import re
from pathlib import Path

import pytest

from kingdom_builder.server.privacy import NOTHING_PERSONAL, inventory
from kingdom_builder.server.schema import RELATIONS, Relation
from server.inside import run, world

ROOT = Path(__file__).parents[2]
I18N = ROOT / "web" / "src" / "i18n"

PLAIN = """
id version format at ran crc number game date gold created changed clock pool rated open players over round seat
deadline remind level colour rank left mu sigma games before_mu before_sigma closed look deleted role secret_hash
notes sign_count code_hash device_hash purpose until tries live least most sets way target browser_key secret
device kind ply state claimed
"""
"""The columns that say nothing about a person by themselves: numbers, times and results of tables and games."""


@pytest.mark.parametrize("relation", RELATIONS, ids=lambda each: each.name)
def test_every_relation_says_whether_it_is_about_people_and_how_long_it_is_kept(relation: Relation) -> None:
    personal = [column for column in relation.columns if column.personal]
    assert bool(personal) != (relation.name in NOTHING_PERSONAL)
    assert relation.kept
    assert relation.about.endswith(".")
    assert [column.name for column in personal if not column.about] == []


@pytest.mark.parametrize("relation", RELATIONS, ids=lambda each: each.name)
def test_every_column_is_declared_as_personal_or_known_to_be_plain(relation: Relation) -> None:
    """A new column fails here until somebody has thought about it."""
    if relation.name in NOTHING_PERSONAL:
        return
    assert [
        column.name for column in relation.columns if not column.personal and column.name not in PLAIN.split()
    ] == []


def test_the_route_shows_the_inventory_and_what_the_operator_has_set() -> None:
    async def test() -> None:
        async with world(keep_days=33, keep_reports_days=44, keep_guests_days=55) as inside:
            view = (await inside.http.get("/api/privacy")).json()
            assert (view["keep_days"], view["keep_reports_days"], view["keep_guests_days"]) == (33, 44, 55)
            assert {each["name"] for each in view["relations"]} == {each.name for each in inventory()}
            assert {"words", "persons", "blocks", "reports", "bans"} <= {each["name"] for each in view["relations"]}

    run(test())


def texts() -> dict[str, str]:
    """The texts of the inventory by the keys that the page knows them by."""
    found = {}
    for relation in inventory():
        found[f"privacy.about.{relation.name}"] = relation.about
        found[f"privacy.kept.{relation.name}"] = relation.kept
        for column in relation.columns:
            found[f"privacy.column.{relation.name}.{column.name}"] = column.about
    return found


def part(language: str) -> dict[str, str]:
    found: dict[str, str] = json.loads((I18N / language / "parts" / "privacy.json").read_text("utf-8"))
    return found


def test_the_page_says_in_english_what_the_declaration_says() -> None:
    english = part("en")
    assert {key: english.get(key) for key in texts()} == texts()


@pytest.mark.parametrize("language", ["de", "fr"])
def test_every_text_of_the_inventory_is_translated(language: str) -> None:
    translated = part(language)
    assert [key for key in texts() if not translated.get(key)] == []


def test_nothing_in_the_page_is_loaded_from_another_host() -> None:
    """The policy of the answers forbids it (test_headers.py); nothing tries either."""
    built = ROOT / "src" / "kingdom_builder" / "server" / "static"
    sources = [
        *(ROOT / "web" / "src").rglob("*.svelte"),
        *(ROOT / "web" / "src").rglob("*.ts"),
        ROOT / "web" / "index.html",
    ]
    loads = re.compile(r"""(?:src|href|import|fetch|url)\s*(?:=|\()\s*["'`]?\s*(?:https?:)?//(?!www\.w3\.org)""")
    found = {path.name for path in (*sources, *built.glob("*.html")) if loads.search(path.read_text("utf-8"))}
    assert found == set()


def test_the_policy_allows_only_the_server_itself() -> None:
    async def test() -> None:
        async with world() as inside:
            policy = (await inside.http.get("/api/privacy")).headers["content-security-policy"]
            allowed = {source for part in policy.split(";") for source in part.split()[1:]}
            assert allowed == {"'none'", "'self'", "data:"}

    run(test())
