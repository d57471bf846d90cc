"""`python -m faults [--faults N] [--seconds S] [--tables N] [--think S] [--only KIND]`, from tests/: break things."""

import argparse
import sys

from server.postgres_server import postgres_server

from faults.bugs import BUGS
from faults.mischief import WEIGHTS, Plan
from faults.page import Habits
from faults.world import Shape, play


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m faults", description="Let people play while things break.")
    parser.add_argument("--faults", type=int, default=25, metavar="N", help="how many (default 25)")
    parser.add_argument("--seconds", type=float, metavar="S", help="nothing more breaks after that (default: two each)")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--nodes", type=int, default=3, metavar="N")
    parser.add_argument("--tables", type=int, default=50, metavar="N")
    parser.add_argument("--affinity", type=float, default=0.5, metavar="SHARE", help="of tables with one server each")
    parser.add_argument("--think", type=float, metavar="S", help="seconds before a move at most (default 0.6)")
    parser.add_argument("--only", action="append", choices=sorted(WEIGHTS), help="only such faults")
    parser.add_argument("--bug", default="", choices=["", *BUGS], help="a bug that all servers have")
    parser.add_argument("--logs", action="store_true", help="show what the servers write")
    asked = parser.parse_args()
    seconds = 2 * asked.faults if asked.seconds is None else asked.seconds
    plan = Plan(faults=asked.faults, seconds=seconds, kinds=tuple(asked.only or WEIGHTS))
    habits = Habits() if asked.think is None else Habits(think=(asked.think / 4, asked.think))
    shape = Shape(
        nodes=asked.nodes,
        tables=asked.tables,
        affinity=asked.affinity,
        bug=asked.bug,
        seed=asked.seed,
        habits=habits,
        plan=plan,
    )
    with postgres_server() as postgres:
        report = play(shape, postgres)
    if asked.logs:
        sys.stdout.write("\n".join(report.complaints) + "\n")
    sys.stdout.write(f"{report}\n")
    return bool(report.violations)


if __name__ == "__main__":
    sys.exit(main())
