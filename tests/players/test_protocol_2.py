"""Programs that say more than `ready`: they get the map, the others' moves and the result, and may play on."""

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest
from command_line import run
from rich.console import Console

from kingdom_builder import Game, parse_position, parse_record
from kingdom_builder.arena.names import names_in_tables
from kingdom_builder.arena.results import Result, Results, Times
from kingdom_builder.arena.standings import standings
from kingdom_builder.arena.tournament import Tournament
from kingdom_builder.arena.workers import local_workers, play_on
from kingdom_builder.cli.arena import table
from kingdom_builder.hexes import hex_names
from kingdom_builder.message import Refusal
from kingdom_builder.notation import parse_move
from kingdom_builder.players import GuardedPlayer, budget_of, external, kept, make_player, programs, seconds_of
from kingdom_builder.players.programs import Program
from kingdom_builder.rules import Action, Observation, State, observe, turn_of
from kingdom_builder.server.people import check_level

ROOT = Path(__file__).parents[2]

SMALL = "WDDDT/D1DDG/TTGGW/CCFFW(farm) fishermen - 2 C5D4F5G5T4 - 1A/D/3/- 5:::D 5:::T"
TILE = "WDDDT/D1DDG/TTGGW/CCFFW(farm) fishermen - 1 C5D4F5G5T4 - 2A/D/3/- 9:b1,c1,d1:b2:D 9:::T"

LOOP = """
import os, re, sys, time
moves, position, first = [], "", True
def say(text): print(text, flush=True)
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "legal": moves = rest.split()
    if word == "position": position = rest
"""

SOUND = """
    if word in ("kb", "newgame"): say("ready badger newgame")
    if word == "go": say("move " + ([move for move in moves if move != "."] or moves)[0])
    if word == "quit": break
"""


@pytest.fixture
def write_bot(tmp_path: Path) -> Callable[..., str]:
    """Writes a bot and returns its name."""

    def write(code: str, time: str = "10s", file: str = "bot.py") -> str:
        (tmp_path / file).write_text(LOOP + code)
        return f"run:{time}:{sys.executable} {tmp_path / file}"

    return write


@pytest.fixture(autouse=True)
def _no_program_is_left() -> Iterator[None]:
    yield
    kept.end_programs()
    assert not Program.running


class Scripted:
    """Plays certain moves."""

    def __init__(self, moves: str) -> None:
        self.moves = moves.split()

    def choose(self, seen: Observation) -> Action:
        return parse_move(seen.setup, self.moves.pop(0))[0]


def play_to_the_end(game: Game, players: Mapping[int, GuardedPlayer]) -> None:
    """Play a game as the arena does."""

    def decide(state: State) -> Action:
        player = players[state.player]
        player.prepare()
        player.follow(game)
        return player.choose(observe(state, state.player))

    for _ in game.run(decide):
        pass
    for player in players.values():
        player.finish(game)
        player.close()


def guarded(moves: str, monkeypatch: pytest.MonkeyPatch) -> GuardedPlayer:
    player = GuardedPlayer("random")
    monkeypatch.setattr(player, "_player", Scripted(moves))
    return player


# ---- the lines -------------------------------------------------------------------------------------------------------


def test_the_second_session_in_the_documentation_is_what_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (ROOT / "docs" / "bots.md").read_text("utf-8")
    [text] = [block for block in re.findall(r"^```text\n(.*?)^```", page, re.M | re.S) if block.startswith("> kb 1")]
    session = [line.partition(" ")[::2] for line in text.splitlines()]
    heard, bot = tmp_path / "heard.txt", tmp_path / "bot.py"
    bot.write_text(
        f"heard = open({str(heard)!r}, 'w')\n"
        f"for mark, text in {session!r}:\n"
        "    if mark == '>': print(input(), file=heard, flush=True)\n"
        "    else: print(text, flush=True)\n"
    )
    kept.keep_programs()
    program = GuardedPlayer(f"run:{sys.executable} {bot}", 7)
    other = guarded("b3 a3 e1 . d4 c4 .", monkeypatch)
    play_to_the_end(Game.from_position(SMALL, seed=5), {0: program, 1: other})
    assert program.fault is None
    assert program.called == "badger"
    with closing(GuardedPlayer(f"run:{sys.executable} {bot}", 7)) as again:
        again.prepare()
        assert again.fault is None

    def without_times(lines: list[str]) -> list[str]:
        return ["go" if line.startswith("go ") else line for line in lines]

    told = [text for mark, text in session if mark == ">"]
    assert without_times(heard.read_text().splitlines()) == without_times(told)


