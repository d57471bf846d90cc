"""Games as text: tags, numbered turns, comments, variations and clocks."""

import sys
from collections.abc import Callable
from itertools import accumulate
from typing import SupportsIndex

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from playing import BASE, PRINTED, SMALL, Case, check_place, game, mutated, snapshot

from kingdom_builder.content import ALL_SETS
from kingdom_builder.notation import (
    Entry,
    IllegalMove,
    Line,
    NotationError,
    Record,
    parse_move,
    parse_position,
    parse_record,
    position_of,
    score_text,
)
from kingdom_builder.rules import Action, State, scores

START = "GGGGG/GGGGG/G1GGG(farm) hermits - 2 C5D5F5G3T5 - 1A/G/3/- 40:::G 40:::G"
HEAD = f'[Start "{START}"]\n'


def record(moves: str, tags: str = "") -> Record:
    return parse_record(f"{HEAD}{tags}\n{moves}\n")


def moves_of(line: Line) -> list[str]:
    return [entry.move for entry in line.entries]


# ---- reading ---------------------------------------------------------------------------------------------------------


def test_a_record_has_a_start_tags_and_moves() -> None:
    read = record("1A a1 b1 c1 . =G\n1B e1 e2 e3 . =T\n2A", '[Event "Club evening"]\n[Round "3"]\n')
    assert read.start == parse_position(START)
    assert read.tags == {"Event": "Club evening", "Round": "3"}
    assert moves_of(read.line) == ["a1", "b1", "c1", ".", "=G", "e1", "e2", "e3", ".", "=T"]
    final = read.game(draws=False).state
    assert (final.round, final.player, final.hands) == (2, 0, ["G", "T"])
    assert final.supply == [37, 37]
    assert read.actions() == [action for entry in read.line.entries for action in parse_move(final.setup, entry.move)]


def states_of(record: Record) -> list[State]:
    """The state before the first move and after each move of the main line."""
    game = record.game(draws=False)
    plies = accumulate((len(entry.read(record.start.setup)) for entry in record.line.entries), initial=0)
    return [game.state_at(ply) for ply in plies]


def test_states_are_those_after_each_move_and_each_is_its_own() -> None:
    read = record("1A a1 b1 c1 . =C 1B")
    states = states_of(read)
    assert len(states) == 6
    assert states[0] == read.start
    assert [state.supply[0] for state in states] == [40, 39, 38, 37, 37, 37]
    assert states[-1] == read.game(draws=False).state
    kept = [position_of(state) for state in states]
    states[2].apply(parse_move(read.start.setup, "c1")[0])
    assert [position_of(state) for index, state in enumerate(states) if index != 2] == kept[:2] + kept[3:]
    assert read.start == parse_position(START)


def test_turn_numbers_may_be_left_out_or_repeated() -> None:
    expected = str(record("1A a1 b1 c1 . =C 1B e1"))
    assert str(record("a1 b1 c1 . =C e1")) == expected
    assert str(record("1A a1 1A b1 1A c1 1A. 1A =C 1B e1 1B")) == expected
    assert str(record("1A\n\ta1\r\nb1   c1 .\n\n=C\n1B e1")) == expected


def test_a_record_without_moves_is_its_start() -> None:
    read = record("")
    assert read.game(draws=False).state == read.start
    assert not read.line.entries
    assert parse_record(HEAD.strip()).start == read.start
    assert str(parse_record(str(read))) == str(read)


def test_comments_belong_to_the_move_before_them() -> None:
    read = record("{before} ; all\n1A a1 {first} {second, (with) [brackets] ; and 1A}\nb1 ; to the end of the line\nc1")
    assert read.line.comments == ["before", "all"]
    assert [entry.comments for entry in read.line.entries] == [
        ["first", "second, (with) [brackets] ; and 1A"],
        ["to the end of the line"],
        [],
    ]


