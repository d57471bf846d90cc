"""What the library says to people: templates that can be found, arguments that can be translated."""

import ast
import pickle
import re

import pytest
from message_templates import holes, messages, templates
from playing import Case, sample
from scenes import scene

from kingdom_builder.board.terrain import terrain_name
from kingdom_builder.content import ALL_SETS, COMPONENTS, LOCATIONS
from kingdom_builder.hexes import bits, parse_hex
from kingdom_builder.message import (
    LONGEST_QUOTE,
    HexName,
    Listed,
    Message,
    Name,
    Refusal,
    SeatName,
    quoted,
)
from kingdom_builder.notation import IllegalMove, NotationError, parse_position, parse_stored_position, play
from kingdom_builder.rules import DONE, END, OTHER, State, events
from kingdom_builder.rules.reasons import prompt

FARM = LOCATIONS["farm"]

# ---- the templates ---------------------------------------------------------------------------------------------------


def test_every_template_stands_in_the_source_as_it_is() -> None:
    for place, call in messages():
        assert len(call.args) == 1, f"{place}: expected a template, then arguments by name"
        assert isinstance(call.args[0], ast.Constant), f"{place}: expected a template that can be read in the source"
        assert isinstance(call.args[0].value, str), place


def test_the_holes_of_every_template_are_the_arguments_given() -> None:
    for place, call in messages():
        template = ast.literal_eval(call.args[0])
        assert holes(template) == {argument.arg for argument in call.keywords}, f"{place}: {template}"


def test_outside_of_its_holes_a_template_has_no_braces() -> None:
    for template in templates():
        assert not re.search(r"[{}]", re.sub(r"\{\w+(:[^{}|]+(\|[^{}|]*)+)?\}", "", template)), template


def test_templates_quote_no_key_of_a_component() -> None:
    keys = {component.key for component in COMPONENTS if "-" in component.key}
    for template, places in templates().items():
        assert not any(re.search(rf"\b{key}\b", template) for key in keys), places


def test_a_template_is_a_sentence_or_a_part_of_one() -> None:
    for template, places in templates().items():
        assert template == template.strip(), places
        assert "  " not in template, places
        assert not template.endswith((",", ";", ":")), places


# ---- messages --------------------------------------------------------------------------------------------------------


def test_arguments_are_said_in_english() -> None:
    message = Message(
        "{hex} {seat} {tile} {terrain} {n} {text} {part} {tiles}",
        hex=HexName(parse_hex("k7")),
        seat=SeatName(1),
        tile=FARM,
        terrain=terrain_name("F"),
        n=3,
        text="as typed",
        part=Message("to {hex}", hex=HexName(0)),
        tiles=Listed.of([FARM, LOCATIONS["oasis"], LOCATIONS["tower"]], "or"),
    )
    assert str(message) == "k7 seat B Farm flower field 3 as typed to a1 Farm, Oasis or Tower"
    assert message.arguments["tile"] == Name("component", "farm", "Farm")


@pytest.mark.parametrize(("words", "text"), [([], ""), (["a"], "a"), (["a", "b"], "a and b"), ("abc", "a, b and c")])
def test_a_list_in_words(words: list[str], text: str) -> None:
    assert str(Listed.of(words)) == text


@pytest.mark.parametrize(("n", "text"), [(0, "0 steps"), (1, "1 step"), (2, "2 steps")])
def test_a_number_chooses_the_form(n: int, text: str) -> None:
    assert str(Message("{n} {n:step|steps}", n=n)) == text


def test_what_was_typed_is_repeated_in_part() -> None:
    assert quoted("k7\n") == r"'k7\n'"
    assert len(quoted("x" * 10_000)) == LONGEST_QUOTE + 2


@pytest.mark.parametrize("text", ["x" * 50_000, "\U000e0001" * 50_000, "1" * 50_000 + "A", "=" * 50_000])
def test_an_error_is_short_however_long_the_text(text: str) -> None:
    state = parse_position("GG1(farm) - - 2 C5D5F5G4T4 - 1A/G/3/- 40:::G 40:::T")
    with pytest.raises(NotationError) as error:
        play(state, text)
    assert len(str(error.value)) < 1000
    with pytest.raises(NotationError) as error:
        parse_position(text[:40_000])
    assert len(str(error.value)) < 1000


# ---- refusals --------------------------------------------------------------------------------------------------------


def test_refusals_carry_their_message_and_code_to_other_processes() -> None:
    state = parse_position("GG1(farm) - - 2 C5D5F5G4T4 - 1A/G/3/- 40:::G 40:::T")
    with pytest.raises(IllegalMove) as illegal:
        play(state, "c1")
    with pytest.raises(NotationError) as unreadable:
        play(state, "zz")
    refusal = Refusal(Message("{n} players: expected 2 to 5", n=6))
    for error, code in ((illegal.value, "illegal"), (unreadable.value, "unreadable"), (refusal, "malformed")):
        copy = pickle.loads(pickle.dumps(error))
        assert (type(copy), copy.message, copy.code, str(copy)) == (type(error), error.message, code, str(error))
    assert illegal.value.message == state.why_not(parse_hex("c1"))
    assert str(illegal.value) == "column 1: c1: Nothing may be built on c1 (Farm location)."