def test_a_program_that_says_ready_hears_nothing_of_all_that(write_bot: Callable[..., str], tmp_path: Path) -> None:
    heard = tmp_path / "heard.txt"
    code = SOUND.replace("ready badger newgame", "ready") + f"    print(word, file=open({str(heard)!r}, 'a'))\n"
    kept.keep_programs()
    results = [Tournament([write_bot(code), "random"]).play(game) for game in (0, 1)]
    assert [result.faults for result in results] == [[], []]
    words = heard.read_text().split()
    assert set(words) == {"kb", "game", "position", "legal", "go"}
    assert words.count("kb") == 2, "it is started for each game"


def test_the_map_is_that_of_the_board(write_bot: Callable[..., str], tmp_path: Path) -> None:
    heard = tmp_path / "heard.txt"
    code = f"    if word == 'map': open({str(heard)!r}, 'w').write(rest)\n" + SOUND
    result = Tournament([write_bot(code), "random"], sets=("base", "caves"), seed=3).play(0)
    assert result.faults == []
    board = parse_position(result.setup).setup.board
    assert "'" in result.setup.split()[0], "a section is turned"
    rows, _, locations = heard.read_text().partition("(")
    assert rows.split("/") == list(board.map)
    assert "V" in rows
    assert locations.rstrip(")").split(",") == list(board.location_keys)


def test_the_others_moves_are_those_of_the_record(write_bot: Callable[..., str], tmp_path: Path) -> None:
    heard = tmp_path / "heard.txt"
    code = f"    if word in ('played', 'result'): print(line, end='', file=open({str(heard)!r}, 'a'))\n" + SOUND
    tournament = Tournament([write_bot(code), "greedy", "random"], seats=3, sets=("base", "nomads", "crossroads"))
    result = tournament.play(1)
    own = "ABC"[result.players.index(tournament.names[0])]
    assert result.faults == []
    *played, end = heard.read_text().splitlines()
    assert end == "result " + " ".join(f"{seat}={gold}" for seat, gold in zip("ABC", result.gold, strict=True))
    recorded = []
    for line in result.record.splitlines():
        turn, *moves = line.split() or [""]
        decided = [move for move in moves if not move.startswith("=")]
        if re.fullmatch(r"\d+[ABC]", turn) and turn[-1] != own and decided:
            recorded.append(f"played {turn} {' '.join(decided)}")
    assert played == recorded


def test_no_hidden_card_is_in_what_is_sent(write_bot: Callable[..., str]) -> None:
    """The bot crashes if it sees a card in another hand before that seat's turn."""
    code = (
        "    if word == 'game': seat = 'ABC'.index(rest.split()[5])\n"
        "    if word == 'played': assert '=' not in rest, line\n"
        "    if word == 'position':\n"
        "        turn, *seats = rest.split()[6:10]\n"
        "        for other, text in enumerate(seats):\n"
        "            hand = text.split(':')[3]\n"
        "            assert other == seat or set(hand) <= {'?'}, line\n"
    ) + SOUND
    for game in range(3):
        assert Tournament([write_bot(code), "greedy", "greedy"], seats=3).play(game).faults == []


def test_the_last_position_is_over_and_comes_before_the_result(write_bot: Callable[..., str], tmp_path: Path) -> None:
    heard = tmp_path / "heard.txt"
    code = f"    if word == 'result': open({str(heard)!r}, 'w').write(position)\n" + SOUND
    result = Tournament([write_bot(code), "random"]).play(0)
    seen = parse_position(heard.read_text())
    assert seen.over
    assert seen.round == result.rounds


def test_a_program_may_end_after_its_last_turn(write_bot: Callable[..., str]) -> None:
    last = "    if word == 'go' and moves == ['.'] and '!' in position: os.close(0); say('move .'); os._exit(1)\n"
    result = Tournament([write_bot(last + SOUND), "random"]).play(0)
    assert result.faults == []
    assert result.players[1] == "random", "who goes on to play"