def test_a_comment_may_be_empty_long_and_have_several_lines() -> None:
    read = record("{} a1 {two\nlines} b1 ;\n c1 {" + "x" * 10000 + "}")
    assert read.line.comments == [""]
    assert [entry.comments for entry in read.line.entries] == [["two\nlines"], [""], ["x" * 10000]]
    assert parse_record(str(read)).line == read.line


@pytest.mark.parametrize(
    ("comment", "seconds"),
    [
        ("[%clk 0:05:30]", 330.0),
        ("[%clk 1:00:00]", 3600.0),
        ("[%clk 12:34:56]", 45296.0),
        ("[%clk 0:00:09.5]", 9.5),
        ("good move [%clk 0:00:10] indeed", 10.0),
        ("[%clk 0:5:30]", None),
        ("[%clk 0:05]", None),
        ("0:05:30", None),
        ("", None),
    ],
)
def test_a_clock_stands_in_a_comment(comment: str, seconds: float | None) -> None:
    read = record(f"a1 {{thinking}} {{{comment}}} b1")
    assert read.line.entries[0].clock == seconds
    assert read.line.entries[1].clock is None
    assert parse_record(str(read)).line.entries[0].clock == seconds


def test_variations_begin_before_the_move_that_they_follow() -> None:
    read = record("1A a1 b1 (a2 {where b1 was not built}) c1")
    variation = read.line.entries[1].variations[0]
    assert moves_of(variation) == ["a2"]
    assert moves_of(read.line) == ["a1", "b1", "c1"]


def test_variations_may_follow_each_other_lie_inside_each_other_and_be_empty() -> None:
    read = record("1A a1 (c1 d1 (d1 (b1 {deep} c2) e1)) (e1 e2) () b1 (1A a2)")
    first, second = read.line.entries
    assert [moves_of(line) for line in first.variations] == [["c1", "d1"], ["e1", "e2"], []]
    inner = first.variations[0].entries[1].variations[0]
    assert moves_of(inner) == ["d1", "e1"]
    assert inner.entries[0].variations[0].entries[0].comments == ["deep"]
    assert [moves_of(line) for line in second.variations] == [["a2"]]
    assert parse_record(str(read)) == read


def test_a_variation_may_begin_with_a_comment_and_run_into_later_turns() -> None:
    read = record("1A a1 b1 c1 ({instead} 1A a2 {quiet} . =C 1B e1) . =D 1B e3")
    variation = read.line.entries[2].variations[0]
    assert variation.comments == ["instead"]
    assert moves_of(variation) == ["a2", ".", "=C", "e1"]
    assert parse_record(str(read)) == read


def test_tag_values_have_escapes() -> None:
    read = record("a1", '[Event "the \\"cup\\" of C:\\\\tmp"]\n[Site ""]\n')
    assert read.tags == {"Event": 'the "cup" of C:\\tmp', "Site": ""}
    assert parse_record(str(read)).tags == read.tags


@settings(max_examples=150, deadline=None, database=None)
@given(st.dictionaries(st.from_regex(r"[A-Z][a-z]{0,8}", fullmatch=True), st.text(), max_size=4))
def test_any_tag_value_round_trips(tags: dict[str, str]) -> None:
    tags.pop("Start", None)
    written = Record(parse_position(START), tags)
    assert parse_record(str(written)).tags == tags


# ---- writing ---------------------------------------------------------------------------------------------------------


def test_a_record_is_written_with_each_turn_on_a_line_of_its_own() -> None:
    read = record("{hello} a1 {x} b1 (a2 {y}) c1 . =C e1 e2", '[Event "E"]\n')
    assert str(read) == (
        f'[Start "{START}"]\n[Event "E"]\n\n{{hello}}\n1A a1 {{x}} b1 (1A a2 {{y}}) c1 . =C\n1B e1 e2\n'
    )


