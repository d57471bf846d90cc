"""Data sets: the decisions of finished games as parquet, one row each, or as episodes of Minari."""

import json
import os
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from hashlib import sha256
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from kingdom_builder.arena.ratings import Interval, elo
from kingdom_builder.arena.ratings import pair_points as points_of
from kingdom_builder.arena.results import Result, read_results
from kingdom_builder.arena.tournament import Tournament
from kingdom_builder.encoding import VERSION, Encoder, check_version
from kingdom_builder.game import Ply
from kingdom_builder.learn.games import rewards
from kingdom_builder.learn.splits import split, split_names
from kingdom_builder.notation import action_text, parse_record, position_of
from kingdom_builder.rules import DRAWN, observe

FORMAT = 1
"""The version of the columns."""

METADATA = "kingdom_builder"
"""The key of the metadata of a file: a JSON object with format, encoding and ratings."""

SHARD_GAMES = 500
"""Games in each file of a large data set. Only one file at a time is in memory."""

PLAN, DATASHEET, FILES = "plan.json", "README.md", "data"
"""What a folder has: what was planned and what is done, the datasheet, and a folder with the files of games."""

IN_ADVANCE = 2
"""The number of games that wait for each worker."""

_NAME = pa.dictionary(pa.int32(), pa.string())

COLUMNS: dict[str, tuple[pa.DataType, str]] = {
    "tournament": (_NAME, "a hash of the plan that the game belongs to"),
    "game": (pa.int64(), "the number of the game in its tournament"),
    "board": (pa.int64(), "the number of its board; games on one board have the same setup and draws"),
    "decision": (pa.int32(), "the number of the decision in its game"),
    "round": (pa.int32(), "the round, from 1"),
    "setup": (_NAME, "the position before the first card is dealt"),
    "sections": (pa.list_(pa.string()), "the sections of the board; `'` is one that is turned; none for a map"),
    "cards": (pa.list_(pa.string()), "the scoring cards and tasks"),
    "seats": (pa.int8(), "the number of players"),
    "seat": (pa.int8(), "the seat that decides"),
    "player": (_NAME, "who plays the seat"),
    "elo": (pa.float32(), "the rating of the player in this data set; empty if it met nobody else"),
    "position": (pa.string(), "the position as the seat sees it"),
    "legal": (pa.list_(pa.int16()), "the legal actions, as numbers of the encoding"),
    "action": (pa.int16(), "the action that was chosen, as a number of the encoding"),
    "action_text": (pa.string(), "the same in notation"),
    "gold": (pa.list_(pa.int16()), "the gold at the end, by seat"),
    "paid_by": (pa.list_(pa.string()), "everything that pays, by key"),
    "gold_by_card": (pa.list_(pa.list_(pa.int16())), "the gold at the end by seat, then in the order of `paid_by`"),
    "share": (pa.float32(), "the seat's share of the victory"),
    **{f"split_{name}": (_NAME, f"the part of the split {name}: train, test or empty") for name in split_names()},
}
"""The columns, each with its type and what it means."""

SCHEMA = pa.schema([pa.field(name, kind) for name, (kind, _) in COLUMNS.items()])

Row = dict[str, Any]
Ratings = Mapping[str, tuple[float, Interval]]


# ---- one game --------------------------------------------------------------------------------------------------------


def decisions(result: Result) -> list[Ply]:
    """The decisions of a game in order, each with the state before it. Draws are left out."""
    plies = parse_record(result.record).game().plies
    return [ply for ply in plies if ply.action not in DRAWN and not ply.state.awaiting]


