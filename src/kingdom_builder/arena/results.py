"""How games ended, and files of results: one line of JSON for each game."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from math import inf
from pathlib import Path
from typing import Any

LENIENCE = 1.2
"""A turn is late when it takes more than this many times the time in the player's name."""


@dataclass
class Times:
    """The time that a seat took for its turns, in seconds. The turns of a stand-in do not count."""

    turns: int = 0
    wall: float = 0.0
    cpu: float = 0.0
    """CPU time of whatever chose: the bot's program, or our process."""
    longest_wall: float = 0.0
    longest_cpu: float = 0.0
    late: int = 0
    """Turns that took much longer than the player's name says, by the clock."""
    late_cpu: int = 0
    """The same in CPU time, which a busy machine does not change."""
    cpu_known: bool = True
    """Whether the CPU time is known: outside of Linux that of programs is not."""

    @classmethod
    def of_turn(cls, wall: float, cpu: float | None, limit: float | None, is_cpu: bool = False) -> "Times":
        """The time of one turn, which may have a limit: of both clocks, or of CPU time alone."""
        late = inf if limit is None else LENIENCE * limit
        known = cpu or 0.0
        return cls(1, wall, known, wall, known, wall > late and not is_cpu, known > late, cpu is not None)

    def include(self, other: "Times") -> None:
        """Add the times of other turns."""
        self.turns += other.turns
        self.wall += other.wall
        self.cpu += other.cpu
        self.longest_wall = max(self.longest_wall, other.longest_wall)
        self.longest_cpu = max(self.longest_cpu, other.longest_cpu)
        self.late += other.late
        self.late_cpu += other.late_cpu
        self.cpu_known &= other.cpu_known


@dataclass(frozen=True)
class Fault:
    """Why a stand-in took over a seat, and when."""

    seat: int
    turn: str
    reason: str


@dataclass(frozen=True)
class Result:
    """The result of one game of a tournament. Lists are by seat."""

    plan: str
    """The tournament that the game belongs to."""
    game: int
    board: int
    """The number of the board: games on the same board have the same setup and the same draws."""
    seed: int
    setup: str
    """The position before the first card is dealt."""
    players: list[str]
    """What the command line calls them."""
    gold: list[int]
    breakdown: list[dict[str, int]]
    """The gold by card."""
    tiles: list[list[str]]
    """The tiles that were taken, by key."""
    winners: list[int]
    """The seats that won: several seats share a victory."""
    rounds: int
    times: list[Times]
    faults: list[Fault]
    record: str
    called: list[str] = field(default_factory=list)
    """What the programs call themselves; empty for those that do not say it, and for other players."""

    def share(self, seat: int) -> float:
        """A seat's share of the victory."""
        return (seat in self.winners) / len(self.winners)

    def line(self) -> str:
        """The game as a line of JSON."""
        return json.dumps(asdict(self), separators=(",", ":")) + "\n"

    @classmethod
    def parse(cls, line: str) -> "Result":
        fields: dict[str, Any] = json.loads(line)
        fields["times"] = [Times(**times) for times in fields["times"]]
        fields["faults"] = [Fault(**fault) for fault in fields["faults"]]
        return cls(**fields)


def read_results(file: str | Path) -> Iterator[Result]:
    """The games of a file, each once. If the arena was killed, an incomplete last line is skipped."""
    seen = set()
    with Path(file).open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if not line.endswith("\n"):
                return
            try:
                result = Result.parse(line)
            except (ValueError, TypeError, KeyError):
                raise ValueError(
                    f"{file}, line {number}: not the result of a game: expected a file that kb arena wrote"
                ) from None
            if (result.plan, result.game) not in seen:
                seen.add((result.plan, result.game))
                yield result


class Results:
    """The results of one tournament. Games are added as they end, and also written to a file if there is one."""

    def __init__(self, plan: str, path: str | Path | None = None) -> None:
        """Open the file and read the games in it; a file with games of another tournament is refused."""
        self.games: list[Result] = []
        self._file = None
        if path is None:
            return
        path = Path(path)
        if path.exists():
            self.games += read_results(path)
            for result in self.games:
                check_plan(result, plan, str(path))
            with path.open("r+b") as file:
                file.truncate(file.read().rfind(b"\n") + 1)
        self._file = path.open("a", encoding="utf-8")

    def add(self, result: Result) -> None:
        """Add a game; it is on the disk even if this process ends now."""
        self.games.append(result)
        if self._file:
            self._file.write(result.line())
            self._file.flush()

    def close(self) -> None:
        if self._file:
            self._file.close()


def check_plan(result: Result, plan: str, source: str) -> None:
    """Refuse a game of another tournament."""
    if result.plan != plan:
        raise ValueError(f"{source} has games of another tournament ({result.plan}): expected those of this ({plan})")