@pytest.mark.parametrize(
    "case",
    [
        Case(players, board, 8, (), sets)
        for players in (2, 3, 4, 5)
        for board in (PRINTED, SMALL)
        for sets in (BASE, ALL_SETS)
    ],
    ids=str,
)
def test_records_of_random_games_round_trip(case: Case) -> None:
    steps = game(case)
    actions = [step.action for step in steps]
    untouched = snapshot(steps[0].before)
    written = Record.of(steps[0].before, actions, {"Event": "random"})
    read = parse_record(str(written))
    assert read == written
    assert str(read) == str(written)
    assert read.actions() == actions
    assert read.game(draws=False).state == steps[-1].after
    assert read.tags == {"Event": "random", "Score": score_text(steps[-1].after)}
    assert snapshot(steps[0].before) == untouched
    for state, wanted in zip(states_of(read), moments(written, steps[0].before), strict=True):
        assert state == wanted


def moments(written: Record, start: State) -> list[State]:
    """The states around the moves, found by playing action by action."""
    states = [start]
    for entry in written.line.entries:
        states.append(states[-1].copy())
        for action in parse_move(start.setup, entry.move):
            states[-1].apply(action)
    return states


def test_a_record_from_the_middle_of_a_game_round_trips() -> None:
    steps = game(Case(3, SMALL, 8))
    for cut in (1, len(steps) // 3, len(steps) // 2):
        whole_moves = next(i for i in range(cut, len(steps)) if steps[i].before.acting is None)
        written = Record.of(steps[whole_moves].before, [step.action for step in steps[whole_moves:]])
        assert parse_record(str(written)) == written


def test_only_a_finished_game_gets_its_score_and_a_given_one_is_kept() -> None:
    steps = game(Case(2, SMALL, 8))
    start, actions = steps[0].before, [step.action for step in steps]
    assert Record.of(start, actions[:-1]).tags == {}
    assert Record.of(start, actions).tags == {"Score": score_text(steps[-1].after)}
    assert Record.of(start, actions, {"Score": "?"}).tags == {"Score": "?"}
    gold = scores(steps[-1].after)
    assert score_text(steps[-1].after) == f"A={gold[0]} B={gold[1]}"


def test_a_comment_that_would_end_too_early_is_refused_when_written() -> None:
    written = Record(parse_position(START), line=Line(entries=[Entry("a1", ["a } b\nc"])]))
    with pytest.raises(ValueError, match="expected none, since that ends a comment"):
        str(written)


def test_whatever_was_read_can_be_written() -> None:
    """A comment to the end of the line may hold the bracket that ends the other kind."""
    read = record("a1 ; a } b\nb1")
    assert parse_record(str(read)).actions() == read.actions()


# ---- errors ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("moves", "at", "message"),
    [
        ("2A a1", "2A", "turn '2A': expected 1A"),
        ("1B a1", "1B", "turn '1B': expected 1A"),
        ("1A a1 b1 c1 . 1B =C", "1B", "turn '1B': expected 1A"),
        ("1A a1 b1 c1 . =C 2A e1", "2A", "turn '2A': expected 1B"),
        ("1A a1 (1B b1)", "1B", "turn '1B': expected 1A"),
        ("a1 {never closed", "{", "the comment is not closed: expected '}' before the end"),
        ("a1 (c1 {never closed", "{", "the comment is not closed"),
        ("a1 (c1 d1", "(", "the variation is not closed: expected ')' before the end"),
        ("a1 <c1> (b1 (d1)", "<", "is not an action"),
        ("a1 (c1 !(d1)", "(d1)", "'!' is not a card"),
        ("a1 (c1 ?(d1)", "?", "is not an action"),
        ("a1 c1)", "c1)", "does not touch"),
        ("a1 b1 ) c1", ")", "')' without '(': expected a move"),
        ("(a1)", "(", "a variation before the first move: expected a move to vary"),
        ("a1 ((b1) c1)", "((", "a variation before the first move"),
        ("a1 } b1", "}", "'}' here: expected a move, a turn number such as 3A, a comment or a variation"),
        ("a1 [b1]", "[", "'[' here: expected a move"),
        ("a1 ] b1", "]", "']' here: expected a move"),
        ("a1 zz9", "zz9", "'zz9' is not an action"),
        ("a1 =X", "X", "'=X' is not a card"),
        ("1a a1", "1a", "'1a' is not an action"),
        ("1F a1", "1F", "'1F' is not an action"),
    ],
)
def test_an_error_points_at_the_place_in_the_record(moves: str, at: str, message: str) -> None:
    text = f"{HEAD}\n{moves}\n"
    with pytest.raises(NotationError) as error:
        parse_record(text)
    assert message in error.value.reason
    found = text[error.value.offset :]
    if at == "((":  # the inner bracket
        assert found.startswith("(b1)")
    else:
        assert found.startswith(at)
    assert error.value.line == 3
    assert error.value.column == error.value.offset - text.rindex("\n", 0, error.value.offset)
    assert str(error.value).startswith(f"line 3, column {error.value.column}: ")
    assert error.value.text == text
    check_place(error.value, text)