def rows_of(result: Result, ratings: Ratings | None = None) -> Iterator[Row]:
    """The rows of a game: one for each decision."""
    plies = decisions(result)
    if not plies:
        return
    setup = plies[0].state.setup
    encoder = Encoder(setup)
    paid_by = list(result.breakdown[0])
    of_game: Row = {
        "tournament": sha256(result.plan.encode()).hexdigest()[:16],
        "game": result.game,
        "board": result.board,
        "setup": result.setup,
        "sections": [str(place) for place in setup.board.placed],
        "cards": [card.key for card in (*setup.cards, *setup.tasks)],
        "seats": setup.players,
        "gold": result.gold,
        "paid_by": paid_by,
        "gold_by_card": [[gold.get(key, 0) for key in paid_by] for gold in result.breakdown],
        **{f"split_{name}": split(name).side_of(setup) for name in split_names()},
    }
    elo_of = {name: rating for name, (rating, _) in (ratings or {}).items()}
    for number, (state, action) in enumerate(plies):
        seat = state.player
        yield of_game | {
            "decision": number,
            "round": state.round,
            "seat": seat,
            "player": result.players[seat],
            "elo": elo_of.get(result.players[seat]),
            "position": position_of(observe(state, seat)),
            "legal": np.flatnonzero(encoder.mask(state)).tolist(),
            "action": encoder.number(action),
            "action_text": action_text(setup, action),
            "share": result.share(seat),
        }


def _table(rows: Iterable[Row]) -> pa.Table:
    return pa.Table.from_pylist(list(rows), schema=SCHEMA)


# ---- a file of results -----------------------------------------------------------------------------------------------


@dataclass
class Summary:
    """What a data set has in it, counted while it is written."""

    games: int = 0
    decisions: int = 0
    faulty: int = 0
    """Games left out, since a stand-in took over a seat."""
    seats: Counter[str] = field(default_factory=Counter)
    """The seats that each player played."""
    points: dict[tuple[str, str], float] = field(default_factory=dict)
    """The points of every player against every other, for the ratings."""

    def count(self, result: Result) -> None:
        """Count a game."""
        if result.faults:
            self.faulty += 1
            return
        self.games += 1
        self.seats.update(result.players)
        for pair, points in points_of([(result.players, result.gold)]).items():
            self.points[pair] = self.points.get(pair, 0.0) + points

    @property
    def ratings(self) -> Ratings:
        """The Elo of each player that met others."""
        return elo(self.points)


def write_parquet(results: str | Path, out: str | Path) -> Summary:
    """Write the decisions of a file of `kb arena --out` as parquet, with a datasheet beside it.

    The file is read twice, a game at a time: first for the ratings.
    """
    summary = Summary()
    for result in read_results(results):
        summary.count(result)
    if not summary.games:
        raise ValueError(f"{results}: no games, expected some that kb arena --out wrote")
    ratings = summary.ratings
    out = Path(out)
    unfinished = out.with_name(f"{out.name}.tmp")
    with pq.ParquetWriter(unfinished, _schema(ratings), compression="zstd") as writer:
        for result in read_results(results):
            if not result.faults:
                table = _table(rows_of(result, ratings))
                summary.decisions += table.num_rows
                writer.write_table(table.replace_schema_metadata(_metadata(ratings)))
    os.replace(unfinished, out)
    source = f"Games of `kb arena`, from the file {Path(results).name}."
    out.with_suffix(".md").write_text(datasheet(out.stem, summary, ratings, source), "utf-8")
    return summary


def _metadata(ratings: Ratings) -> dict[str, str]:
    return {METADATA: json.dumps({"format": FORMAT, "encoding": VERSION, "ratings": ratings}, sort_keys=True)}


def _schema(ratings: Ratings) -> pa.Schema:
    return SCHEMA.with_metadata(_metadata(ratings))


def read_metadata(file: str | Path) -> dict[str, Any]:
    """The versions and ratings of a data set. Raises ValueError if it is none, or one of another version."""
    try:
        found = json.loads((pq.read_schema(file).metadata or {})[METADATA.encode()])
    except (KeyError, pa.ArrowInvalid):
        raise ValueError(f"{file}: not a data set of ours, expected one that kb learn dataset wrote") from None
    if found["format"] != FORMAT:
        raise ValueError(f"{file} has format {found['format']}: expected format {FORMAT}")
    check_version(found["encoding"], str(file))
    return dict(found)


