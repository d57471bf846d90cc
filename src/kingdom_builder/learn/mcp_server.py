"""An MCP server over standard input and output, with which a language model plays. Needs the extra `mcp`.

`kb mcp` runs it. It plays only bots of ours: the name of a program would let a model run commands.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from importlib.metadata import version
from random import Random, SystemRandom
from threading import Lock
from typing import Annotated, Any, ParamSpec

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult, InputRequiredResult
from pydantic import Field, ValidationError

from kingdom_builder.content import ALL_SETS, first_game, random_setup
from kingdom_builder.learn.games import read_start
from kingdom_builder.learn.text import MOST_MOVES, TextGame
from kingdom_builder.message import SEATS, quoted, sentence
from kingdom_builder.players import LEVELS
from kingdom_builder.rules import Setup, State

MOST_GAMES = 20
LONGEST_POSITION = 5000
"""Characters of a position: the longest of a real game has a third of it."""

INSTRUCTIONS = """\
Play the board game Kingdom Builder against bots. new_game explains the rules in play and gives the id of the game. \
play makes your moves, and the bots answer. Ask why_not about a move that you expected to be legal."""

GameId = Annotated[str, Field(description="The id that new_game gave, such as g1")]
P = ParamSpec("P")


class OpenGames:
    """The games that are being played, by id."""

    def __init__(self) -> None:
        self._games: dict[str, TextGame] = {}
        self._begun = 0
        self._lock = Lock()

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Nobody else plays meanwhile: the library carries out calls in threads of their own."""
        with self._lock:
            yield

    def find(self, name: str) -> TextGame:
        if name not in self._games:
            raise ValueError(f"no game {quoted(name)}: expected {' or '.join(self._games) or 'new_game first'}")
        return self._games[name]

    def check_room(self) -> None:
        """Raise ValueError if no further game may begin."""
        if len(self._games) >= MOST_GAMES:
            names = ", ".join(self._games)
            raise ValueError(f"{MOST_GAMES} games are open, which is the most: end one of {names}")

    def add(self, game: TextGame) -> str:
        """Keep a new game; returns its id."""
        self._begun += 1
        name = f"g{self._begun}"
        self._games[name] = game
        return name

    def remove(self, name: str) -> TextGame:
        game = self.find(name)
        del self._games[name]
        game.close()
        return game


