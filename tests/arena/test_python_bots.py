"""Bots that are Python classes: named `py:module:Class`, they play wherever our own players do."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from command_line import run
from server.inside import run as run_async
from server.inside import world
from test_tournament import played, without_times

from kingdom_builder.arena.results import Results
from kingdom_builder.arena.tournament import Tournament
from kingdom_builder.arena.workers import local_workers, play_on
from kingdom_builder.message import Refusal
from kingdom_builder.players import Player, make_player, name_of, seconds_of
from kingdom_builder.players.budget import Budget
from kingdom_builder.players.hard import HardPlayer
from kingdom_builder.players.player import construct
from kingdom_builder.players.random import random_action
from kingdom_builder.rules import Action, Observation
from kingdom_builder.server.people import check_level

ROOT = Path(__file__).parents[2]
EXAMPLE = "py:examples.python_bot:Climber"

FIRST_BOT = """
class First:
    def choose(self, seen):
        legal = seen.legal()
        return (legal & -legal).bit_length() - 1
"""


class Plain:
    """Needs nothing to be made."""

    def choose(self, seen: Observation) -> Action:
        return seen.legal().bit_length() - 1

    class Inner:
        def choose(self, seen: Observation) -> Action:
            return seen.legal().bit_length() - 1


class Lucky:
    """Needs random numbers."""

    def __init__(self, *, rng: Random) -> None:
        self.rng = rng

    def choose(self, seen: Observation) -> Action:
        return random_action(seen, self.rng.random)


class Declared(Player):
    """Says that it is a player."""

    def choose(self, seen: Observation) -> Action:
        return seen.legal().bit_length() - 1


class Frugal(Plain):
    """Has a budget if it gets none."""

    def __init__(self, depth: int = 2, budget: Budget | None = None) -> None:
        self.depth = depth
        self.budget = budget


class Demanding(Plain):
    def __init__(self, rng: Random, depth: int) -> None: ...


class Cheat:
    def choose(self, seen: Observation) -> Action:
        return 10_000


class Idle:
    """Cannot choose."""


def own(name: str) -> str:
    return f"py:{__name__}:{name}"


# ---- how they are made -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [Plain, Plain.Inner, Lucky, Declared, Frugal])
def test_a_class_plays_whole_games_under_its_name(kind: type[Player]) -> None:
    tournament = Tournament([kind, "random"])
    assert tournament.names == [own(kind.__qualname__), "random"]
    assert str(tournament).startswith(f"{own(kind.__qualname__)} | random; ")
    for result in played(tournament, 2):
        assert sorted(result.players) == sorted(tournament.names)
        assert result.faults == []


def test_a_class_gets_random_numbers_that_follow_from_the_seed() -> None:
    name = name_of(Lucky)
    first, again, other = [make_player(name, seed) for seed in (1, 1, 2)]
    assert isinstance(first, Lucky)
    assert isinstance(again, Lucky)
    assert isinstance(other, Lucky)
    assert first.rng.random() == again.rng.random() != other.rng.random()


def test_a_class_gets_the_budget_in_its_name() -> None:
    player = make_player(f"py:250ms:{__name__}:Frugal")
    assert isinstance(player, Frugal)
    assert player.budget is not None
    assert player.budget.seconds == seconds_of(f"py:250ms:{__name__}:Frugal") == 0.25
    without = make_player(own("Frugal"))
    assert isinstance(without, Frugal)
    assert without.budget is None
    assert seconds_of(own("Frugal")) is None
    assert seconds_of(f"py:30n:{__name__}:Frugal") is None


def test_our_own_classes_are_made_in_the_same_way() -> None:
    """So `hard` under its level and under its class play the same games."""
    names = ["hard:30n", "py:30n:kingdom_builder.players.hard:HardPlayer"]
    games = [Tournament([name, "greedy"], seed=5).play(0).gold for name in names]
    assert games[0] == games[1]
    assert isinstance(construct(HardPlayer, Random(1), Budget(nodes=1)), HardPlayer)


def test_a_class_that_fails_is_replaced() -> None:
    result = Tournament([Cheat, "random"]).play(0)
    assert [fault.seat for fault in result.faults] == [0]


# ---- where they are found --------------------------------------------------------------------------------------------


def test_worker_processes_play_the_same_games() -> None:
    tournament = Tournament([Lucky, "greedy"], seed=3)
    results = Results(str(tournament))
    with local_workers(2) as workers:
        for _ in play_on(tournament, 4, results, workers):
            pass
    assert without_times(results.games) == without_times(played(tournament, 4))


def kb(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the command line as the script `kb` does: its own folder is where Python looks first, not the current one."""
    command = [sys.executable, "-P", "-m", "kingdom_builder", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_the_example_beats_random_on_the_command_line() -> None:
    ended = kb("arena", EXAMPLE, "random", "--games", "10", "--cores", "2", "--json", folder=ROOT)
    assert ended.returncode == 0, ended.stderr
    best, other = json.loads(ended.stdout)["standings"]
    assert (best["player"], best["faults"], other["player"]) == (EXAMPLE, 0, "random")
    assert best["mean_gold"] > other["mean_gold"] + 5


def test_a_module_in_the_current_folder_is_found(tmp_path: Path) -> None:
    (tmp_path / "mybot.py").write_text(FIRST_BOT)
    ended = kb("arena", "py:mybot:First", "random", "--games", "2", "--cores", "2", "--json", folder=tmp_path)
    assert ended.returncode == 0, ended.stderr
    plan = json.loads(ended.stdout)
    assert plan["players"] == ["py:mybot:First", "random"]
    assert [standing["faults"] for standing in plan["standings"]] == [0, 0]


def test_a_class_plays_in_the_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    position = "DDDD/D1DG/DDGG/CCCC(farm) fishermen - 2 C5D4F5G5T4 - 1A/D/3/- 40:::D 3:::T"
    assert run("play", "--bots", EXAMPLE, "--humans", "0", "--position", position, "--seed", "1") == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert EXAMPLE in printed
    assert "another plays on" not in printed


def test_a_class_in_a_script_that_runs_is_refused_with_what_to_do(tmp_path: Path) -> None:
    script = f"{FIRST_BOT}\nfrom kingdom_builder.arena.tournament import Tournament\nTournament([First, 'random'])\n"
    (tmp_path / "script.py").write_text(script)
    ended = subprocess.run(
        [sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, check=False, env=dict(os.environ)
    )
    assert ended.stderr.splitlines()[-1] == (
        "ValueError: the class First is defined in the script that runs, where worker processes cannot import it: "
        "expected one at the top level of a module; move it to a file such as mybot.py and import it from there"
    )


def test_a_class_in_a_function_is_refused_too() -> None:
    class Local(Plain):
        pass

    with pytest.raises(ValueError, match="the class Local is defined inside a function, where worker processes"):
        Tournament([Local, "random"])


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("py:", "'py:' is not a player: expected a module and a class, as in py:mybot:MyBot"),
        ("py:mybot", "'py:mybot' is not a player: expected a module and a class"),
        ("py:1s:mybot", "'py:1s:mybot' is not a player: expected a module and a class"),
        ("py:no_such_bot:X", "importing no_such_bot failed with ModuleNotFoundError: No module named 'no_such_bot'"),
        (own("Nobody"), f"{__name__} has no class Nobody"),
        (own("ROOT"), "expected a class with a method choose(self, seen)"),
        (own("Idle"), "expected a class with a method choose(self, seen)"),
        (own("own"), "expected a class with a method choose(self, seen)"),
        (own("Demanding"), "the constructor of Demanding: missing a required argument: 'depth'; expected"),
        (f"py:1s:{__name__}:Plain", "Plain takes no budget: expected its name without one"),
        (f"py:0s:{__name__}:Frugal", "'0s' is not a budget for a turn"),
        ("py:kingdom_builder.players.hard:HardPlayer", "HardPlayer: missing a required argument: 'budget'; expected"),
    ],
)
def test_a_wrong_name_is_refused_at_once(name: str, reason: str) -> None:
    with pytest.raises(ValueError, match=re.escape(reason)):
        make_player(name)


def test_a_module_that_cannot_be_imported_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken_bot.py").write_text("1 / 0\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ValueError, match="importing broken_bot failed with ZeroDivisionError: division by zero"):
        make_player("py:broken_bot:Bot")


# ---- never over the network ------------------------------------------------------------------------------------------

HOSTILE = ("py:subprocess:Popen", own("Plain"), "py:1s:os:system", "run:touch here", "run:1s:touch here", "hard:100s")


@pytest.mark.parametrize("level", HOSTILE)
def test_nobody_can_make_the_server_import_or_start_anything(level: str) -> None:
    with pytest.raises(Refusal, match="There is no bot"):
        check_level(level)

    async def test() -> None:
        async with world() as inside:
            seats = [{"kind": "person"}, {"kind": "bot", "level": level}]
            answer = await inside.http.post("/api/tables", json={"seats": seats, "setup": {}})
            assert answer.status_code == 400, answer.text
            assert "There is no bot" in answer.text
            made = await inside.make(2)
            host = await inside.page(made["host"])
            refused = await host.ask(type="reseat", seat=0, level=level)
            assert (refused["type"], refused["refusal"]["code"]) == ("refused", "malformed")

    run_async(test())
