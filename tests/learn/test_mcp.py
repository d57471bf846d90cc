"""The MCP server, as a client of the library sees it that starts `kb mcp`."""

import os
import re
import sys
import time
from collections.abc import Awaitable, Callable
from itertools import chain
from typing import Any

import anyio
import pytest
from mcp import StdioServerParameters
from mcp.client import Client
from mcp.server.mcpserver.exceptions import UnexpectedToolError

from kingdom_builder.cli.main import main
from kingdom_builder.learn.mcp_server import MOST_GAMES, make_server
from kingdom_builder.learn.text import TextGame

SHORT = "GGDDTT/G1DWTG/GKDDGG/TTTTGG(farm) fishermen,knights - 2 C5D4F5G5T4 - 1A/D/3/- 4:::D 4:::T"
"""A short game on a small map: A has desert to build on, B has forest."""

Call = Callable[..., Awaitable[tuple[str, bool]]]
"""Calls a tool: the text of its answer, and whether it is an error."""


def legal_in(text: str) -> list[str]:
    """The legal moves as a language model would read them."""
    lines = text.partition("Legal moves")[2].splitlines()[1:]
    hexes = [line.rpartition(": ")[2].split() for line in lines if line.startswith(("- build on", "- choose for"))]
    return [*chain.from_iterable(hexes), *re.findall(r"^- (\S+) (?:uses|plays|ends)", text, re.MULTILINE)]


def with_client(talk: Callable[[Client, Call], Awaitable[None]]) -> None:
    """Start `kb mcp` in a process of its own and talk to it."""

    async def run() -> None:
        arguments = ["-W", "error", "-m", "kingdom_builder", "mcp"]
        command = StdioServerParameters(command=sys.executable, args=arguments, env=dict(os.environ))
        with anyio.fail_after(60):
            async with Client(command) as client:

                async def call(tool: str, **arguments: Any) -> tuple[str, bool]:
                    answer = await client.call_tool(tool, arguments)
                    return "\n".join(str(getattr(part, "text", "")) for part in answer.content), bool(answer.is_error)

                await talk(client, call)

    anyio.run(run)


def test_a_game_is_played_to_the_end() -> None:
    async def talk(client: Client, call: Call) -> None:
        text, failed = await call("new_game", position=SHORT, seed=1, opponents=["random"])
        assert not failed
        assert text.startswith("Game g1, seed 1.\nYou are seat A of 2. Seat B is played by random.\n")
        assert "- Knights (knights): 2 gold for each of your settlements" in text
        turns = 0
        while "The game is over" not in text:
            text, failed = await call("play", game="g1", moves=legal_in(text)[0])
            assert not failed
            turns += 1
            assert turns < 60
        assert re.search(r"The game is over: [AB]( and B)? wins?\.", text)
        assert await call("legal_moves", game="g1") == (
            f"{re.findall('The game is over.*', text)[0]}\nNo legal moves: the game is over.",
            False,
        )
        assert (await call("end", game="g1"))[0].startswith("Game g1 is closed.\nThe game is over: ")
        assert await call("scores", game="g1") == ("No game 'g1': expected new_game first.", True)

    with_client(talk)


def test_all_questions_have_answers() -> None:
    async def talk(client: Client, call: Call) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert sorted(tools) == sorted(
            ["new_game", "rules", "position", "legal_moves", "play", "why_not", "scores", "undo", "hint", "end"]
        )
        assert all(tool.description for tool in tools.values())
        assert client.server_info is not None
        assert client.server_info.name == "kingdom-builder"

        await call("new_game", first=True, players=3, seed=4, seat="B", opponents=["greedy", "easy"])
        text, _ = await call("position", game="g1")
        assert text.startswith("Position: tavern/paddock/oasis/farm fishermen,knights,merchants - ")
        assert "    a b c d e f g h i j k l m n o p q r s t   Round 1, B to play\n" in text
        moves = legal_in((await call("legal_moves", game="g1"))[0])
        assert await call("why_not", game="g1", move=moves[0]) == (f"'{moves[0]}' is legal now.", False)
        text, _ = await call("why_not", game="g1", move=".")
        assert text.startswith("First build 3 settlements on ")
        text, failed = await call("undo", game="g1")
        assert (text, failed) == ("Nothing to undo in this turn: a drawn card cannot be taken back.", True)
        text, _ = await call("play", game="g1", moves=moves[0])
        assert f"B builds on {moves[0]}" in text
        assert (await call("scores", game="g1"))[0].count(" gold\n") == 3
        text, _ = await call("undo", game="g1", whole_turn=True)
        assert text.startswith("Taken back.\nPosition: ")
        assert sorted(legal_in(text)) == sorted(moves)
        text, _ = await call("hint", game="g1")
        hints = text.splitlines()
        assert len(hints) == 3
        assert all(" gold; " in hint for hint in hints)
        text, _ = await call("play", game="g1", moves=hints[0].split(": about ")[0])
        assert "C begins turn 1 with " in text
        assert "Round 2, seat B plays." in text
        assert (await call("rules", game="g1"))[0].startswith("You are seat B of 3.")

    with_client(talk)


