"""Bots that are programs of their own: the examples play, and whatever a program does wrong, the game goes on."""

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from build_client import need_node
from processes import is_running, wait_for

from kingdom_builder import parse_position
from kingdom_builder.arena.tournament import Tournament
from kingdom_builder.cli.main import main
from kingdom_builder.hexes import parse_hex
from kingdom_builder.message import Refusal
from kingdom_builder.players import GuardedPlayer, Player, external, make_player, programs, seconds_of
from kingdom_builder.players.external import ExternalPlayer
from kingdom_builder.players.programs import Program
from kingdom_builder.rules import State, observe
from kingdom_builder.server.people import check_level

ROOT = Path(__file__).parents[2]
POSITION = "DDDD/D1DG/DDGG/CCCC(farm) fishermen - 2 C5D4F5G5T4 - 1A/D/3/- 40:::D 40:::T"

LOOP = "import sys, time, os\nfor line in sys.stdin:\n word = line.split()[0]\n"
READY = LOOP + " if word == 'kb': print('ready', flush=True)\n"


def start() -> State:
    return parse_position(POSITION)


@pytest.fixture
def write_bot(tmp_path: Path) -> Callable[..., str]:
    """Writes a bot and returns its name."""

    def write(code: str, time: str = "1s") -> str:
        (tmp_path / "bot.py").write_text(code)
        return f"run:{time}:{sys.executable} {tmp_path / 'bot.py'}"

    return write