@pytest.mark.parametrize(
    ("moves", "at", "message"),
    [
        ("a1 d1", "d1", "d1 does not touch your settlements"),
        ("a1 a1", "a1\n", "a1 is occupied by you"),
        ("1A b3", "b3", "Nothing may be built on b3 (Farm location)"),
        ("a1 .", ".", "First build 2 more on grass"),
        ("a1 (=C)", "=C", "No card is to be drawn now"),
        ("a1 b1 (a2 b2) c1 . =C e1 e2 e3 farm:e2", "farm", "You have no Farm tile"),
        ("a1 (c1 farm:d1)", "farm", "You have no Farm tile"),
    ],
)
def test_an_illegal_move_is_pointed_at(moves: str, at: str, message: str) -> None:
    text = f"{HEAD}\n{moves}\n"
    with pytest.raises(IllegalMove) as error:
        parse_record(text)
    assert message in error.value.reason
    assert text[error.value.offset :].startswith(at)
    check_place(error.value, text)


def test_an_illegal_step_inside_a_move_is_pointed_at() -> None:
    start = "GGGGG/G1GDG/GGGGG(paddock) - - 1 C5D5F5G3T5 - 2A/G/3/- 39:a1:b2:G 40:::G"
    text = f'[Start "{start}"]\n\n2A paddock:a1-b1 c1'
    with pytest.raises(IllegalMove, match="Paddock: move to land two hexes away") as error:
        parse_record(text)
    assert text[error.value.offset :] == "b1 c1"


@pytest.mark.parametrize(
    ("text", "offset", "message"),
    [
        ("", 0, 'no tag [Start "position"]: expected it before the moves'),
        ("a1 b1", 0, "no tag [Start"),
        ('[Event "x"]\n\na1', 11, "no tag [Start"),
        ('[Event "x]', 0, "no tag [Start"),
        (HEAD + '[Event "x"]\n[Event "y"]\n', len(HEAD) + 13, "a second tag 'Event': expected each once"),
        (HEAD + HEAD, len(HEAD) + 1, "a second tag 'Start'"),
        (HEAD + '[Event "x]\na1', len(HEAD), "'[' here"),
        (HEAD + "[Event x]\na1", len(HEAD), "'[' here"),
        (HEAD + "a1\n" + '[Event "x"]', len(HEAD) + 3, "'[' here"),
    ],
)
def test_wrong_tags_are_pointed_at(text: str, offset: int, message: str) -> None:
    with pytest.raises(NotationError) as error:
        parse_record(text)
    assert message in error.value.reason
    assert error.value.offset == offset
    check_place(error.value, text)


def test_an_error_in_the_start_position_is_pointed_at_in_the_record() -> None:
    text = '[Event "x"]\n' + HEAD.replace("hermits", "spies") + "\na1"
    with pytest.raises(NotationError, match="unknown card 'spies'") as error:
        parse_record(text)
    assert text[error.value.offset :].startswith("spies")
    assert error.value.line == 2


def test_an_error_in_a_start_position_with_an_escape_is_pointed_at_too() -> None:
    text = HEAD.replace("GGGGG/GGGGG", "\\GGGGG/GGXGG")
    with pytest.raises(NotationError, match="unknown letter 'X'") as error:
        parse_record(text)
    assert text[error.value.offset] == "X"


