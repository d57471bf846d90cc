"""`python -m siege [--full] [--many] [--same-address] [NAME ...]`, from tests/: attack, and print a table."""

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from siege.attacks import ATTACKS
from siege.conduct import Camp, addresses_of
from siege.report import FULL, SHORT, Look, Report

HEAD = """\
Acknowledgements in ms: median / 99 % / longest. Bots: the longest wait in s. Newcomers: in / not in / longest in s.
MB: the most before, during and after. Disk: the longest write of a bystander in ms, before, during and after.

| attack | before | during | after | bot | newcomers | MB | disk | harm | what was done |
|---|---|---|---|---|---|---|---|---|---|
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m siege", description="Attack a server of its own.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"default: all of {', '.join(ATTACKS)}")
    parser.add_argument("--full", action="store_true", help="as in make soak: 20 s each, with a strict verdict")
    parser.add_argument("--many", action="store_true", help="from many addresses")
    parser.add_argument("--same-address", action="store_true", help="attackers and people have one address")
    asked = parser.parse_args()
    if unknown := set(asked.names) - set(ATTACKS):
        parser.error(f"no attack {', '.join(unknown)}: expected some of {', '.join(ATTACKS)}")
    succeeded = 0
    write(HEAD)
    for siege in [ATTACKS[name] for name in asked.names or ATTACKS]:
        addresses = addresses_of(siege, many=asked.many)
        with TemporaryDirectory() as folder, Camp(Path(folder), addresses[0] if asked.same_address else "") as camp:
            report = camp.besiege(siege, FULL if asked.full else SHORT, addresses)
        succeeded += bool(report.harm())
        write(f"| {' | '.join(row(report))} |\n")
    write(f"\n{succeeded} of {len(asked.names or ATTACKS)} attacks succeeded.\n")


def row(report: Report) -> list[str]:
    """What the table says of an attack."""
    looks = (report.before, report.during, report.after)
    bot, newcomers, away = report.during.bot, report.during.newcomers, len(report.during.turned_away)
    return [
        report.name,
        *map(milliseconds, looks),
        f"{bot.longest:.1f}",
        f"{newcomers.number - away} / {away} / {newcomers.longest:.1f}",
        " / ".join(f"{look.memory:.0f}" for look in looks if look),
        " / ".join(f"{1000 * look.disk:.0f}" for look in looks if look),
        "; ".join(report.harm()).replace("\n", " ") or "none",
        report.doing.strip("{}").replace('"', ""),
    ]


def milliseconds(look: Look | None) -> str:
    if look is None:
        return ""
    times = look.answers
    return f"{1000 * times.median:.1f} / {1000 * times.p99:.0f} / {1000 * times.longest:.0f}"


def write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


if __name__ == "__main__":
    main()
