"""Measure our own players on every split, and write docs/baselines.md.

Without arguments it writes the page from the evaluations in docs/baselines.jsonl. `--measure 200` first plays so many
games for each player, opponent and part; it goes on where it stopped. `--add FILE` takes in an evaluation that
`kb learn evaluate --json FILE` wrote.
"""

import argparse
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from kingdom_builder.arena.tournament import code_version
from kingdom_builder.arena.workers import local_workers
from kingdom_builder.learn.evaluate import ALL, evaluate
from kingdom_builder.learn.splits import SIDES, split_names

DOCS = Path(__file__).parents[1] / "docs"
FIGURES, PAGE = DOCS / "baselines.jsonl", DOCS / "baselines.md"
PLAYERS = ("random", "easy", "greedy", "hard:200n")
"""Who is measured, and against whom: none of them depends on the clock."""

DIGITS = 4
Json = dict[str, Any]

HEAD = """\
# Baselines

What our own players reach on every [split](learn.md#splits), as `kb learn evaluate` measures it. Made by
`python tools/make_baselines.py` from [these evaluations](baselines.jsonl), one a line, with all intervals, gold and
seeds; `--measure 200` plays them again.

*Ahead* is the share of the other seats with less gold, in per cent, in the training part and in the test part: equal
players have 50, however many play. The gap is training less test over all opponents, with its 95 % interval, in which
each board counts as one game. None of these players has learned anything from the training parts, so their gaps say how
much harder or easier the test part is in itself: compare the gap of a trained policy with them.

To add a row, write the evaluation to a file, then `python tools/make_baselines.py --add goal.json`:

    kb learn evaluate --policy mypolicy:make --split goal --opponents {opponents} --games 200 --json goal.json
"""


def page(found: list[Json]) -> str:
    """The page with these evaluations, split by split."""
    return "\n".join([HEAD.format(opponents=",".join(PLAYERS)), *(_of_split(name, found) for name in split_names())])


def _of_split(name: str, found: list[Json]) -> str:
    rows = [each for each in found if each["split"] == name]
    columns = ["player", *(f"`{opponent}`" for opponent in PLAYERS), "gap, ahead", "gap, gold", "games", "code"]
    lines = [
        f"## {name}",
        "",
        f"Split `{rows[0]['split_hash'][:8]}`.",
        "",
        *_row(columns),
        *_row(["---"] * len(columns)),
    ]
    return "\n".join([*lines, *(line for each in rows for line in _row(_cells(each))), ""])


def _row(cells: Iterable[str]) -> Iterator[str]:
    yield f"| {' | '.join(cells)} |"


def _cells(found: Json) -> Iterator[str]:
    yield f"`{found['policy']}`"
    ahead = {
        (side, standing["opponent"]): 100 * standing["ahead"]["value"]
        for side in SIDES
        for standing in found["parts"][side]
    }
    for opponent in PLAYERS:
        shown = [f"{ahead[side, opponent]:.1f}" for side in SIDES if (side, opponent) in ahead]
        yield " / ".join(shown) or "-"
    gap = next(each for each in found["gaps"] if each["opponent"] == ALL)
    value, (low, high) = gap["ahead"]["value"], gap["ahead"]["interval"]
    yield f"{100 * value:+.1f} [{100 * low:.0f}, {100 * high:.0f}]"
    yield f"{gap['lead']['value']:+.1f} ± {gap['lead']['interval'][1] - gap['lead']['value']:.1f}"
    yield f"{found['games']}"
    yield f"`{found['code']}`"


def read() -> list[Json]:
    return [json.loads(line) for line in FIGURES.read_text("utf-8").splitlines()] if FIGURES.exists() else []


def write(found: Iterable[Json]) -> None:
    FIGURES.write_text("".join(f"{json.dumps(_rounded(each))}\n" for each in found), "utf-8")


def _rounded(value: Any) -> Any:
    match value:
        case float():
            return round(value, DIGITS)
        case dict():
            return {key: _rounded(each) for key, each in value.items()}
        case list() | tuple():
            return [_rounded(each) for each in value]
    return value


def with_one_more(found: list[Json], new: Json) -> list[Json]:
    """The evaluations with a new one, which takes the place of one of the same policy on the same split."""
    if new["split"] not in split_names():
        raise SystemExit(f"split {new['split']}: expected one of {', '.join(split_names())}")
    return [*(each for each in found if (each["policy"], each["split"]) != (new["policy"], new["split"])), new]


def measure(games: int, cores: int | None) -> None:
    code, found = code_version(), read()
    known = {(each["policy"], each["split"]) for each in found if (each["code"], each["games"]) == (code, games)}
    with local_workers(cores) as (executor, _):
        for name in split_names():
            for policy in PLAYERS:
                if (policy, name) not in known:
                    found = with_one_more(
                        found, asdict(evaluate(policy, name, opponents=PLAYERS, games=games, executor=executor))
                    )
                    write(found)
                    print(f"{name}, {policy}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--measure", type=int, metavar="GAMES")
    parser.add_argument("--cores", type=int, metavar="N", help="default: all")
    parser.add_argument("--add", metavar="FILE")
    arguments = parser.parse_args()
    if arguments.measure:
        measure(arguments.measure, arguments.cores)
    if arguments.add:
        write(with_one_more(read(), json.loads(Path(arguments.add).read_text("utf-8"))))
    PAGE.write_text(page(read()), "utf-8")


if __name__ == "__main__":
    main()
