"""The game in the terminal, as somebody at the keyboard meets it."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

from kingdom_builder import Game, parse_record
from kingdom_builder.cli.replay import split_turns, step_through
from kingdom_builder.players import GuardedPlayer
from kingdom_builder.terminal.session import HELP, Session

SMALL = "DDDD/D1DG/DDGG/CCCC(farm) fishermen - 2 C5D4F5G5T4 - 1A/D/3/- 40:::D 40:::T"


def converse(game: Game, *lines: str, people: tuple[int, ...] = (0,)) -> str:
    """What the terminal says when these lines are typed; after the last the keyboard is closed."""
    out = io.StringIO()
    typed: Iterator[str] = iter(lines)

    def read(prompt: str) -> str:
        out.write(prompt)
        try:
            return next(typed)
        except StopIteration:
            raise EOFError from None

    bots = {seat: GuardedPlayer("random", seat) for seat in range(game.setup.players) if seat not in people}
    Session(game, bots, Console(file=out, width=100, highlight=False), read).run()
    return out.getvalue()


def small() -> Game:
    return Game.from_position(SMALL, seed=3)


def test_a_turn_typed_in_one_line() -> None:
    game = small()
    said = converse(game, "a1 b1 c1 .")
    assert "A builds on a1" in said
    assert "A takes the Farm tile of b2" in said
    assert game.turn[:2] == (2, 0), "the bot has answered"
    assert game.state.own[0].bit_count() == 3


def test_the_bots_card_stays_hidden_and_ones_own_is_shown() -> None:
    said = converse(small(), "a1 b1 c1 .")
    assert "B draws a card" in said
    assert "A draws a card" not in said
    assert "hidden card" in said


def test_at_one_table_no_drawn_card_is_shown() -> None:
    said = converse(small(), "a1 b1 c1 .", people=(0, 1))
    assert "A draws a card" in said


def test_a_hint_can_be_typed_as_it_stands() -> None:
    said = converse(small(), "hint")
    hints = [line for line in said.splitlines() if ": about " in line]
    assert 1 <= len(hints) <= 3
    turn, _, reason = hints[0].removeprefix("A> ").partition(": about ")
    assert "reaches the Farm" in reason
    game = small()
    converse(game, turn)
    assert game.turn[:2] == (2, 0)


def test_help_and_reasons() -> None:
    said = converse(small(), "?", "why b2", "why a1", "legal", "tiles", "cards")
    assert HELP.splitlines()[0] in said
    assert "Nothing may be built on b2 (Farm location)" in said
    assert "column 1" not in said
    assert "b2: b2" not in said
    assert "a1 is legal now. Build 3 settlements on desert." in said
    assert "Farm: Build one settlement on a grass hex, next to your settlements if possible." in said
    assert "Castles: 3 gold" in said


def test_an_illegal_move_is_explained_and_the_rest_of_the_line_not_played() -> None:
    game = small()
    said = converse(game, "a1 d4 b1")
    assert "\nd4 is canyon, but the terrain card shows desert" in said
    assert game.state.own[0].bit_count() == 1


def test_what_is_typed_after_the_end_of_the_turn_is_not_played() -> None:
    said = converse(small(), "a1 b1 c1 . d1", people=(0, 1))
    assert "Not played, since the turn was over: d1" in said


def test_undo_and_restart() -> None:
    game = small()
    converse(game, "a1 b1", "undo", "undo")
    assert game.position == SMALL
    converse(game, "a1 b1 c1", "restart")
    assert game.position == SMALL
    assert "Nothing to undo" in converse(game, "undo")


def test_a_drawn_card_cannot_be_undone() -> None:
    assert "a drawn card cannot be taken back" in converse(small(), "a1 b1 c1 .", "undo", people=(0, 1))


def test_quitting_shows_how_to_go_on() -> None:
    assert f"kb play --position {SMALL}" in converse(small(), "quit")


def test_save_writes_a_record_and_says_what_went_wrong(tmp_path: Path) -> None:
    file = tmp_path / "game.kbr"
    said = converse(small(), "a1", f"save {file}", "save", "save /no/such/folder/x")
    assert parse_record(file.read_text()).line.entries[0].move == "a1"
    assert "save where?" in said
    assert "/no/such/folder/x: No such file" in said


def test_bots_alone_play_to_the_end() -> None:
    game = Game.random(3, seed=8)
    said = converse(game, people=())
    assert game.over
    assert "the game." in said.splitlines()[-1]


def test_scores_name_the_hexes() -> None:
    assert "Castles        0" in converse(small(), "score")


def test_stepping_through_a_record() -> None:
    golden = Path(__file__).parents[1] / "golden" / "00.kbr"
    turns, final = split_turns(parse_record(golden.read_text()))
    out = io.StringIO()
    typed = iter(["", "b", "3A", "99Z", "end"])
    step_through(turns, Console(file=out, width=100), lambda prompt: next(typed))
    said = out.getvalue()
    assert "Round 3, A to play" in said
    assert "no turn '99Z'" in said
    assert final.over


@pytest.mark.parametrize("seat", ["A", "B", "C", "D", "E"])
def test_every_seat_is_a_letter_on_the_board(seat: str) -> None:
    position = "GGGGGG - - - C5D5F5G4T5 - 3A/G/0/- 39:a1::G 39:b1:: 39:c1:: 39:d1:: 39:e1::"
    said = converse(Game.from_position(position), "board")
    assert f"{seat}g" in said


def test_undo_and_restart_leave_the_decisions_of_the_other_seat_alone() -> None:
    position = "GGGGGG/GGIGGG/GGGGGG - - - C3D3F3G3T3 - 9A!/-/0/silo*3 5:c1:: 4:d2:: silos=c2"
    game = Game.from_position(position, seed=1)
    said = converse(game, "b1", ".", "undo", "restart", people=(0, 1))
    assert said.count("the last decision was another player's") == 2
    assert (game.player, len(game.plies)) == (1, 2)