# ---- prompts ---------------------------------------------------------------------------------------------------------

MAP = "GGGG/GC1G/GG2G(farm,oracle)"


@pytest.mark.parametrize(
    ("turn", "text"),
    [
        ("0A/-/0/=", "The first cards are dealt."),
        ("3A/-/0/=", "A card is drawn."),
        ("3A/=/2/-", "A card is drawn."),
        ("3A/G/3/-", "Build 3 settlements on grass."),
        ("3A/G/2/-", "Build 2 more on grass."),
        ("3A/G/1/-", "Build 1 more on grass."),
        ("3A/G/1~/-", "Build 1 more on grass; the next may be anywhere on it."),
        ("3A/-/3/-", "Choose one of your cards, or use a tile that needs none."),
        ("3A/G/0/-", "All built. End your turn, or use Farm or Oracle."),
        ("3A/G/0/farm", "Farm: build on grass."),
        ("3A!/G/0/#", "The game is over."),
    ],
)
def test_a_prompt_for_each_phase(turn: str, text: str) -> None:
    card = turn.split("/")[1]
    hand = "" if turn[0] == "0" else {"-": "CG" if turn[5] == "3" else "", "=": ""}.get(card, card)
    pieces = ":" if turn[0] == "0" else "b3:c2,c3"
    state = parse_stored_position(f"{MAP} - - 11 C4D4F4G3T4 - {turn} 39:{pieces}:{hand} 40:::")
    assert str(prompt(state)) == text


@pytest.mark.parametrize(("supply", "text"), [(3, "3 settlements"), (2, "2 settlements"), (1, "1 settlement")])
def test_the_prompt_asks_for_no_more_than_the_supply_has(supply: int, text: str) -> None:
    state = parse_position(f"GGGGG - - - C4D4F4G3T4 - 3A/G/3/- {supply}:a1::G 40:::")
    assert str(prompt(state)) == f"Build {text} on grass."
    assert str(state.why_not(END)) == f"First build {text} on grass."
    if supply == 3:
        play(state, "b1")
        assert str(prompt(state)) == "Build 2 more on grass."


def test_at_the_end_of_a_turn_without_tiles_there_is_one_thing_to_do() -> None:
    state = parse_position("GGG - - - C4D4F4G3T4 - 3A/G/0/- 39:a1::G 40:::")
    assert str(prompt(state)) == "All built. End your turn."
    assert state.why_not(END) is None


def test_every_step_of_every_game_has_a_prompt_and_words_for_its_options() -> None:
    keys = {component.key for component in COMPONENTS if "-" in component.key}
    for seed in range(12):
        for state in sample(Case(3, sets=ALL_SETS, seed=seed), 60):
            text = str(prompt(state))
            assert text[-1] in ".?", text
            assert not any(key in text for key in keys), text
            for action in (DONE, OTHER):
                if state.legal() >> action & 1 and not state.awaiting:
                    assert state.acting is not None
                    assert str(state.acting.describe_option(state, action))


def test_words_for_the_options_of_an_action() -> None:
    wagon, cathedral = LOCATIONS["wagon"], LOCATIONS["cathedral"]
    state = parse_position("GGG - - - C4D4F4G3T4 - 3A/G/0/- 39:a1::G 40:::")
    assert str(wagon.describe_option(state, DONE)) == "Enough, stop here"
    assert str(wagon.describe_option(state, OTHER)) == "Take it back"
    assert str(cathedral.describe_option(state, OTHER)) == "Take one more number"


# ---- no key in a sentence --------------------------------------------------------------------------------------------


def test_no_sentence_names_a_component_by_its_key() -> None:
    """Of locations whose key is not their name, before and while their action is carried out."""
    for location in LOCATIONS.values():
        if "-" not in location.key:
            continue
        state = scene("G G G G / G G 1 G / G G G G", "3A/G/3/-", "38:b2,b3:c2:G", "40:::G", locations=location.key)
        said = [str(state.why_not(action)) for action in range(END + 40)]
        for action in bits(state.legal()):
            after = state.copy()
            after.apply(action)
            said += [str(event) for event in events(state, action, after)]
            said += _everything_about(after)
        assert not [text for text in said if location.key in text]
        assert any(location.name in text for text in said)


def _everything_about(state: State) -> list[str]:
    return [str(prompt(state)), *[str(state.why_not(action)) for action in range(END + 40)]]