def datasheet(name: str, summary: Summary, ratings: Ratings, source: str) -> str:
    """What there is to know about a data set, as Markdown."""
    columns = [f"| `{column}` | {text} |" for column, (_, text) in COLUMNS.items()]
    players = [
        f"| `{player}` | {seats} | {_rating(player, ratings)} |" for player, seats in sorted(summary.seats.items())
    ]
    template = files("kingdom_builder.learn").joinpath("datasheet.md").read_text(encoding="utf-8")
    return template.format(
        name=name,
        games=f"{summary.games:,}",
        decisions=f"{summary.decisions:,}",
        format=FORMAT,
        encoding=VERSION,
        columns="\n".join(["| column | meaning |", "|---|---|", *columns]),
        players="\n".join(["| player | seats | Elo |", "|---|---:|---:|", *players]),
        source=source,
        faulty=summary.faulty,
    )


def _rating(player: str, ratings: Ratings) -> str:
    if player not in ratings:
        return "unknown"
    centre, (low, high) = ratings[player]
    return f"{centre:+.0f} ({low:+.0f} to {high:+.0f})"


# ---- a large set, played for it --------------------------------------------------------------------------------------


def play_dataset(
    tournament: Tournament, games: int, out: str | Path, executor: Executor, workers: int, shard: int = SHARD_GAMES
) -> Iterator[tuple[int, int]]:
    """Play games and write them to a folder, a file for each `shard` games; yields the games done, and of how many.

    What is there already stays: the same call goes on where it stopped. The ratings in the rows are those after the
    first file, so that rows never depend on how many games there will be.
    """
    out = Path(out)
    (out / FILES).mkdir(parents=True, exist_ok=True)
    games = tournament.whole_rounds(games)
    plan = _read_plan(out, tournament, shard)
    for number, first in enumerate(range(0, games, shard)):
        last = min(first + shard, games)
        file = out / FILES / f"part-{number:05}.parquet"
        if plan["games"].get(file.name) != last - first or not file.is_file():
            summary, tables = Summary(), list[pa.Table]()
            for done, (result, table) in enumerate(
                _played(tournament, range(first, last), executor, workers), first + 1
            ):
                summary.count(result)
                if not result.faults:
                    tables.append(table)
                yield done, games
            _keep(out, file, plan, summary, tables, last - first)
        yield last, games
    (out / DATASHEET).write_text(_datasheet_of(out, tournament, plan), "utf-8")


def _played(
    tournament: Tournament, games: Iterable[int], executor: Executor, workers: int
) -> Iterator[tuple[Result, pa.Table]]:
    """The games in order, each with its rows; only a few at a time are handed to the workers."""
    missing = iter(games)
    running: list[Future[tuple[Result, pa.Table]]] = []
    try:
        while True:
            running += [
                executor.submit(_play, tournament, game)
                for game in islice(missing, workers * IN_ADVANCE - len(running))
            ]
            if not running:
                return
            yield running.pop(0).result()
    finally:
        for future in running:
            future.cancel()


def _play(tournament: Tournament, game: int) -> tuple[Result, pa.Table]:
    result = tournament.play(game)
    return result, _table(rows_of(result))


def _keep(out: Path, file: Path, plan: dict[str, Any], summary: Summary, tables: list[pa.Table], games: int) -> None:
    """Write a file whole, then note in the plan that it is there."""
    if plan["ratings"] is None:
        plan["ratings"] = summary.ratings
    ratings: Ratings = plan["ratings"]
    table = pa.concat_tables(tables) if tables else SCHEMA.empty_table()
    elo_of = {name: rating[0] for name, rating in ratings.items()}
    rated = pa.array([elo_of.get(name) for name in table["player"].to_pylist()], pa.float32())
    table = table.set_column(SCHEMA.get_field_index("elo"), "elo", rated)
    unfinished = file.with_suffix(".tmp")
    pq.write_table(table.replace_schema_metadata(_metadata(ratings)), unfinished, compression="zstd")
    os.replace(unfinished, file)
    plan["games"][file.name] = games
    counts = {"games": summary.games, "decisions": table.num_rows, "faulty": summary.faulty}
    points = [[*pair, points] for pair, points in summary.points.items()]
    plan["counts"][file.name] = {**counts, "seats": dict(summary.seats), "points": points}
    unfinished = out / f"{PLAN}.tmp"
    unfinished.write_text(json.dumps(plan, indent=1) + "\n", "utf-8")
    os.replace(unfinished, out / PLAN)


