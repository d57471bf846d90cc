"""The command line: what it prints, and one clear line for whatever is wrong."""

import json
import re
import subprocess
import sys
import tomllib
from datetime import date
from pathlib import Path

import pytest
from command_line import run

from kingdom_builder import native
from kingdom_builder.cli.main import COMMANDS, make_parser
from kingdom_builder.cli.serve import SERVER_LIMITS
from kingdom_builder.daily import OPPONENT, PERSON, Daily
from kingdom_builder.notation import action_text
from kingdom_builder.players import make_player
from kingdom_builder.rules import observe
from kingdom_builder.server.settings import Settings

GOLDEN = Path(__file__).parents[1] / "golden"
POSITION = "DDD/D1D/DDG(farm) fishermen - 1 C5D4F5G5T4 - 3A/D/2/- 39:a1:b2+:D 40:::T"


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--version") == 0
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]
    assert capsys.readouterr().out.startswith(f"Kingdom Builder {project['version']}, ")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(command, "--help") == 0
    assert f"Example: kb {command}" in capsys.readouterr().out


@pytest.mark.parametrize("command", COMMANDS)
def test_the_example_in_the_help_can_be_parsed(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    run(command, "--help")
    example = capsys.readouterr().out.split("Example: kb ")[1].split()
    assert make_parser().parse_args(example).run


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], "required: COMMAND"),
        (["dance"], "invalid choice: 'dance'"),
        (["show"], "required: POSITION"),
        (["show", "nonsense"], "column 9: 1 field: expected board, cards"),
        (["show", *POSITION.replace("fishermen", "fishers").split()], "column 19: unknown card 'fishers'"),
        (["show", "first", "--svg", "/no/such/folder/x.svg"], "/no/such/folder/x.svg: No such file"),
        (["legal", "first", "--why", "k99"], "'k99' is not an action"),
        (["perft", "first"], "required: --depth"),
        (["perft", "first", "--depth", "-1"], "'-1' is not a number from 0"),
        (["replay", "/no/such/record.kbr"], "/no/such/record.kbr: No such file"),
        (["replay", str(GOLDEN / "00.kbr"), "--turn", "99Z"], "no turn '99Z': expected 0A to"),
        (["simulate", "--games", "0"], "'0' is not a number from 1 on"),
        (["simulate", "--players", "6"], "'6' is not a number from 2 to 5"),
        (["simulate", "--option", "x"], "unknown option 'x'"),
        (["daily", "--date", "yesterday"], "'yesterday' is not a date: expected one such as 2026-11-18"),
        (["play", "--humans", "3"], "3 humans at 2 seats"),
        (["play", "--board", "farm/farm/oasis/tower"], "four different"),
        (["play", "--board", "farm/quarries/oasis/tower"], "unknown section 'quarries'"),
        (["play", "--sets", "base,islands"], "unknown set 'islands'"),
        (["simulate", "--players", "5-2"], "'5-2' is not a range"),
        (["play", "--cards", "lords,kings,miners"], "unknown card 'kings'"),
        (["play", "--sections", "/no/such/file"], "/no/such/file: No such file"),
        (["play", "--bots", "clever"], "'clever' is not a player"),
        (["play", "--players", "4", "--bots", "greedy,hard"], "2 bots for 3 seats: expected one name for all of them"),
        (["hint", "first"], "no move to suggest: a card is to be drawn"),
        (["hint", "first", "--moves", "0"], "'0' is not a number from 1 on"),
        (["bench", "--games", "many"], "'many' is not a number"),
    ],
)
def test_a_wrong_argument_gives_one_line_and_exit_code_2(
    arguments: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert expected in printed.err
    assert printed.err.startswith("kb")


def test_a_broken_section_file_is_reported_with_file_and_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.txt"
    file.write_text("# farm | mine | verified\nGGGG\n")
    assert run("play", "--sections", str(file)) == 2
    assert f"{file}, line 2: 4 hexes in row 'GGGG': expected 10" in capsys.readouterr().err


MAPS = """kingdom-builder-maps 1

# my-isle: farm | own | own
GGGGG1GGGG
"""
BOARDS = "## Isles | farm\nGGDDTT\nFF1CCC\n\n## Strait\nGGDDTT\nFFWCCC\n"


@pytest.fixture
def map_file(tmp_path: Path) -> str:
    """A map file with a section and two boards."""
    path = tmp_path / "mine.kbm"
    path.write_text(MAPS + "GCDFTGCDFT\n" * 9 + BOARDS, "utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("board", "shown", "kept"),
    [
        ("{file}#Isles", "GGDDTT/FF1CCC(farm)", "GGDDTT/FF1CCC(farm)"),
        ("{file}#Strait", "GGDDTT/FFWCCC", "GGDDTT/FFWCCC"),
        ("GGG/CDF", "GGG/CDF", "GGG/CDF"),
        ("my-isle/tower/oasis'/paddock", "my-isle/tower/oasis'/paddock", "GGGGG1GGGGTTTTMMGMCC/GCDFT"),
    ],
)
def test_play_on_a_board_of_ones_own(
    board: str, shown: str, kept: str, map_file: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    record = tmp_path / "game.kbr"
    arguments = ["--humans", "0", "--bots", "random", "--sections", map_file, "--record", str(record)]
    assert run("play", "--board", board.format(file=map_file), *arguments) == 0
    assert f"Kingdom Builder: {shown}" in capsys.readouterr().out
    assert f'[Start "{kept}' in record.read_text("utf-8")
    assert run("replay", str(record)) == 0


def test_arena_plays_on_a_board_of_ones_own(map_file: str, tmp_path: Path) -> None:
    results = tmp_path / "games.jsonl"
    arguments = ["arena", "random", "random", "--games", "2", "--cores", "1", "--out", str(results)]
    assert run(*arguments, "--board", f"{map_file}#Isles") == 0
    assert results.read_text("utf-8").count("GGDDTT/FF1CCC(farm) ") >= 2
    assert run(*arguments, "--board", "GGG/CDF") == 2, "these would be other games"


def test_arena_draws_own_sections(map_file: str, tmp_path: Path) -> None:
    results = tmp_path / "games.jsonl"
    arguments = ["--games", "40", "--cores", "1", "--out", str(results)]
    assert run("arena", "random", "random", *arguments, "--sections", map_file) == 0
    assert "GGGGG1GGGG" in results.read_text("utf-8")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (None, "No such file"),
        ("", "line 1: no section: expected a header"),
        ("kingdom-builder-maps 9\n", "line 1: a map file of version '9': expected version 1"),
        ("## x\nGGX\n", "line 2: unknown letter 'X' in column 3"),
        ("## x | farn\nGG1\n", "unknown location 'farn'"),
        (MAPS + "GCDFTGCDFT\n" * 9, "has no whole board: expected a header such as '## My board | farm'"),
        (BOARDS, "has several boards: expected"),
    ],
)
@pytest.mark.parametrize("command", [["play"], ["arena", "random", "random"]])
def test_a_bad_map_file_is_refused_in_one_line(
    command: list[str], content: str | None, expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.kbm"
    if content is not None:
        path.write_text(content, "utf-8")
    assert run(*command, "--board", str(path)) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert str(path) in line
    assert expected in line


def test_a_board_that_the_file_does_not_have(map_file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("play", "--board", f"{map_file}#Islets") == 2
    assert "has no board 'Islets': expected one of Isles, Strait" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["play"], ["arena", "random", "random"], ["serve"]])
