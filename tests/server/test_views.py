"""What goes over the wire of a state: the same for all viewers, but for what is secret."""

from pathlib import Path

import pytest

from kingdom_builder import Game, parse_position, parse_record
from kingdom_builder.notation import position_of
from kingdom_builder.rules import DRAWN, EVERYTHING, observe
from kingdom_builder.server.views import frames, log_line, own_view, score_lines, view_of

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*.kbr"))[::4]


def game_of(record: Path) -> Game:
    return parse_record(record.read_text("utf-8")).game()


@pytest.mark.parametrize("record", GOLDEN, ids=lambda record: record.stem)
def test_viewers_differ_in_hands_and_drawn_cards_only(record: Path) -> None:
    game = game_of(record)
    for ply, (_, action) in enumerate(game.plies):
        after = game.state_at(ply + 1)
        public = view_of(after, 1)
        for seat in range(after.setup.players):
            assert own_view(public, after, seat, acts=False, undo=False) == view_of(after, 1, seat)
            if action not in DRAWN:
                assert log_line(game, ply, seat) == log_line(game, ply, None)


@pytest.mark.parametrize("record", GOLDEN[:8], ids=lambda record: record.stem)
def test_a_drawn_card_is_shown_to_its_owner_and_to_others_only_if_it_lies_open(record: Path) -> None:
    game = game_of(record)
    for ply, (before, action) in enumerate(game.plies):
        if action not in DRAWN:
            continue
        after = game.state_at(ply + 1)
        for perspective in (None, *range(after.setup.players)):
            line = log_line(game, ply, perspective)
            hands = observe(after, perspective).hands[before.player]
            known = perspective == before.player or before.awaiting != "hand" or "?" not in hands
            assert line.move == (f"={DRAWN[action]}" if known else "=?")


def test_the_known_part_of_a_running_game_ends_before_the_first_hidden_card() -> None:
    whole = game_of(GOLDEN[0])
    game = Game(whole.start, draws=False)
    for action in whole.actions():
        game.apply(action)
        known = game.known_prefix(0)
        assert known is not None
        hidden = sum(hand.count("?") for hand in observe(game.state, 0).hands)
        secrets = [
            ply
            for ply, (before, drawn) in enumerate(game.plies[known:], known)
            if drawn in DRAWN and before.awaiting == "hand" and before.player != 0
        ]
        assert len(secrets) >= hidden
        assert not hidden or game.plies[known].action in DRAWN
        assert game.known_prefix(EVERYTHING) == len(game.plies)


def test_nothing_is_known_of_a_game_whose_start_has_hidden_cards() -> None:
    game = Game.from_position("DDDD/GGGG - - - C5D4F5G5T4 - 1A/D/3/- 40:::D 40:::T")
    assert game.known_prefix(0) is None
    assert game.known_prefix(EVERYTHING) == 0


def test_frames_lead_from_the_start_to_the_end_and_know_their_positions() -> None:
    game = game_of(GOLDEN[1])
    shown = list(frames(game, EVERYTHING))
    assert [frame.view.ply for frame in shown] == list(range(len(game.plies) + 1))
    assert shown[0].line is None
    assert shown[-1].view.over
    assert position_of(parse_position(shown[40].position)) == shown[40].position
    assert "?" not in shown[40].position


def test_score_lines_add_up_to_the_gold_of_the_view() -> None:
    state = parse_record(GOLDEN[2].read_text("utf-8")).game(draws=False).state
    gold = view_of(state, 1).gold
    for seat, row in enumerate(gold):
        assert [line.gold for line in score_lines(state) if line.seat == seat] == row