class GameServer(MCPServer):
    """A server whose refusals are one sentence each."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            raise type(error)(_in_a_sentence(name, error)) from error.__cause__


def _in_a_sentence(name: str, error: ToolError) -> str:
    """What was wrong; of several wrong arguments only the first."""
    cause = error.__cause__
    if isinstance(cause, ValidationError):
        wrong = cause.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, wrong["loc"]))
        return sentence(f"the argument {place} of {name}: {wrong['msg'][:1].lower()}{wrong['msg'][1:]}")
    return sentence(str(error).removeprefix(f"Error executing tool {name}: "))


def make_server() -> MCPServer:
    """The server with its tools and no game yet."""
    server = GameServer(
        "kingdom-builder",
        title="Kingdom Builder",
        instructions=INSTRUCTIONS,
        version=version("kingdom-builder"),
        log_level="WARNING",
    )
    games = OpenGames()

    def tool(work: Callable[P, str]) -> Callable[P, str]:
        """Offer a function as a tool. Whatever it refuses is told in a sentence, and nobody else plays meanwhile."""

        @wraps(work)
        def guarded(*arguments: P.args, **named: P.kwargs) -> str:
            with games.locked():
                try:
                    return work(*arguments, **named)
                except ValueError as error:
                    raise ToolError(sentence(str(error))) from error

        server.add_tool(guarded, structured_output=False)
        return work

    @tool
    def new_game(
        players: Annotated[int, Field(description="Seats, 2 to 5")] = 2,
        opponents: Annotated[
            list[str], Field(description=f"Bots for the other seats in turn, of {', '.join(LEVELS)}")
        ] = ["greedy"],  # noqa: B006 - never changed; the schema shows it as the default
        sets: Annotated[list[str], Field(description=f"Boxes in use, of {', '.join(ALL_SETS)}")] = ["base"],  # noqa: B006
        seat: Annotated[str, Field(description="Your seat, A to E; A begins")] = "A",
        first: Annotated[bool, Field(description="The board and cards that the rulebook recommends at first")] = False,
        position: Annotated[str, Field(description="Begin from this position instead; hidden cards are dealt")] = "",
        seed: Annotated[int | None, Field(description="The same seed gives the same game; random without one")] = None,
    ) -> str:
        """Begin a game against bots: its id, the rules in play, and your first legal moves."""
        games.check_room()
        seed = SystemRandom().randrange(1_000_000) if seed is None else seed
        rng = Random(f"mcp {seed}")
        start = _start(players, sets, first, position, rng)
        game = TextGame(start, _seat(seat), _levels(opponents), rng)
        name = games.add(game)
        return _joined(f"Game {name}, seed {seed}.", game.introduction(), game.news(), game.view())

    @tool
    def rules(game: GameId) -> str:
        """How to play, and what is printed on the cards and tiles of a game."""
        return games.find(game).introduction()

    @tool
    def position(game: GameId) -> str:
        """The position as a line and as a board drawn with characters, and what to choose now."""
        played = games.find(game)
        return _joined(played.position(), played.board())

    @tool
    def legal_moves(game: GameId) -> str:
        """Your legal moves, with what they mean and what they bring at once."""
        played = games.find(game)
        return _joined(played.prompt(), played.legal_moves())

    @tool
    def play(
        game: GameId,
        moves: Annotated[
            str,
            Field(description=f"Moves with spaces between, such as `k7 k8 k9 .`; at most {MOST_MOVES} of your turn"),
        ],
    ) -> str:
        """Play one move or several of your turn. When it is over the bots play, and you see what they did.

        If a move is not legal, the moves before it stay played, and the answer says why.
        """
        played = games.find(game)
        problem = played.play(moves)
        return _joined(problem, played.news(), played.view())

    @tool
    def why_not(
        game: GameId, move: Annotated[str, Field(description="A move that you expected to be legal, such as k7")]
    ) -> str:
        """Why a move is not legal now, in one sentence."""
        return games.find(game).why_not(move)

    @tool
    def scores(game: GameId) -> str:
        """The gold of each seat now, by card, with the hexes that pay."""
        return games.find(game).scores()

    @tool
    def undo(
        game: GameId, whole_turn: Annotated[bool, Field(description="As much of your turn as possible")] = False
    ) -> str:
        """Take back your last action. Nothing can be taken back behind a drawn card or another seat's move."""
        played = games.find(game)
        played.undo(whole_turn=whole_turn)
        return _joined("Taken back.", played.view())

    @tool
    def hint(game: GameId) -> str:
        """A few good turns with the gold to expect at the end, and reasons. No hidden card is used."""
        return games.find(game).hints()

    @tool
    def end(game: GameId) -> str:
        """Leave a game for good, over or not; which makes room for another. Returns the last scores."""
        played = games.remove(game)
        return _joined(f"Game {game} is closed.", played.prompt() if played.over else None, played.scores())

    return server


def _joined(*parts: str | None) -> str:
    return "\n".join(filter(None, parts))


def _start(players: int, sets: list[str], first: bool, position: str, rng: Random) -> Setup | State:
    if len(position) > LONGEST_POSITION:
        raise ValueError(f"a position of {len(position)} characters: expected at most {LONGEST_POSITION}")
    if position:
        return read_start(position, rng)
    if not 2 <= players <= 5:
        raise ValueError(f"{players} players: expected 2 to 5")
    if first:
        return first_game(players)
    for key in sets:
        if key not in ALL_SETS:
            raise ValueError(f"unknown set {quoted(key)}: expected some of {', '.join(ALL_SETS)}")
    return random_setup(rng, players, sets=list(dict.fromkeys(sets)))


def _seat(letter: str) -> int:
    if len(letter) != 1 or letter not in SEATS:
        raise ValueError(f"seat {quoted(letter)}: expected A, B, C, D or E")
    return SEATS.index(letter)


def _levels(names: list[str]) -> list[str]:
    for name in names:
        if name not in LEVELS:
            raise ValueError(f"no bot {quoted(name)}: expected one of {', '.join(LEVELS)}")
    if not 1 <= len(names) <= len(SEATS) - 1:
        raise ValueError(f"{len(names)} opponents: expected 1 to 4 names")
    return names