# ---- whole turns -----------------------------------------------------------------------------------------------------


def one_answer(write_bot: Callable[..., str], answer: str) -> tuple[str | None, State]:
    """What comes of an answer to the first question; the bot crashes if it is asked again in the same turn."""
    code = (
        "    if word == 'kb': say('ready')\n"
        "    if word == 'go':\n"
        "        assert first\n"
        f"        first = say({'move ' + answer!r})\n"
    )
    state = parse_position(SMALL)
    with closing(GuardedPlayer(write_bot(code))) as bot:
        while not state.awaiting and bot.fault is None:
            state.apply(bot.choose(observe(state, state.player)))
    return bot.fault, state


def test_a_whole_turn_is_one_answer(write_bot: Callable[..., str]) -> None:
    fault, state = one_answer(write_bot, "b1 c1 d1 .")
    assert fault is None
    assert state.own[0].bit_count() == 3


def test_what_stands_behind_a_draw_is_not_played(write_bot: Callable[..., str]) -> None:
    fault, state = one_answer(write_bot, "b1 c1 d1 . d2 d2 d2")
    assert fault is None
    assert state.own[0].bit_count() == 3


def test_a_tile_with_its_steps_is_one_answer(write_bot: Callable[..., str]) -> None:
    answers = "    if word == 'kb': say('ready x')\n    if word == 'go': say('move farm:e2 d2 c2 a2 .')\n"
    with closing(GuardedPlayer(write_bot(answers))) as bot:
        state = parse_position(TILE)
        while not state.awaiting and not state.over:
            state.apply(bot.choose(observe(state, 0)))
    assert bot.fault is None
    assert state.own[0].bit_count() == 7


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("b1 e3 .", "played 'e3', which is not legal: "),
        ("b1 c1 d1 e9 .", "played 'e9', which is not legal"),
        ("b1 c1 .", "played '.', which is not legal: "),
        ("b1 =D", "played '=D', which is not legal"),
        ("b1:c1", "played 'b1:c1', which is not legal"),
        ("", "wrote 'move' instead of 'move ...'"),
    ],
)
def test_of_a_wrong_answer_nothing_is_played(answer: str, reason: str, write_bot: Callable[..., str]) -> None:
    fault, state = one_answer(write_bot, answer)
    assert fault
    assert fault.startswith(reason)
    assert state.own[0].bit_count() == 1, "the stand-in has built, and only once"


def test_a_card_drawn_in_the_middle_of_a_turn_ends_an_answer(write_bot: Callable[..., str]) -> None:
    """With the second build the desert is full and another card is drawn: what was said before no longer counts."""
    code = (
        "    if word == 'kb': say('ready x')\n"
        "    if word == 'go': say('move a1 b1 c1 .' if '1A/D/3/' in position else 'move b2 .')\n"
    )
    state = parse_position("DDGG/GGGG - - - C5D3F5G5T4 - 1A/D/3/- 40:::D 40:::T")
    with closing(GuardedPlayer(write_bot(code))) as bot:
        for _ in range(2):
            state.apply(bot.choose(observe(state, 0)))
        assert state.awaiting
        state.apply(parse_move(state.setup, "=G")[0])
        state.apply(bot.choose(observe(state, 0)))
    assert bot.fault is None
    assert set(hex_names(state.own[0])) == {"a1", "b1", "b2"}


def test_what_stands_behind_the_last_turn_is_not_played(write_bot: Callable[..., str]) -> None:
    """In the game with a silo the last turn ends without a draw, and another seat goes on."""
    code = SOUND.replace("[0])", '[0] + (" nonsense" if moves == ["."] else ""))')
    name = write_bot(code)
    result = Tournament([name, name], sets=("harvest",), seed=1).play(0)
    assert result.faults == []
    states = parse_record(result.record).game(draws=False).states()
    [begins] = [before for before, state in pairwise(states) if turn_of(state).is_finale > turn_of(before).is_finale]
    assert not begins.awaiting


# ---- many games ------------------------------------------------------------------------------------------------------


def starts(tmp_path: Path) -> str:
    """Code of a bot that notes when it is started."""
    return f"    if word == 'kb': print(os.getpid(), file=open({str(tmp_path / 'starts.txt')!r}, 'a'))\n"