@pytest.fixture(autouse=True)
def _no_program_is_left(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """After each test all programs have ended, and not as zombies."""
    started: list[Program] = []
    start_program = Program.__init__

    def remember(program: Program, arguments: list[str]) -> None:
        started.append(program)
        start_program(program, arguments)

    monkeypatch.setattr(Program, "__init__", remember)
    yield
    assert not Program.running
    assert all(program._process.returncode is not None for program in started)


def one_turn(bot: GuardedPlayer, state: State) -> None:
    """Let a bot play until its turn is over."""
    while not state.awaiting and not state.over:
        state.apply(bot.choose(observe(state, state.player)))


# ---- bots that play by the rules -------------------------------------------------------------------------------------


def example(language: str) -> str:
    if language == "python":
        return f"run:{sys.executable} {ROOT / 'examples' / 'bot.py'}"
    return f"run:{need_node().node} {ROOT / 'examples' / 'bot.js'}"


@pytest.mark.parametrize("language", ["python", "javascript"])
def test_the_example_plays_a_whole_game_and_can_repeat_it(language: str) -> None:
    tournament = Tournament([example(language), "random"], sets=("base", "nomads"))
    first, again = tournament.play(0), tournament.play(0)
    assert first.faults == []
    assert first.record == again.record
    assert first.times[0].turns == first.rounds
    assert first.times[0].wall > 0


def test_the_session_in_the_documentation_is_what_is_said(write_bot: Callable[..., str], tmp_path: Path) -> None:
    page = (ROOT / "docs" / "bots.md").read_text("utf-8")
    session = re.findall(r"^    ([<>]) (.*)$", page, re.MULTILINE)
    assert session[0] == (">", "kb 1")
    heard = tmp_path / "heard.txt"
    name = write_bot(
        f"session = {session!r}\n"
        f"heard = open({str(heard)!r}, 'w')\n"
        "for mark, text in session:\n"
        "    if mark == '>': print(input(), file=heard, flush=True)\n"
        "    else: print(text, flush=True)\n"
    )
    bot = GuardedPlayer(name.replace("1s:", ""), 7)
    one_turn(bot, start())
    bot.close()
    assert bot.fault is None

    def without_times(lines: list[str]) -> list[str]:
        return ["go" if line.startswith("go ") else line for line in lines]

    told = [text for mark, text in session if mark == ">"]
    assert without_times(heard.read_text().splitlines()) == without_times(told)


def test_the_bot_sees_no_hidden_card(write_bot: Callable[..., str]) -> None:
    """It crashes if there is a card in the hand of the other seat."""
    name = write_bot(
        READY
        + " if word == 'position': assert line.strip().endswith(' 40:::?'), line\n"
        + " if word == 'legal': moves = line.split()[1:]\n"
        + " if word == 'go': print('move', moves[0], flush=True)\n"
    )
    bot = GuardedPlayer(name)
    one_turn(bot, start())
    bot.close()
    assert bot.fault is None


def test_the_time_that_is_left_shrinks_and_comes_back_with_the_next_turn(write_bot: Callable[..., str]) -> None:
    """The bot crashes if it reads anything else."""
    name = write_bot(
        READY
        + " if word == 'game': total, turn = int(line.split()[4]), ''\n"
        + " if word == 'position': before, turn = turn, line.split()[7].split('/')[0]\n"
        + " if word == 'legal': moves = line.split()[1:]\n"
        + " if word == 'go':\n"
        + "  now = int(line.split()[1])\n"
        + "  assert now == total if turn != before else now < left, (now, turn)\n"
        + "  left = now\n"
        + "  time.sleep(0.002)\n"
        + "  print('move', moves[0], flush=True)\n",
    )
    assert Tournament([name, "random"]).play(0).faults == []


@pytest.mark.parametrize(
    ("name", "seconds"),
    [("run:mybot", 1), ("run:50ms:mybot", 0.05), ("run:2.5s:mybot --x:1s", 2.5), ("run:my:bot", 1)],
)
def test_the_name_of_a_program_may_give_its_time(name: str, seconds: float) -> None:
    assert seconds_of(name) == seconds


def test_the_names_of_levels_give_their_time_too() -> None:
    names = ("hard", "hard:50ms", "expert", "hard:500n", "greedy", "random")
    assert [seconds_of(name) for name in names] == [0.1, 0.05, 1, None, None, None]


# ---- bots that do not ------------------------------------------------------------------------------------------------

MISBEHAVIOUR = {
    "crashes at the start": ("import nothing_of_this_name", "exit code 1: ModuleNotFoundError: No module named"),
    "ends at the start": ("", "ended with exit code 0"),
    "crashes when asked": (READY + " if word == 'go': 1 / 0\n", "exit code 1: ZeroDivisionError: division by zero"),
    "ends when asked": (READY + " if word == 'go': os._exit(3)\n", "ended with exit code 3"),
    "is killed": (READY + " if word == 'go': os.kill(os.getpid(), 9)\n", "ended with exit code -9"),
    "writes rubbish at the start": (
        "print('Hello!', flush=True); input(); input()",
        "wrote 'Hello!' instead of 'ready'",
    ),
    "writes rubbish": (READY + " if word == 'go': print('I pass', flush=True)\n", "wrote 'I pass' instead of 'move"),
    "writes bytes": (
        READY + " if word == 'go': os.write(1, b'\\xff\\x00\\n')\n",
        "instead of 'move",
    ),
    "plays an illegal move": (READY + " if word == 'go': print('move d4', flush=True)\n", "played 'd4', which is not"),
    "plays a draw": (READY + " if word == 'go': print('move =D', flush=True)\n", "played '=D', which is not legal"),
    "writes without end": (
        READY + " if word == 'go':\n  while True: os.write(1, b'x' * 60000)\n",
        "wrote more than 1000000 bytes",
    ),
    "remarks without end": (
        READY + " if word == 'go':\n  while True: os.write(1, b'info x\\n' * 9000)\n",
        "wrote more than 1000000 bytes",
    ),
    "closes its output": (
        READY + " if word == 'go': os.close(1); os.close(2); time.sleep(60)\n",
        "closed its output",
    ),
    "closes its input": (
        READY + " if word == 'game': os.close(0); os.close(1); os._exit(0)\n",
        "ended with exit code 0",
    ),
}


@pytest.mark.parametrize("what", MISBEHAVIOUR)
def test_the_stand_in_goes_on_when_a_bot(what: str, write_bot: Callable[..., str]) -> None:
    code, reason = MISBEHAVIOUR[what]
    bot = GuardedPlayer(write_bot(code))
    state = start()
    one_turn(bot, state)
    assert bot.fault
    assert reason in bot.fault
    assert state.own[0].bit_count() == 3, "the stand-in has built"


def test_a_bot_that_says_too_much_on_its_error_output_is_not_held_up(write_bot: Callable[..., str]) -> None:
    name = write_bot(
        READY
        + " if word == 'legal': moves = line.split()[1:]\n"
        + " if word == 'go': os.write(2, b'thinking\\n' * 100000); print('move', moves[0], flush=True)\n",
        "10s",
    )
    bot = GuardedPlayer(name)
    one_turn(bot, start())
    bot.close()
    assert bot.fault is None


def test_a_bot_that_stalls(write_bot: Callable[..., str]) -> None:
    bot = GuardedPlayer(write_bot(READY + " if word == 'go': time.sleep(60)\n", "20ms"))
    one_turn(bot, start())
    assert bot.fault == "did not answer within 0.2 seconds"


def test_a_bot_that_never_gets_ready(write_bot: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(external, "START_SECONDS", 0.1)
    bot = GuardedPlayer(write_bot("import time; time.sleep(60)"))
    one_turn(bot, start())
    assert bot.fault == "did not answer within 0.1 seconds"


def test_a_bot_that_does_not_quit_is_ended_with_its_children(
    write_bot: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "QUIT_SECONDS", 0.1)
    child = tmp_path / "child.txt"
    bot = GuardedPlayer(
        write_bot(
            "import signal, subprocess, sys\n"
            "child = subprocess.Popen(['sleep', '60'])\n"
            f"open({str(child)!r}, 'w').write(str(child.pid))\n"
            "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
            "for line in sys.stdin:\n"
            " if line == 'kb 1\\n': print('ready', flush=True)\n"
            "while True: signal.pause()\n"
        )
    )
    bot.prepare()
    assert bot.fault is None
    bot.close()
    wait_for(lambda: not is_running(int(child.read_text())))


def test_the_result_says_why_a_stand_in_plays(write_bot: Callable[..., str]) -> None:
    """The bot plays its first turn and crashes in the second; the game goes on to its end."""
    name = write_bot(
        READY
        + " if word == 'position': assert ' 2A/' not in line\n"
        + " if word == 'legal': moves = line.split()[1:]\n"
        + " if word == 'go': print('move', moves[0], flush=True)\n"
    )
    result = Tournament([name, "random"]).play(0)
    [fault] = result.faults
    assert (fault.seat, fault.turn) == (0, "2A")
    assert "exit code 1: AssertionError" in fault.reason
    assert result.rounds > 5
    assert result.times[0].turns == 1, "the turns of the stand-in are not the bot's"


class Illegal:
    def choose(self, seen: State) -> int:
        return parse_hex("a4")


class Broken:
    def choose(self, seen: State) -> int:
        raise ZeroDivisionError("division by zero")


@pytest.mark.parametrize(
    ("player", "fault"),
    [
        (Illegal(), "chose a4, which is not legal"),
        (Broken(), "failed with ZeroDivisionError: division by zero"),
    ],
)
def test_a_player_of_ours_that_fails_is_replaced_too(
    player: Player, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = GuardedPlayer("random")
    monkeypatch.setattr(bot, "_player", player)
    state = start()
    one_turn(bot, state)
    assert bot.fault == fault
    assert state.own[0].bit_count() == 3


# ---- names and places ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("run:", "'run:' is not a player: expected a command"),
        ("run:1s:", "'run:' is not a player: expected a command"),
        ("run:no-such-program x", "'run:no-such-program x' is not a player: there is no program 'no-such-program'"),
        ("run:python 'bot.py", "No closing quotation"),
        ("run:0ms:python bot.py", "'0ms' is not a budget"),
    ],
)
def test_a_wrong_name_is_reported_at_once(name: str, reason: str) -> None:
    with pytest.raises(ValueError, match=re.escape(reason)):
        make_player(name)


def test_making_a_player_starts_nothing(tmp_path: Path) -> None:
    assert isinstance(make_player(f"run:touch {tmp_path / 'here'}"), ExternalPlayer)
    assert not (tmp_path / "here").exists()


def test_the_terminal_says_why_a_stand_in_plays(
    write_bot: Callable[..., str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = iter(["a1 b1 c1 .", "quit"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(lines))
    name = write_bot(READY + " if word == 'go': print('move z9', flush=True)\n")
    with pytest.raises(SystemExit):
        main(["play", "--bots", name, "--position", POSITION, "--seed", "1"])
    said = " ".join(capsys.readouterr().out.split())
    assert "The bot of B played 'z9', which is not legal: another plays on for it." in said


def test_nobody_can_make_the_server_start_a_program() -> None:
    with pytest.raises(Refusal, match="There is no bot"):
        check_level("run:touch here")
