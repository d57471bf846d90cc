"""The texts of components say what their rules do, in every language, and name nothing that is not in play."""

import json
import re
from pathlib import Path

import pytest

from kingdom_builder.board.terrain import SPECIAL
from kingdom_builder.content import COMPONENTS, board_of, make_setup
from kingdom_builder.content.base.locations import Barn, Harbor
from kingdom_builder.rules import Component, ExtraAction

I18N = Path(__file__).parents[2] / "web" / "src" / "i18n"

IF_POSSIBLE = {"en": "if possible", "de": "wenn möglich", "fr": "si possible"}
HOLE = re.compile(r"\{special(\.\w+)?\}")


def text_in(language: str, component: Component) -> str:
    if language == "en":
        return component.text
    names = json.loads((I18N / language / "names.json").read_text("utf-8"))
    text: str = names["components"][component.key]["text"]
    return text


def goes_by_adjacency(component: Component) -> bool:
    """RULES 4.1: the builds and placings that say so themselves, and two moves."""
    return isinstance(component, (Barn, Harbor)) or (isinstance(component, ExtraAction) and component.by_adjacency)


@pytest.mark.parametrize("language", IF_POSSIBLE)
def test_a_text_says_next_to_your_own_if_possible_exactly_where_the_rule_holds(language: str) -> None:
    said = {each.key for each in COMPONENTS if IF_POSSIBLE[language] in text_in(language, each)}
    assert said == {each.key for each in COMPONENTS if goes_by_adjacency(each)}
    assert {"oracle", "fort", "donation-water", "university", "cathedral", "wagon", "barn"} <= said
    assert not {"tavern", "village", "paddock", "quarry", "city-hall", "farm-action"} & said


@pytest.mark.parametrize("language", IF_POSSIBLE)
def test_translations_leave_the_kinds_of_special_hexes_open_where_the_english_does(language: str) -> None:
    for component in COMPONENTS:
        assert bool(HOLE.search(text_in(language, component))) == bool(HOLE.search(component.text)), component.key
    assert sum(bool(HOLE.search(each.text)) for each in COMPONENTS) == 4


@pytest.mark.parametrize("language", ["de", "fr"])
def test_a_form_of_a_kind_of_special_hex_exists_for_all_kinds(language: str) -> None:
    names = json.loads((I18N / language / "names.json").read_text("utf-8"))
    assert set(names["special"]) == set(SPECIAL)
    for component in COMPONENTS:
        for hole in HOLE.finditer(text_in(language, component)):
            form = (hole[1] or ".name")[1:]
            entries = names["special"].values()
            assert all(form == "name" or form in entry for entry in entries), (component.key, form)


def test_a_base_game_speaks_neither_of_nomad_spaces_nor_of_silos() -> None:
    base = make_setup(board_of("tavern/paddock/oasis/farm"), ["merchants", "workers", "knights"], 2)
    special = base.board.special_kinds
    texts = [each.text_for(special) for each in base.components]
    assert "1 gold for each of your settlements next to a location or castle." in texts
    assert not [text for text in texts if re.search(r"nomad|silo|\{", text)]


def test_other_games_speak_of_what_is_on_their_boards() -> None:
    board = board_of("quarry/university/oasis/farm")
    (workers,) = [each for each in COMPONENTS if each.key == "workers"]
    assert workers.text_for(board.special_kinds).endswith("next to a location, castle, nomad space or silo.")
    assert workers.text_for("N") == "1 gold for each of your settlements next to a nomad space."


def test_shepherds_speak_of_empty_hexes() -> None:
    """RULES 8.2: a hex next to a warrior is empty, though it is not free."""
    (shepherds,) = [each for each in COMPONENTS if each.key == "shepherds"]
    texts = [text_in(language, shepherds) for language in ("en", "de", "fr")]
    assert all(word in text for word, text in zip(("empty", "leeres", "vide"), texts, strict=True))


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_the_rules_say_how_many_play_and_where_caves_are(language: str) -> None:
    topics = {topic["key"]: json.dumps(topic, ensure_ascii=False) for topic in rules(language)}
    assert {"en": "Two to five", "de": "zwei bis fünf", "fr": "deux à cinq"}[language] in topics["goal"]
    near = {"en": ["nomad space", "silo"], "de": ["Nomadenfeld", "Silo"], "fr": ["case Nomade", "silo"]}[language]
    assert all(word in topics["caves"] for word in near)


def rules(language: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads((I18N / language / "rules.json").read_text("utf-8"))
    return found


def test_german_families_lie_next_to_each_other() -> None:
    families = [line for line in json.dumps(rules("de"), ensure_ascii=False).split('"') if "Familien:" in line]
    assert len(families) == 1
    assert "nebeneinander" in families[0]
