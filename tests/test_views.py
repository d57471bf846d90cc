"""What goes over the wire of a state: the same for all viewers, but for what is secret."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kingdom_builder import State, parse_position, parse_record
from kingdom_builder.notation import position_of
from kingdom_builder.rules import DRAWN, Action, observe
from kingdom_builder.server.views import EVERYTHING, first_secret, frames, log_line, own_view, pay_lines, view_of

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.kbr"))[::4]


def moments(record: Path) -> Iterator[tuple[State, Action, State]]:
    parsed = parse_record(record.read_text("utf-8"))
    state = parsed.start.copy()
    for action in parsed.actions():
        before = state.copy()
        state.apply(action)
        yield before, action, state


@pytest.mark.parametrize("record", GOLDEN, ids=lambda record: record.stem)
def test_viewers_differ_in_hands_and_drawn_cards_only(record: Path) -> None:
    for before, action, after in moments(record):
        public = view_of(after, 1)
        for seat in range(after.setup.players):
            assert own_view(public, after, seat, acts=False, undo=False) == view_of(after, 1, seat)
            if action not in DRAWN:
                assert log_line(before, action, after, 1, seat) == log_line(before, action, after, 1, None)


@pytest.mark.parametrize("record", GOLDEN[:8], ids=lambda record: record.stem)
def test_a_drawn_card_is_told_to_its_owner_and_to_others_only_if_it_lies_open(record: Path) -> None:
    for before, action, after in moments(record):
        if action not in DRAWN:
            continue
        for perspective in (None, *range(after.setup.players)):
            line = log_line(before, action, after, 1, perspective)
            hands = observe(after, perspective).hands[before.player]
            known = perspective == before.player or before.awaiting != "hand" or "?" not in hands
            assert line.move == (f"={DRAWN[action]}" if known else "=?")


def test_the_told_part_of_a_running_game_ends_before_the_first_hidden_card() -> None:
    parsed = parse_record(GOLDEN[0].read_text("utf-8"))
    state = parsed.start.copy()
    history: list[tuple[State, Action]] = []
    for action in parsed.actions():
        history.append((state.copy(), action))
        state.apply(action)
        told = first_secret(history, state, 0)
        hidden = sum(hand.count("?") for hand in observe(state, 0).hands)
        secrets = [
            ply
            for ply, (before, drawn) in enumerate(history[told:], told)
            if drawn in DRAWN and before.awaiting == "hand" and before.player != 0
        ]
        assert len(secrets) >= hidden
        assert not hidden or history[told][1] in DRAWN
        assert first_secret(history, state, EVERYTHING) == len(history)


def test_frames_lead_from_the_start_to_the_end_and_know_their_positions() -> None:
    parsed = parse_record(GOLDEN[1].read_text("utf-8"))
    state = parsed.start.copy()
    history = []
    for action in parsed.actions():
        history.append((state.copy(), action))
        state.apply(action)
    shown = list(frames(history, state, EVERYTHING))
    assert [frame.view.ply for frame in shown] == list(range(len(history) + 1))
    assert shown[0].line is None
    assert shown[-1].view.over
    assert position_of(parse_position(shown[40].position)) == shown[40].position
    assert "?" not in shown[40].position


def test_pay_lines_add_up_to_the_gold_of_the_view() -> None:
    state = parse_record(GOLDEN[2].read_text("utf-8")).game(draws=False).state
    gold = view_of(state, 1).gold
    for seat, row in enumerate(gold):
        assert [line.gold for line in pay_lines(state) if line.seat == seat] == row