def count_of_starts(tmp_path: Path) -> int:
    return len((tmp_path / "starts.txt").read_text().split())


def test_a_program_that_can_is_kept_for_the_next_game(write_bot: Callable[..., str], tmp_path: Path) -> None:
    tournament = Tournament([write_bot(starts(tmp_path) + SOUND), "random"])
    kept.keep_programs()
    results = [tournament.play(game) for game in range(4)]
    assert [result.faults for result in results] == [[]] * 4
    assert [result.called[result.players.index(tournament.names[0])] for result in results] == ["badger"] * 4
    assert count_of_starts(tmp_path) == 1


def test_games_are_the_same_in_a_kept_program(tmp_path: Path) -> None:
    tournament = Tournament([f"run:{sys.executable} {ROOT / 'examples' / 'bot.py'}", "random"])
    anew = [tournament.play(game).record for game in (0, 1, 2)]
    kept.keep_programs()
    assert [tournament.play(game).record for game in (0, 1, 2)] == anew


def test_a_program_that_says_nothing_of_new_games_is_started_for_each(
    write_bot: Callable[..., str], tmp_path: Path
) -> None:
    tournament = Tournament([write_bot(starts(tmp_path) + SOUND.replace("badger newgame", "badger")), "random"])
    kept.keep_programs()
    assert [tournament.play(game).faults for game in (0, 1)] == [[], []]
    assert not Program.running
    assert count_of_starts(tmp_path) == 2


def test_nothing_is_kept_where_nobody_has_asked_for_it(write_bot: Callable[..., str], tmp_path: Path) -> None:
    tournament = Tournament([write_bot(starts(tmp_path) + SOUND), "random"])
    for game in (0, 1):
        tournament.play(game)
        assert not Program.running
    assert count_of_starts(tmp_path) == 2


def test_two_seats_and_two_players_have_programs_of_their_own(write_bot: Callable[..., str], tmp_path: Path) -> None:
    name = write_bot(starts(tmp_path) + SOUND)
    kept.keep_programs()
    for game in (0, 1):
        Tournament([name, name]).play(game)
    assert count_of_starts(tmp_path) == 2
    Tournament([f"other={name}", "random"]).play(0)
    assert count_of_starts(tmp_path) == 3


def test_a_program_that_fails_is_not_kept(write_bot: Callable[..., str], tmp_path: Path) -> None:
    code = starts(tmp_path) + SOUND.replace("if word == 'go'", "").replace(
        'if word == "go": say("move ', 'if word == "go": say("rubbish" if position.split()[6][0] == "3" else "move '
    )
    tournament = Tournament([write_bot(code), "random"])
    kept.keep_programs()
    results = [tournament.play(game) for game in (0, 1)]
    assert [fault.reason for result in results for fault in result.faults] == [
        "wrote 'rubbish' instead of 'move ...'"
    ] * 2
    assert not Program.running
    assert count_of_starts(tmp_path) == 2


def test_a_kept_program_that_ends_loses_its_seat_once(write_bot: Callable[..., str], tmp_path: Path) -> None:
    code = starts(tmp_path) + "    if word == 'newgame': os._exit(4)\n" + SOUND
    tournament = Tournament([write_bot(code), "random"])
    kept.keep_programs()
    faults = [[fault.reason for fault in tournament.play(game).faults] for game in (0, 1, 2)]
    assert faults == [[], ["ended with exit code 4"], []]
    assert count_of_starts(tmp_path) == 2


def test_the_workers_keep_programs_and_end_them(write_bot: Callable[..., str], tmp_path: Path) -> None:
    """At the end they are asked to quit, and have the time for it."""
    quits = f"    if word == 'quit': print('quit', file=open({str(tmp_path / 'quits.txt')!r}, 'a'))\n"
    tournament = Tournament([write_bot(starts(tmp_path) + quits + SOUND), "random"])
    results = Results(str(tournament))
    with local_workers(1) as workers:
        for _ in play_on(tournament, 4, results, workers):
            pass
    assert [result.faults for result in results.games] == [[]] * 4
    assert count_of_starts(tmp_path) == 1
    assert (tmp_path / "quits.txt").read_text() == "quit\n"