def test_a_record_cannot_start_from_hidden_cards() -> None:
    text = HEAD.replace("40:::G 40:::G", "40:::G 40:::?")
    with pytest.raises(NotationError, match="hidden cards in the start position: expected all cards known") as error:
        parse_record(text)
    assert error.value.offset == len('[Start "')


CHOICE_START = "GGGGG/G1GCC/GGGGG(crossroads) - - 1 C4D5F5G3T5 - 4A/-/3/- 39:a1:b2:CG 39:e3::G"


def test_a_choice_of_cards_and_several_draws_stand_in_a_record() -> None:
    text = f'[Start "{CHOICE_START}"]\n\n4A !C d2 e2 {{full}} =G b1 . =D =T\n4B d3\n'
    read = parse_record(text)
    assert moves_of(read.line) == ["!C", "d2", "e2", "=G", "b1", ".", "=D", "=T", "d3"]
    assert read.game(draws=False).state.hands[0] == "DT"
    assert parse_record(str(read)) == read


@pytest.mark.parametrize(
    ("moves", "at", "message"),
    [
        ("!D", "!D", "You have no desert card"),
        ("d2", "d2", "Choose one of your terrain cards first"),
        ("!X", "X", "'!X' is not a card"),
        ("!C !G", "!G", "There is no choice between several terrain cards now"),
        ("!C d2 e2 done", "done", "No extra action is in progress"),
        ("!C d2 e2 =G b1 . =D 4B e1", "4B", "turn '4B': expected 4A"),
    ],
)
def test_errors_in_the_steps_of_the_other_boxes_are_pointed_at(moves: str, at: str, message: str) -> None:
    text = f'[Start "{CHOICE_START}"]\n\n{moves}\n'
    with pytest.raises(NotationError) as error:
        parse_record(text)
    assert message in error.value.reason
    assert text[error.value.offset :].startswith(at)
    check_place(error.value, text)


# ---- depth and length ------------------------------------------------------------------------------------------------

DEPTH = 5000


def nested(depth: int) -> str:
    """Alternatives to the first move inside each other: `a1 (a2 (a1 (a2 ...)))`."""
    moves = ["a1", "a2"]
    return f"{HEAD}\n1A " + " (".join(moves[i % 2] for i in range(depth)) + ")" * (depth - 1)


def test_variations_may_lie_inside_each_other_thousands_deep() -> None:
    assert sys.getrecursionlimit() < DEPTH
    read = parse_record(nested(DEPTH))
    line, depth = read.line, 1
    while line.entries[0].variations:
        line = line.entries[0].variations[0]
        depth += 1
    assert depth == DEPTH
    written = str(read)
    assert written.count(" (") == written.count(")" * (DEPTH - 1) + "\n") * (DEPTH - 1) == DEPTH - 1
    assert str(parse_record(written)) == written


def test_an_unclosed_variation_thousands_deep_is_pointed_at() -> None:
    text = nested(DEPTH)[:-1]
    with pytest.raises(NotationError, match="the variation is not closed") as error:
        parse_record(text)
    assert text[error.value.offset :].startswith("(a2 (a1")