def _read_plan(out: Path, tournament: Tournament, shard: int) -> dict[str, Any]:
    """What a folder has so far. Raises ValueError if it has games of another tournament."""
    path = out / PLAN
    wanted = {"plan": str(tournament), "shard": shard, "format": FORMAT, "encoding": VERSION}
    if not path.exists():
        return {**wanted, "ratings": None, "games": {}, "counts": {}}
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    for key, value in wanted.items():
        if found.get(key) != value:
            raise ValueError(f"{out} has another data set ({key} {found.get(key)}): expected {key} {value}")
    return found


def _datasheet_of(out: Path, tournament: Tournament, plan: Mapping[str, Any]) -> str:
    whole = Summary()
    for counts in plan["counts"].values():
        whole.games += counts["games"]
        whole.decisions += counts["decisions"]
        whole.faulty += counts["faulty"]
        whole.seats.update(counts["seats"])
        for one, other, points in counts["points"]:
            whole.points[one, other] = whole.points.get((one, other), 0.0) + points
    source = (
        f"Played for it by `kb learn dataset --play`, in the tournament `{tournament}`. The ratings in the column "
        f"`elo` are those after the first {plan['shard']} games."
    )
    return datasheet(out.resolve().name, whole, whole.ratings, source)


# ---- Minari ----------------------------------------------------------------------------------------------------------


def write_minari(results: str | Path, name: str) -> int:
    """Write the games of a file of `kb arena --out` as a data set of Minari; returns the number of episodes.

    An episode is what one seat saw and did in one game. Its last observation is that of the finished game, its reward
    is 0 but for the last step: 1 for the winner, less for the others, 0 in sum.
    """
    try:
        import minari

        from kingdom_builder.learn.spaces import action_space, observation_space
    except ImportError:
        raise ValueError("Minari needs more packages: expected after pip install 'kingdom-builder[data]'") from None
    with warnings.catch_warnings():
        # It warns of a missing environment and address. Ours has several players; whoever publishes adds theirs.
        warnings.filterwarnings("ignore", category=UserWarning, module="minari")
        found = minari.create_dataset_from_buffers(
            name,
            cast(Any, _episodes(results)),  # it says list, and takes one episode after the other
            observation_space=observation_space(),
            action_space=action_space(),
            algorithm_name="players of kb arena",
            description=f"Kingdom Builder, encoding {VERSION}: an episode is what one seat saw and did in one game.",
            data_format="parquet",
            jpeg_encoding=False,
        )
    return int(found.total_episodes)


def _episodes(results: str | Path) -> Iterator[Any]:
    """The episodes of all games, one at a time."""
    from minari.data_collector.episode_buffer import EpisodeBuffer

    for result in read_results(results):
        if result.faults:
            continue
        game = parse_record(result.record).game()
        encoder = Encoder(game.setup)
        paid = rewards(game.state)
        for seat in range(game.setup.players):
            own = [ply for ply in game.plies if ply.state.player == seat and not ply.state.awaiting]
            states = [*[ply.state for ply in own], game.state]
            seen = [encoder.observation(state, seat) for state in states]
            observations: dict[str, NDArray[np.generic]] = {
                key: np.stack([each[key] for each in seen]) for key in seen[0]
            }
            steps = len(own)
            yield EpisodeBuffer(
                seed=result.game,
                options={
                    "setup": result.setup,
                    "seat": seat,
                    "player": result.players[seat],
                    "gold": list(result.gold),
                    "gold_by_card": list(result.breakdown),
                    "share": result.share(seat),
                },
                observations=observations,
                actions=[encoder.number(ply.action) for ply in own],
                rewards=[0.0] * (steps - 1) + [paid[seat]],
                terminations=[False] * (steps - 1) + [True],
                truncations=[False] * steps,
            )