def test_kept_programs_that_do_not_quit_are_killed_together(
    write_bot: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "QUIT_SECONDS", 0.1)
    name = write_bot(SOUND.replace("break", "time.sleep(60)"))
    kept.keep_programs()
    Tournament([name, name]).play(0)
    assert len(Program.running) == 2
    kept.end_programs()
    assert not Program.running


# ---- names -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "answer",
    [
        "ready my bot",
        "ready 'x'",
        "ready badger newgames",
        "ready x newgame cpu",
        f"ready {'x' * 31}",
        "Ready",
        "ready -",
    ],
)
def test_a_program_that_introduces_itself_wrongly_loses_its_seat(answer: str, write_bot: Callable[..., str]) -> None:
    with closing(GuardedPlayer(write_bot(f"    if word == 'kb': say({answer!r})\n"))) as bot:
        bot.prepare()
    assert bot.fault == f"wrote {answer!r} instead of 'ready', 'ready NAME' or 'ready NAME newgame'"


def test_tables_show_the_name_on_the_command_line(write_bot: Callable[..., str]) -> None:
    tournament = Tournament([f"mole={write_bot(SOUND, '70ms')}", "slow=hard:9n"])
    result = tournament.play(0)
    assert result.players == ["mole", "slow"]
    assert 'Players "mole | slow"' in result.record
    assert sorted(each.player for each in standings(tournament.names, [result])) == ["mole", "slow"]
    assert {each.player: each.seconds for each in standings(tournament.names, [result])} == {"mole": 0.07, "slow": None}
    assert str(tournament).startswith("mole=run:70ms:")


def test_tables_show_the_name_that_the_program_gives(write_bot: Callable[..., str]) -> None:
    tournament = Tournament([write_bot(SOUND), "random"])
    results = [tournament.play(game) for game in (0, 1)]
    assert results[0].players == tournament.names[:2], "the file says what was played"
    assert sorted(each.player for each in standings(tournament.names, results)) == ["badger", "random"]
    assert [Result.parse(result.line()) for result in results] == results


def test_names_that_would_mislead_are_not_shown(write_bot: Callable[..., str]) -> None:
    first, second = write_bot(SOUND, "1s"), write_bot(SOUND, "2s")
    results = [Tournament([first, second]).play(0)]
    assert names_in_tables(results) == {first: first, second: second}
    greedy = write_bot(SOUND.replace("badger", "greedy"), file="greedy.py")
    assert names_in_tables([Tournament([greedy, "random"]).play(0)])[greedy] == greedy
    named = [f"badger={second}", first]
    assert names_in_tables([Tournament(named).play(0)]) == {"badger": "badger", first: first}


def test_results_without_names_of_programs_can_be_read() -> None:
    line = Tournament(["random", "random"]).play(0).line()
    old = line.replace(',"called":["",""]', "").replace(',"cpu_known":true', "")
    assert len(old) < len(line) - 40
    assert Result.parse(old).times[0].cpu_known
    assert names_in_tables([Result.parse(old)]) == {"random": "random"}


@pytest.mark.parametrize(
    ("players", "reason"),
    [
        (["greedy=run:true", "random"], "'greedy=run:true': greedy is a bot of ours, expected another name"),
        (["a=run:true", "a=random"], "two players are called a: expected a name of its own for each"),
        (["a b=run:true", "random"], "'a b=run:true' is not a player"),
        (["a=", "random"], "'a=' is not a player"),
        (["a=nobody", "random"], "'nobody' is not a player"),
    ],
)
def test_a_wrong_name_on_the_command_line(players: list[str], reason: str) -> None:
    with pytest.raises(ValueError, match=re.escape(reason)):
        Tournament(players)


def test_nobody_can_send_a_named_player_over_the_network() -> None:
    for name in ("x=greedy", "x=run:touch here", "hard:100ms-cpu"):
        with pytest.raises(Refusal, match="There is no bot"):
            check_level(name)