def test_wrong_arguments_are_refused_in_a_sentence() -> None:
    async def talk(_: Client, call: Call) -> None:
        for tool, arguments, problem in (
            ("play", {"game": "g7", "moves": "k7"}, "No game 'g7': expected new_game first."),
            ("play", {"game": "g1"}, "The argument moves of play: field required."),
            ("new_game", {"players": "many"}, "The argument players of new_game: input should be a valid integer"),
            (
                "new_game",
                {"opponents": [5] * 1000},
                "The argument opponents.0 of new_game: input should be a valid str",
            ),
            ("new_game", {"players": 6}, "6 players: expected 2 to 5."),
            ("new_game", {"sets": ["chess"]}, "Unknown set 'chess': expected some of base, nomads"),
            ("new_game", {"opponents": ["run:touch /tmp/x"]}, "No bot 'run:touch /tmp/x': expected one of random"),
            ("new_game", {"opponents": ["hard:1000s"]}, "No bot 'hard:1000s': expected one of random"),
            ("new_game", {"opponents": []}, "0 opponents: expected 1 to 4 names."),
            ("new_game", {"seat": "C"}, "Seat 2: expected 0 to 1."),
            ("new_game", {"seat": "Z"}, "Seat 'Z': expected A, B, C, D or E."),
            ("new_game", {"position": "x" * 5001}, "A position of 5001 characters: expected at most 5000."),
            ("new_game", {"position": "first"}, "Column 6: 1 field: expected board, cards"),
            ("dance", {}, "Unknown tool: dance."),
        ):
            text, failed = await call(tool, **arguments)
            assert failed, tool
            assert text.startswith(problem)
            assert "\n" not in text
            assert len(text) < 300
        text, failed = await call("new_game", seed=1)
        assert (text.splitlines()[0], failed) == ("Game g1, seed 1.", False)

    with_client(talk)


def test_several_games_go_on_at_once_up_to_a_limit() -> None:
    async def talk(_: Client, call: Call) -> None:
        for number in range(MOST_GAMES):
            text, failed = await call("new_game", position=SHORT, seed=number)
            assert not failed
        text, failed = await call("new_game", position=SHORT)
        assert failed
        assert text.startswith("20 games are open, which is the most: end one of g1, g2, ")
        await call("play", game="g3", moves="c1")
        assert "Build 3 settlements" in (await call("legal_moves", game="g4"))[0]
        assert "Build 2 more" in (await call("legal_moves", game="g3"))[0]
        await call("end", game="g3")
        text, failed = await call("new_game", position=SHORT)
        assert text.startswith("Game g21, seed ")
        assert not failed

    with_client(talk)


def test_calls_at_the_same_time_are_carried_out_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library carries out each call in a thread of its own."""
    server = make_server()
    under_way: list[str] = []
    most = 0

    def play(_: TextGame, moves: str) -> None:
        nonlocal most
        under_way.append(moves)
        most = max(most, len(under_way))
        time.sleep(0.02)
        under_way.remove(moves)

    async def run() -> None:
        await server.call_tool("new_game", {"position": SHORT})
        monkeypatch.setattr(TextGame, "play", play)
        async with anyio.create_task_group() as group:
            for move in ("c1", "c2", "c3"):
                group.start_soon(server.call_tool, "play", {"game": "g1", "moves": move})

    anyio.run(run)
    assert most == 1


def test_a_crash_is_told_without_its_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    server = make_server()

    def crash(_: TextGame) -> str:
        raise RuntimeError("secret")

    async def run() -> None:
        await server.call_tool("new_game", {"position": SHORT})
        monkeypatch.setattr(TextGame, "scores", crash)
        with pytest.raises(UnexpectedToolError, match=r"^Error executing tool scores\.$"):
            await server.call_tool("scores", {"game": "g1"})

    anyio.run(run)


def test_without_the_library_the_command_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delitem(sys.modules, "kingdom_builder.learn.mcp_server")
    monkeypatch.setitem(sys.modules, "mcp.server.mcpserver", None)
    with pytest.raises(SystemExit) as ended:
        main(["mcp"])
    assert ended.value.code == 2
    assert capsys.readouterr().err == "kb mcp: the library mcp is missing: pip install 'kingdom-builder[mcp]'\n"