class Work:
    """Counts how often states are copied and actions carried out."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.copies = self.actions = 0
        copy, apply = State.copy, State.apply

        def counting_copy(state: State) -> State:
            self.copies += 1
            return copy(state)

        def counting_apply(state: State, action: Action) -> None:
            self.actions += 1
            apply(state, action)

        monkeypatch.setattr(State, "copy", counting_copy)
        monkeypatch.setattr(State, "apply", counting_apply)

    def of(self, job: Callable[[str], object], text: str) -> tuple[int, int]:
        self.copies = self.actions = 0
        job(text)
        return self.copies, self.actions


def many_comments(count: int) -> str:
    return f"{HEAD}\n1A a1 " + "{x} ; y\n" * count + "b1"


def many_variations(count: int) -> str:
    return f"{HEAD}\n1A a1 " + "(a2 a3) " * count + "b1"


def many_moves(count: int) -> str:
    game_line = "1A a1 b1 c1 . =C 1B e1 e2 e3 . =T "
    return f"{HEAD}\n" + game_line.replace("1A a1", "1A a1 " + "(c1 d1 e1) " * count)


@pytest.mark.parametrize("text_of", [many_comments, many_variations, many_moves, nested])
def test_the_work_of_reading_and_writing_grows_with_the_length_only(
    text_of: Callable[[int], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    work = Work(monkeypatch)
    short, long = text_of(250), text_of(1000)
    jobs: list[Callable[[str], object]] = [parse_record, lambda text: str(parse_record(text))]
    for job in jobs:
        copies, actions = work.of(job, short)
        more_copies, more_actions = work.of(job, long)
        assert more_copies <= 4 * copies + 10
        assert more_actions <= 4 * actions + 10


class Sliced(str):
    """A text that counts the characters cut out of it."""

    characters = 0

    def __getitem__(self, key: SupportsIndex | slice) -> str:
        part = super().__getitem__(key)
        self.characters += len(part)
        return part


@pytest.mark.parametrize("text_of", [many_comments, many_variations, many_moves, nested])
def test_the_text_is_not_cut_up_again_and_again(text_of: Callable[[int], str]) -> None:
    text = Sliced(text_of(500))
    parse_record(text)
    assert text.characters <= 4 * len(text)


def test_a_long_game_is_read_move_by_move(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = game(Case(5, PRINTED, 8))
    text = str(Record.of(steps[0].before, [step.action for step in steps]))
    work = Work(monkeypatch)
    copies, actions = work.of(parse_record, text)
    assert actions <= 2 * len(steps)
    assert copies <= 3 * len(steps)


# ---- mutations -------------------------------------------------------------------------------------------------------


def record_of(case: Case, first: int, count: int) -> str:
    """A piece of a random game, from a place where no action is in progress."""
    steps = game(case)
    first = next(i for i in range(first, len(steps)) if steps[i].before.acting is None)
    return str(Record.of(steps[first].before, [step.action for step in steps[first : first + count]]))


RECORDS = [
    record_of(Case(2, SMALL, 8, (), ALL_SETS), 40, 50),
    record_of(Case(3, SMALL, 9, (), ALL_SETS), 80, 50),
    f'{HEAD}[Event "a \\"b\\" c"]\n\n'
    "{c} 1A a1 {x [%clk 0:01:02]} (c1 (d1) d1) b1 ; rest\nc1 . =C\n1B e1 e2 () e3\n",
    str(Record.of(game(Case(2, SMALL, 8))[0].before, [step.action for step in game(Case(2, SMALL, 8))[:40]])),
]


@settings(max_examples=600, deadline=None, database=None)
@given(mutated(RECORDS))
@example("")
@example("\n")
@example(HEAD + "\n(")
@example(HEAD + "a1 {")
def test_a_mutated_record_is_read_or_refused_with_a_place(text: str) -> None:
    try:
        read = parse_record(text)
    except NotationError as error:
        check_place(error, text)
        return
    written = str(read)
    again = parse_record(written)
    assert again == read
    assert str(again) == written
    assert again.game(draws=False).state == read.game(draws=False).state


@settings(max_examples=200, deadline=None, database=None)
@given(st.text(alphabet=' \n()[]{};"\\\\1Aa1b.=C', max_size=40))
def test_any_moves_are_read_or_refused_with_a_place(moves: str) -> None:
    text = f"{HEAD}\n{moves}"
    try:
        read = parse_record(text)
    except NotationError as error:
        check_place(error, text)
        return
    assert parse_record(str(read)) == read


@pytest.mark.parametrize("key", ["Start", "my tag", ""])
def test_a_tag_that_could_not_be_read_back_is_refused(key: str) -> None:
    record = parse_record(HEAD)
    record.tags[key] = "x"
    with pytest.raises(ValueError, match="expected letters"):
        str(record)