def test_the_tables_of_the_arena_show_names_also_for_faults(
    write_bot: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    name = write_bot(SOUND.replace('if word == "go": say("move ', 'if word == "go": say("'))
    assert run("arena", name, "mole=run:true", "--games", "1", "--cores", "1") == 0
    printed = capsys.readouterr().out
    assert "badger wrote " in printed
    assert "mole ended with exit code 0" in printed
    assert "\nbadger " in printed
    assert str(name) not in printed


# ---- CPU time --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["run:50ms-cpu:mybot", "hard:50ms-cpu", "x=run:50ms-cpu:my", "py:50ms-cpu:module:Class"]
)
def test_a_budget_may_be_cpu_time(name: str) -> None:
    budget = budget_of(name)
    assert budget is not None
    assert budget.is_cpu
    assert budget.seconds == seconds_of(name) == 0.05


def test_what_looks_like_a_budget_in_a_command_is_none() -> None:
    budget = budget_of("run:my-cpu:1s")
    assert budget is not None
    assert (budget.seconds, budget.is_cpu) == (1, False)
    for wrong in ("hard:100ns-cpu", "hard:500n-cpu", "hard:0ms-cpu", "hard:cpu"):
        with pytest.raises(ValueError, match=r"is not a budget for a turn: .* or a CPU time such as 100ms-cpu"):
            make_player(wrong)


only_linux = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nobody tells the CPU time of a program")

WORK = "sum(range(20_000_000))"


@only_linux
@pytest.mark.parametrize(
    "work",
    [
        WORK,
        f"import subprocess; subprocess.run([sys.executable, '-c', {WORK!r}])",
        f"import subprocess; child = subprocess.Popen([sys.executable, '-c', '{WORK}; print(flush=True); input()'], "
        "stdin=-1, stdout=-1, stderr=-3); child.stdout.readline()",
        "import threading; t = threading.Thread(target=lambda: " + WORK + "); t.start(); t.join()",
    ],
)
def test_the_cpu_time_of_a_program_counts_with_what_it_starts(work: str, write_bot: Callable[..., str]) -> None:
    once = "if word == 'go' and re.search(' 2[AB]/./3/', position)"
    busy = SOUND.replace('if word == "go":', f'{once}: {work}\n    if word == "go":')
    lazy = SOUND.replace('if word == "go":', 'if word == "go": time.sleep(0.01)\n    if word == "go":')
    names = [f"busy={write_bot(busy)}", f"lazy={write_bot(lazy, file='lazy.py')}"]
    result = Tournament(names).play(0)
    assert result.faults == []
    working, sleeping = result.times
    assert working.cpu_known
    assert sleeping.cpu_known
    assert 0 < sleeping.cpu < working.cpu / 4
    assert sleeping.cpu < sleeping.wall / 4


@only_linux
def test_cpu_time_is_the_clock_of_a_program_with_such_a_budget(write_bot: Callable[..., str]) -> None:
    """It sleeps for longer than its time and nothing is said; then it works."""
    code = (
        "    if word == 'game': assert rest.endswith('time 100 seat A clock cpu'), line\n"
        "    if word == 'go' and '1A/D/3' in position: assert int(rest) == 100; time.sleep(0.2)\n"
        "    if word == 'go' and '1A/D/2' in position: assert int(rest) > 0; began = time.process_time()\n"
        "    while word == 'go' and '1A/D/2' in position and time.process_time() < began + 0.15: pass\n"
        "    if word == 'go' and '1A/D/1' in position: assert int(rest) == 0\n"
    ) + SOUND
    state = parse_position(SMALL)
    with closing(GuardedPlayer(write_bot(code, "100ms-cpu"))) as bot:
        while not state.awaiting:
            state.apply(bot.choose(observe(state, 0)))
    assert bot.fault is None


def test_with_such_a_budget_only_cpu_time_makes_a_turn_late() -> None:
    times = Times()
    for wall, cpu in ((9.0, 1.1), (9.0, 1.3)):
        times.include(Times.of_turn(wall, cpu, 1.0, is_cpu=True))
    assert (times.turns, times.late, times.late_cpu) == (2, 0, 1)


