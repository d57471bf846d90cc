"""The arena: fair seats, repeatable games, results that survive a kill, and numbers that are right."""

import gc
import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from contextlib import closing
from dataclasses import asdict, replace
from math import log10, sqrt
from pathlib import Path
from typing import Any

import pytest
from command_line import run
from processes import PATIENCE, is_running, wait_for

from kingdom_builder import parse_record
from kingdom_builder.arena import tournament, workers
from kingdom_builder.arena.ratings import elo, mean_interval, pair_points, wilson
from kingdom_builder.arena.results import Fault, Result, Results, Times, read_results
from kingdom_builder.arena.standings import standings
from kingdom_builder.arena.studies import ladder
from kingdom_builder.arena.tournament import Tournament
from kingdom_builder.arena.workers import local_workers, play_on
from kingdom_builder.players import STRENGTHS, GuardedPlayer
from kingdom_builder.rules import Action, Observation

EXAMPLE = Path(__file__).parents[2] / "examples" / "bot.py"
COMMAND = [sys.executable, "-m", "kingdom_builder"]


class Here(Executor):
    """Does the work at once, in this process."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


def played(tournament: Tournament, games: int) -> list[Result]:
    results = Results(str(tournament))
    for _ in play_on(tournament, games, results, (Here(), 1)):
        pass
    return results.games


def without_times(results: Sequence[Result]) -> list[dict[str, Any]]:
    """The games in order, without what is different each time."""
    return [{**asdict(result), "times": None} for result in sorted(results, key=lambda result: result.game)]


# ---- who sits where --------------------------------------------------------------------------------------------------


def test_two_players_change_seats_on_every_board() -> None:
    tournament = Tournament(["greedy", "random"])
    assert [tournament.seating(game) for game in (0, 1)] == [("greedy", "random"), ("random", "greedy")]


@pytest.mark.parametrize(("names", "seats"), [("ab", 2), ("abc", 2), ("abc", 3), ("abcd", 3), ("abcde", 5)])
def test_on_every_board_everybody_sits_equally_often_on_every_seat(
    names: str, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tournament, "make_player", lambda name: None)
    games = Tournament(list(names), seats)
    for board in (0, 1):
        numbers = range(board * len(games.seatings), (board + 1) * len(games.seatings))
        taken = Counter((name, seat) for game in numbers for seat, name in enumerate(games.seating(game)))
        assert len(set(taken.values())) == 1
        assert len(taken) == len(names) * seats


def test_of_three_everybody_follows_everybody_in_time() -> None:
    games = Tournament(["random", "greedy", "hard:9n"], 3)
    seatings = [games.seating(game) for game in range(6)]
    followed = Counter((table[seat - 1], table[seat]) for table in seatings for seat in range(3))
    assert set(followed.values()) == {3}


def test_a_name_that_stands_twice_meets_itself_once_on_a_board() -> None:
    assert Tournament(["greedy", "greedy"]).seatings == [("greedy", "greedy")]
    assert Tournament(["greedy", "greedy", "random"], 3).whole_rounds(4) == 6


def test_games_on_a_board_have_the_same_setup_and_luck() -> None:
    results = played(Tournament(["greedy", "random"], seed=4), 4)
    assert [result.board for result in results] == [0, 0, 1, 1]
    assert results[0].setup == results[1].setup
    assert results[2].setup == results[3].setup
    assert results[0].setup != results[2].setup

    def dealt(result: Result) -> list[str]:
        return [entry.move for entry in parse_record(result.record).line.entries[:2]]

    assert dealt(results[0]) == dealt(results[1])
    assert dealt(results[2]) == dealt(results[3])


# ---- what a game is ------------------------------------------------------------------------------------------------


def test_a_result_agrees_with_its_record() -> None:
    result = Tournament(["greedy", "random"], sets=("base", "nomads"), seed=2).play(0)
    final = parse_record(result.record).game(draws=False).state
    assert final.over
    assert final.round == result.rounds
    assert [sum(cards.values()) for cards in result.breakdown] == result.gold
    assert result.winners == [seat for seat in (0, 1) if result.gold[seat] == max(result.gold)]
    assert [len(tiles) for tiles in result.tiles] == [taken.bit_count() for taken in final.taken]
    assert [times.turns for times in result.times] == [result.rounds] * 2


def test_a_result_survives_being_written() -> None:
    result = Tournament(["greedy", "random"]).play(0)
    with_fault = replace(result, faults=[Fault(1, "3B", 'wrote "rubbish"\n')])
    assert Result.parse(with_fault.line()) == with_fault
    assert with_fault.line().count("\n") == 1


def test_the_same_seed_and_numbers_of_positions_give_the_same_games() -> None:
    tournament = Tournament(["hard:20n", "expert:30n"], seed=5)
    assert without_times([tournament.play(1)]) == without_times([tournament.play(1)])
    assert tournament.play(1).setup != replace(tournament, seed=6).play(1).setup


def test_a_turn_is_late_when_it_takes_much_more_than_its_time() -> None:
    times = Times()
    for wall, cpu, limit in ((1.19, 1.0, 1.0), (1.21, 1.0, 1.0), (3.0, 1.3, 1.0), (99.0, 99.0, None)):
        times.include(Times.of_turn(wall, cpu, limit))
    assert (times.turns, times.late, times.late_cpu) == (4, 2, 1)
    assert (times.longest_wall, times.longest_cpu) == (99.0, 99.0)
    assert times.wall == pytest.approx(104.4)


def test_no_garbage_is_collected_while_the_clock_of_a_turn_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    collects = []
    choose = GuardedPlayer.choose

    def noted_choose(self: GuardedPlayer, seen: Observation) -> Action:
        collects.append(gc.isenabled())
        return choose(self, seen)

    monkeypatch.setattr(GuardedPlayer, "choose", noted_choose)
    Tournament(["random", "greedy"]).play(0)
    assert set(collects) == {False}
    assert gc.isenabled()


# ---- files -----------------------------------------------------------------------------------------------------------


def test_a_file_is_continued_and_not_started_again(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    tournament = Tournament(["greedy", "random"])
    for games in (2, 4):
        with closing(Results(str(tournament), file)) as results:
            for _ in play_on(tournament, games, results, (Here(), 2)):
                pass
        assert file.read_bytes().count(b"\n") == games
        assert sorted(result.game for result in read_results(file)) == list(range(games))
        file.write_bytes(file.read_bytes() + b'{"plan": "cut of')
    assert without_times(list(read_results(file))) == without_times(played(tournament, 4))


def test_games_that_were_written_twice_count_once(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    line = Tournament(["random", "random"]).play(0).line()
    file.write_text(line * 2)
    assert len(list(read_results(file))) == 1


def test_after_a_kill_the_same_command_ends_as_if_nothing_had_happened(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    command = [*COMMAND, "arena", "hard:9n", "greedy", "--seed", "3", "--cores", "2", "--out", str(file), "--games"]
    with subprocess.Popen([*command, "5000"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as first:
        wait_for(lambda: file.exists() and file.read_bytes().count(b"\n") >= 2)
        first.kill()
    before = file.read_bytes()
    subprocess.run([*command, "8"], capture_output=True, check=True)
    assert file.read_bytes().startswith(before[: before.rfind(b"\n")]), "what was there is not played again"
    results = [result for result in read_results(file) if result.game < 8]
    assert without_times(results) == without_times(played(Tournament(["hard:9n", "greedy"], seed=3), 8))


def test_ctrl_c_leaves_a_usable_file_and_no_process(tmp_path: Path) -> None:
    """In the third game the bot falls asleep; Ctrl+C does not wait for it."""
    file, processes, bot = tmp_path / "results.jsonl", tmp_path / "processes.txt", tmp_path / "bot.py"
    bot.write_text(
        "import os, time\n"
        f"print(os.getpid(), file=open({str(processes)!r}, 'a'))\n"
        f"is_third = len(open({str(processes)!r}).readlines()) == 3\n"
        + EXAMPLE.read_text()
        .replace("    return", "    if is_third: time.sleep(600)\n    return")
        .replace("ready sample newgame", "ready sample")
    )
    arguments = [
        "arena",
        f"run:60s:{sys.executable} {bot}",
        "greedy",
        "--games",
        "4",
        "--out",
        str(file),
        "--cores",
        "1",
    ]
    arena = subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        wait_for(lambda: processes.exists() and processes.read_text().count("\n") == 3)
        wait_for(lambda: file.read_bytes().count(b"\n") == 2)
        arena.send_signal(signal.SIGINT)
        out, err = arena.communicate(timeout=PATIENCE)
    finally:
        arena.kill()
    assert arena.returncode == 130
    assert err == "kb arena: stopped after 2 of 4 games; the same command goes on\n"
    assert "2 games on 1 boards" in out
    assert [result.game for result in read_results(file)] == [0, 1]
    wait_for(lambda: not any(is_running(int(process)) for process in processes.read_text().split()))


def test_workers_end_when_the_main_process_is_killed(tmp_path: Path) -> None:
    code = (
        "import os, sys, time\n"
        "from kingdom_builder.arena.workers import local_workers\n"
        "if __name__ == '__main__':\n"
        "    with local_workers(1) as (executor, _):\n"
        "        print(executor.submit(os.getpid).result(), flush=True)\n"
        "        time.sleep(60)\n"
    )
    (tmp_path / "main.py").write_text(code)
    with subprocess.Popen(
        [sys.executable, str(tmp_path / "main.py")], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as main:
        assert main.stdout
        worker = int(main.stdout.readline())
        assert is_running(worker)
        main.kill()
    wait_for(lambda: not is_running(worker))


class Deadly(Tournament):
    def play(self, game: int, bot_log: str | None = None) -> Result:
        os._exit(1)


def test_a_worker_that_dies_is_reported() -> None:
    games = Deadly(["random", "random"])
    with pytest.raises(OSError, match="a worker was killed"), local_workers(1) as found:
        list(play_on(games, 2, Results(str(games)), found))


# ---- numbers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [(8, 10, 0.4902, 0.9433), (0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (850, 1000, 0.8265, 0.8708), (0, 0, 0, 1)],
)
def test_wilson_intervals_are_those_of_the_books(wins: float, games: int, low: float, high: float) -> None:
    assert wilson(wins, games) == pytest.approx((low, high), abs=1e-4)


def test_the_interval_of_a_mean() -> None:
    """Deviations 1, 0, 1: variance 1, standard error the root of a third."""
    assert mean_interval([4, 5, 6]) == pytest.approx((5 - 1.96 / sqrt(3), 5 + 1.96 / sqrt(3)))
    assert mean_interval([4]) == (4, 4)


def test_elo_of_two_players_by_hand() -> None:
    """75 of 100, and one more drawn game: odds of 75.5 to 25.5."""
    strength = elo({("a", "b"): 75.0, ("b", "a"): 25.0})
    difference = 400 * log10(75.5 / 25.5)
    assert strength["a"][0] == pytest.approx(difference / 2)
    assert strength["b"][0] == pytest.approx(-difference / 2)
    rate = 75.5 / 101
    spread = 1.96 * 173.7178 / sqrt(101 * rate * (1 - rate)) / 2
    assert strength["a"][1] == pytest.approx((difference / 2 - spread, difference / 2 + spread), rel=1e-5)


def test_elo_is_consistent_over_three_players() -> None:
    """If the odds of a:b and of b:c are 3:1 and those of a:c are 9:1, each is 400 log10(3) ahead of the next."""
    many = 1e9
    points = {
        ("a", "b"): 0.75 * many, ("b", "a"): 0.25 * many,
        ("b", "c"): 0.75 * many, ("c", "b"): 0.25 * many,
        ("a", "c"): 0.9 * many, ("c", "a"): 0.1 * many,
    }  # fmt: skip
    strength = elo(points)
    step = 400 * log10(3)
    assert [strength[name][0] for name in "abc"] == pytest.approx([step, 0, -step], abs=1e-3)


def test_elo_of_players_who_met_only_through_others() -> None:
    points = {("a", "b"): 8.0, ("b", "a"): 2.0, ("b", "c"): 8.0, ("c", "b"): 2.0}
    strength = elo(points)
    step = 400 * log10(8.5 / 2.5)
    assert [strength[name][0] for name in "abc"] == pytest.approx([step, 0, -step])


def test_elo_of_one_who_won_every_game_is_finite_and_uncertain() -> None:
    centre, (low, high) = elo({("a", "b"): 1000.0, ("b", "a"): 0.0})["a"]
    assert centre == pytest.approx(200 * log10(1000.5 / 0.5))
    assert high - low > 400


def test_nobody_to_compare_with_has_no_elo() -> None:
    assert elo({}) == {}


def test_points_of_a_game_of_three() -> None:
    """A game of three counts as two comparisons: each of the three for two thirds. A name does not meet itself."""
    third = 2 / 3
    assert pair_points([(("a", "b", "c"), (9, 5, 5))]) == pytest.approx(
        {
            ("a", "b"): third,
            ("b", "a"): 0,
            ("a", "c"): third,
            ("c", "a"): 0,
            ("b", "c"): third / 2,
            ("c", "b"): third / 2,
        }
    )
    assert pair_points([(("a", "a"), (9, 5))]) == {}


def test_standings_by_hand() -> None:
    """a wins one game and shares one: 1.5 of 2."""
    game = Tournament(["random", "random"]).play(0)
    shared = replace(
        game,
        players=["a", "b"],
        gold=[50, 50],
        winners=[0, 1],
        times=[Times(2, 0.2, 0.1, 0.15, 0.1, 1, 0), Times()],
        faults=[Fault(1, "2B", "crashed")],
    )
    won = replace(shared, players=["b", "a"], gold=[30, 60], winners=[1], faults=[])
    first, second = standings(["b", "a"], [shared, won])
    assert (first.player, first.games, first.wins, first.win_rate) == ("a", 2, 1.5, 0.75)
    assert first.win_rate_interval == wilson(1.5, 2)
    assert (first.mean_gold, second.mean_gold) == (55, 40)
    assert (first.faults, second.faults) == (0, 1)
    assert first.elo == pytest.approx(200 * log10(2.0 / 1.0))
    assert (first.times.turns, first.times.late, second.times.turns) == (2, 1, 2)


# ---- the command -----------------------------------------------------------------------------------------------------


def test_the_command_prints_a_table_and_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "results.jsonl"
    arguments = ["arena", "greedy", "random", "--games", "3", "--out", str(file), "--cores", "1"]
    assert run(*arguments, "--json") == 0
    result = json.loads(capsys.readouterr().out)
    assert result["players"] == ["greedy", "random"]
    assert result["games"] == 4, "whole boards"
    best, other = result["standings"]
    assert best.keys() == {
        "player", "games", "wins", "win_rate", "win_rate_interval", "mean_gold",
        "elo", "elo_interval", "seconds", "times", "faults",
    }  # fmt: skip
    assert best["player"] == "greedy"
    assert best["win_rate"] + other["win_rate"] == 1
    assert best["elo"] == -other["elo"]
    assert best["times"]["turns"] > 20

    assert run(*arguments) == 0
    printed = capsys.readouterr().out
    assert "4 games on 2 boards" in printed
    assert max(map(len, printed.splitlines())) <= 80
    assert len(printed.splitlines()) == 5, "no cell is wrapped"


def test_the_command_reports_faults(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("arena", "run:true", "random", "--games", "2", "--cores", "1") == 0
    assert "game 1, turn 1B: run:true ended with exit code 0\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["greedy"], "1 players for 2 seats: expected at least 2, a name may stand several times"),
        (["greedy", "random", "--players", "3"], "2 players for 3 seats"),
        (
            ["greedy", "gready"],
            "'gready' is not a player: expected one of random, easy, greedy, hard, expert, master, marina",
        ),
        (["greedy", "hard:fast"], "'fast' is not a budget"),
        (["greedy", "run:no-such-program"], "there is no program 'no-such-program'"),
        (["greedy", "random", "--games", "0"], "'0' is not a number from 1 on"),
        (["greedy", "random", "--players", "6"], "'6' is not a number from 2 to 5"),
        (["greedy", "random", "--seed", "x"], "'x' is not a number from 0 on"),
        (["greedy", "random", "--cores", "0"], "'0' is not a number from 1 on"),
        (["greedy", "random", "--sets", "islands"], "unknown set 'islands'"),
        (["greedy", "random", "--sets", "caves"], "0 sections to choose from"),
        (["greedy", "random", "--option", "x"], "unknown option 'x'"),
        (["greedy", "random", "--out", "/no/such/folder/x.jsonl"], "/no/such/folder/x.jsonl: No such file"),
        (["greedy", "random", "--cluster", "nowhere:1"], "no Dask scheduler answers at 'nowhere:1'"),
    ],
)
def test_a_wrong_argument_gives_one_sentence(
    arguments: list[str], expected: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if "--cluster" in arguments:
        monkeypatch.setattr(workers, "CONNECT_SECONDS", 0.1)
    assert run("arena", *arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert printed.err.startswith("kb arena: ")
    assert expected in printed.err


def test_a_file_of_another_tournament_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "results.jsonl"
    file.write_text(Tournament(["random", "random"], seed=1).play(0).line())
    for arguments in (["random", "greedy", "--seed", "1"], ["random", "random"]):
        assert run("arena", *arguments, "--out", str(file)) == 2
        error = capsys.readouterr().err
        assert f"{file} has games of another tournament (random | random; 2 seats; sets base; seed 1; code " in error
        assert error.count("\n") == 1
    assert len(file.read_text().splitlines()) == 1


def test_results_of_other_code_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "results.jsonl"
    games = Tournament(["random", "random"])
    file.write_text(games.play(0).line())
    monkeypatch.setattr(tournament, "code_version", lambda: "changed")
    with pytest.raises(ValueError, match="another tournament"):
        Results(str(games), file)


def test_a_file_of_something_else_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "results.jsonl"
    for text in ("[1, 2]\n", "Dear diary\n", '{"plan": "x"}\n'):
        file.write_text(text)
        assert run("arena", "random", "random", "--out", str(file)) == 2
        assert f"{file}, line 1: not the result of a game" in capsys.readouterr().err
        assert file.read_text() == text, "it is not touched"


def test_a_cluster_without_its_package_is_reported(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert run("arena", "random", "random", "--cluster", "x") == 2
    assert "pip install 'kingdom-builder[cluster]'" in capsys.readouterr().err


def test_the_games_are_the_same_on_a_cluster(tmp_path: Path) -> None:
    """A real scheduler and two workers, as somebody with many machines would start them."""
    address_file, results = tmp_path / "scheduler.json", tmp_path / "results.jsonl"
    scheduler = ["dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    worker = ["dask_worker", "--nthreads", "1", "--no-dashboard", "--no-nanny", "--local-directory", str(tmp_path)]
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{each[0]}", *each[1:], "--scheduler-file", str(address_file)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=tmp_path,
        )
        for each in (scheduler, worker, worker)
    ]
    try:
        wait_for(lambda: address_file.exists() and bool(address_file.read_text()))
        address = json.loads(address_file.read_text())["address"]
        command = [*COMMAND, "arena", "hard:9n", "greedy", "--games", "6", "--out", str(results), "--cluster", address]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert "6 games on 3 boards" in done.stdout, done.stderr
    finally:
        for process in processes:
            process.kill()
        for process in processes:
            process.wait()
    assert without_times(list(read_results(results))) == without_times(played(Tournament(["hard:9n", "greedy"]), 6))


# ---- the ladder ------------------------------------------------------------------------------------------------------


def test_the_ladder_writes_its_page_and_keeps_what_was_written_by_hand(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "strength.md"
    page.write_text("# Old\n\n## Experiments\n\nMagic.\n")
    arguments = ["--levels", "random", "greedy", "hard:5n", "--games", "2", "--slow-games", "2", "--cores", "1"]
    ladder.main([*arguments, "--folder", str(tmp_path / "games"), "--page", str(page)])
    text = page.read_text()
    for heading in ("## 2 players, base game", "## 3 players, base game", "## 2 players, all sets"):
        assert heading in text
    assert text.count("| `greedy` | ") == 3
    assert "| `greedy` - `random` | 2 | " in text
    assert text.endswith("\n## Experiments\n\nMagic.\n")
    assert "Old" not in text


def test_the_ladder_gives_slow_levels_fewer_games() -> None:
    first, *others = ladder.parts(STRENGTHS, 1000, 200, 0)
    assert Counter(games for _, games in first.tournaments) == {1000: 6, 200: 2, 34: 7}
    assert [part.tournaments[0][0].seats for part in others] == [3, 4, 2]
    assert [[games for _, games in part.tournaments] for part in others] == [[100], [100], [200, 200, 200, 100, 100]]