def test_a_file_without_sections_is_refused(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.kbm"
    path.write_text(BOARDS, "utf-8")
    assert run(*command, "--sections", str(path)) == 2
    assert f"{path} has no section: expected a header" in capsys.readouterr().err


def test_show_draws_board_and_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("show", *POSITION.split(), "--legal") == 0
    printed = capsys.readouterr().out
    assert "Round 3, A to play" in printed
    assert "Build 2 more on desert." in printed
    assert " 1 Ad*d d" in printed, "a piece, a legal hex, another hex"
    assert "Farm (b2), from next turn" in printed


def test_show_writes_a_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "board.svg"
    assert run("show", POSITION, "--svg", str(file), "--legal") == 0
    assert file.read_text().count('href="#kb-highlight"') == 2
    assert run("show", POSITION, "--svg", "-") == 0
    assert capsys.readouterr().out.startswith("<svg")


def test_legal_lists_actions_and_reasons(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("legal", POSITION) == 0
    assert capsys.readouterr().out == "b1 a2\n"
    assert run("legal", POSITION, "--why", "c1") == 0
    assert "c1 does not touch your settlements" in capsys.readouterr().out
    assert run("legal", POSITION, "--why", "b1") == 0
    assert capsys.readouterr().out == "b1: legal\n"


def test_score_names_the_paying_hexes(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("score", "GWG/GKG fishermen - - C5D5F5G4T4 - 3A/G/2/- 39:a1::G 39:c2::T") == 0
    assert capsys.readouterr().out.splitlines() == [
        "A  1 gold",
        "   Fishermen      1  a1",
        "   Castles        0",
        "B  3 gold",
        "   Fishermen      0",
        "   Castles        3  c2",
    ]


def test_hint_suggests_turns_with_reasons(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("hint", POSITION, "--moves", "1") == 0
    [line] = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"(b1|a2)( [a-z]\d+)* \.: about [\d.]+ gold; .+", line)
    assert run("hint", POSITION.replace(":::T", ":::?"), "--json") == 0
    suggestions = json.loads(capsys.readouterr().out)
    assert {suggestion["move"] for suggestion in suggestions} == {"b1", "a2"}
    assert suggestions[0].keys() == {"move", "turn", "gold", "reason"}


def test_play_names_the_bots(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("builtins.input", lambda prompt: "quit")
    assert run("play", "--players", "3", "--bots", "greedy,hard:9n", "--seed", "1") == 0
    assert "People: A; bots: B greedy, C hard:9n." in capsys.readouterr().out
    assert run("play", "--players", "3", "--humans", "0", "--bots", "random", "--seed", "1") == 0
    printed = capsys.readouterr().out
    assert "bots: A random, B random, C random." in printed
    assert "the game." in printed, "bots play it to its end"


def test_daily_is_the_game_of_a_date_and_names_its_gold(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    day = "2026-11-18"
    game = Daily(date.fromisoformat(day)).game()
    bots = [make_player(OPPONENT) for _ in range(2)]
    typed = []
    for action in game.run(lambda state: bots[state.player].choose(observe(state, state.player))):
        before = game.plies[-1].state
        if before.player == PERSON and not before.awaiting:
            typed.append(action_text(game.setup, action))
    monkeypatch.setattr("builtins.input", lambda _: typed.pop(0))
    file = tmp_path / "daily.kbr"
    assert run("daily", "--date", day, "--record", str(file)) == 0
    assert f"The daily game of {day}: {game.scores()[PERSON]} gold." in capsys.readouterr().out
    assert file.read_text("utf-8") == str(game.record())


def test_perft_divides(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("perft", POSITION, "--depth", "2", "--divide") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == f"total {sum(int(line.split()[1]) for line in lines[:-1])}"
    assert run("perft", POSITION, "--depth", "2") == 0
    assert capsys.readouterr().out.strip() == lines[-1].split()[1]


def test_replay_shows_the_game_and_the_final_scores(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("replay", str(GOLDEN / "01.kbr"), "--all") == 0
    printed = capsys.readouterr().out
    assert "A begins turn 1" in printed
    assert "Final score: A=" in printed


def test_replay_says_when_the_record_has_another_score(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (GOLDEN / "01.kbr").read_text()
    file = tmp_path / "wrong.kbr"
    file.write_text(text.replace('[Score "A=', '[Score "A=9'))
    assert run("replay", str(file), "--all") == 1
    assert "The record says otherwise" in capsys.readouterr().out


def test_replay_of_an_illegal_move_points_at_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "illegal.kbr"
    file.write_text('[Start "DDD/DDD - - - C5D4F5G5T4 - 1A/D/3/- 40:::D 40:::T"]\n\n1A a1 a1\n')
    assert run("replay", str(file)) == 2
    assert "line 3, column 7: a1: a1 is occupied by you" in capsys.readouterr().err


def test_replay_shows_the_board_at_a_turn(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("replay", str(GOLDEN / "01.kbr"), "--turn", "3b") == 0
    assert "Round 3, B to play" in capsys.readouterr().out


def test_simulate_gives_the_same_games_on_one_core_and_on_two(capsys: pytest.CaptureFixture[str]) -> None:
    outputs = []
    for cores in ("1", "2"):
        assert run("simulate", "--games", "120", "--players", "3", "--seed", "4", "--json", "--cores", cores) == 0
        outputs.append(json.loads(capsys.readouterr().out))
    assert outputs[0] == outputs[1]
    assert outputs[0]["games"] == 120
    assert sum(seat["wins"] for seat in outputs[0]["seats"]) == pytest.approx(1, abs=0.001)


def test_simulate_plays_all_sets_with_two_to_five_players(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("simulate", "--games", "40", "--players", "2-5", "--sets", "all", "--check", "--json") == 0
    result = json.loads(capsys.readouterr().out)
    assert [seat["games"] for seat in result["seats"]] == [40, 40, 30, 20, 10]
    assert result["plan"]["sets"] == ["base", "nomads", "crossroads", "harvest", "capitol", "caves"]


def test_a_stand_in_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    position = "bazaar/farm/oasis/tower - - 22222222 C5D5F5G5T5 - 0A/-/0/= 40::: 40:::"
    assert run("show", position) == 0
    assert "Stand-in for the map: bazaar" in capsys.readouterr().out
    assert run("show", position, "--svg", "-") == 0
    assert "section bazaar is a stand-in" in capsys.readouterr().out


def test_simulate_checks_invariants(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("simulate", "--games", "20", "--players", "5", "--check") == 0
    assert "invariants checked" in capsys.readouterr().out
    monkeypatch.setattr("kingdom_builder.rules.invariants.SETTLEMENTS", 41)
    assert run("simulate", "--games", "1", "--check") == 1
    assert "broken invariant: seat 0" in capsys.readouterr().err


def test_bench_prints_the_promised_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("bench", "--games", "30", "--json") == 0
    result = json.loads(capsys.readouterr().out)
    assert result["games_per_cpu_second"] > 0
    assert "openspiel_hex_ratio" in result
    for games in ("", "all_sets_", "stepped_", "picked_"):
        ratio = result[f"native_{games}ratio"]
        assert ratio > 1 if native.is_on() else ratio is None
    for operation in ("copy", "legal", "apply", "score"):
        assert result[f"{operation}_microseconds"] > 0
    assert result["cli_help_seconds"] > 0


@pytest.mark.parametrize(
    ("arguments", "modules"),
    [("--help", {"rich", "concurrent", "fastapi", "kingdom_builder.content"}), ("serve --help", {"rich", "fastapi"})],
)
def test_help_does_not_load_what_takes_long(arguments: str, modules: set[str]) -> None:
    code = (
        f"import sys; sys.argv = ['kb', *{arguments.split()}]\n"
        "from kingdom_builder.cli.main import main\n"
        "try: main()\n"
        f"finally: print(sorted({modules} & sys.modules.keys()), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"


def test_a_reader_who_leaves_causes_no_traceback() -> None:
    done = subprocess.run(
        f"{sys.executable} -m kingdom_builder perft first --depth 4 --divide | true",
        shell=True,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""


@pytest.mark.parametrize(("flag", "text"), SERVER_LIMITS.items())
def test_the_help_shows_the_defaults_of_the_server(flag: str, text: str) -> None:
    default = re.search(r"default (\d+)", text)
    assert default is not None
    name = flag.removeprefix("--").replace("-", "_")
    settings = Settings()
    given = {"drain_seconds": settings.draining}.get(name, getattr(settings, name))  # None there: it depends
    assert int(default[1]) == given