@only_linux
def test_with_such_a_budget_a_program_that_sleeps_has_stalled_too(
    write_bot: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(external, "CPU_PATIENCE", 15)
    code = "    if word == 'kb': say('ready')\n    if word == 'go': time.sleep(60)\n"
    state = parse_position(SMALL)
    with closing(GuardedPlayer(write_bot(code, "20ms-cpu"))) as bot:
        bot.choose(observe(state, 0))
    assert bot.fault == "did not answer within 0.3 seconds"


def test_without_a_kernel_that_tells_the_cpu_time_is_unknown(
    write_bot: Callable[..., str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(programs, "cpu_seconds", lambda process: None)
    tournament = Tournament([write_bot(SOUND), "random"])
    result = tournament.play(0)
    assert [times.cpu_known for times in result.times] == [False, True]

    Console(width=80).print(table(standings(tournament.names, [result]), ""))
    assert re.search(r"^badger .* \?  .* 0/\? +0", capsys.readouterr().out, re.M)


def test_elsewhere_a_program_cannot_have_a_budget_in_cpu_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(ValueError, match="'run:true' cannot play by CPU time: expected Linux, or a time such as 100ms"):
        make_player("run:50ms-cpu:true")
    make_player("hard:50ms-cpu")


# ---- the log ---------------------------------------------------------------------------------------------------------


def test_the_log_has_all_lines_of_a_game(write_bot: Callable[..., str], tmp_path: Path) -> None:
    log = tmp_path / "said.txt"
    heard = tmp_path / "heard.txt"
    noisy = (
        f"    print(line, end='', file=open({str(heard)!r}, 'a'))\n"
        "    if word == 'go': say('info thinking'); print('hm', file=sys.stderr, flush=True); time.sleep(0.001)\n"
    )
    tournament = Tournament(["random", f"mole={write_bot(noisy + SOUND)}"])
    result = tournament.play(4, str(log))
    assert result.faults == []
    noted = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6} (\d+[AB]) ([=><!]) (.*)")
    lines = [noted.fullmatch(line) for line in log.read_text().splitlines()]
    found = [line.groups() for line in lines if line]
    assert len(found) == len(lines)
    seat = "AB"[result.players.index("mole")]
    assert {place for place, _, _ in found} == {f"4{seat}"}
    assert found[0][1:] == ("=", tournament.names[1])
    read = [text for _, kind, text in found if kind == ">"]
    assert read[:-1] == heard.read_text().splitlines()[:-1]
    assert read[-1] == "quit"
    asked = len([text for text in read if text.startswith("go ")])
    written = [text for _, kind, text in found if kind == "<"]
    assert written[0] == "ready badger newgame"
    assert written[1:3] == ["info thinking", next(text for text in written if text.startswith("move "))]
    assert len(written) == 1 + 2 * asked
    assert ("!", "hm") in [line[1:] for line in found]
    times = [line.split()[0] for line in log.read_text().splitlines()]
    assert times == sorted(times)


def test_the_command_logs_the_games_of_all_workers(write_bot: Callable[..., str], tmp_path: Path) -> None:
    log = tmp_path / "said.txt"
    log.write_text("before\n")
    arguments = ["--games", "6", "--cores", "2", "--bot-log", str(log)]
    assert run("arena", write_bot(SOUND), "random", *arguments) == 0
    first, *lines = log.read_text().splitlines()
    assert first == "before"
    assert {line.split()[1] for line in lines} == {f"{game}{'AB'[game % 2 ^ game // 2 % 2]}" for game in range(6)}
    assert len([line for line in lines if " > result " in line]) == 6


def test_play_logs_too(write_bot: Callable[..., str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "said.txt"
    bots = f"random,mole={write_bot(SOUND)}"
    arguments = ["--humans", "0", "--bots", bots, "--seed", "1", "--position", *SMALL.split(), "--bot-log", str(log)]
    assert run("play", *arguments) == 0
    assert "bots: A random, B mole" in capsys.readouterr().out
    text = log.read_text()
    assert re.search(r" B > map .*\n.* B > played 1A .*\n.* B > position ", text)
    assert re.search(r" B > result A=\d+ B=\d+\n.* B > quit\n$", text)


@pytest.mark.parametrize("command", [["arena", "random", "random"], ["play", "--humans", "0"]])
def test_a_log_that_cannot_be_written_is_told_at_once(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*command, "--bot-log", "/no/such/folder/x.txt") == 2
    assert "/no/such/folder/x.txt: No such file" in capsys.readouterr().err


def test_a_cluster_has_no_log(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run("arena", "random", "random", "--cluster", "x", "--bot-log", str(tmp_path / "x.txt")) == 2
    assert "expected --bot-log without --cluster" in capsys.readouterr().err
