"""The command admin: looks after people, in the folder or the database of servers that run or do not."""

import time
from argparse import ArgumentParser, Namespace
from datetime import datetime

from kingdom_builder.cli.arguments import number
from kingdom_builder.cli.place import Place, add_place, read, read_place, ring, write
from kingdom_builder.message import Refusal
from kingdom_builder.server import measures, reports
from kingdom_builder.server.bans import list_bans
from kingdom_builder.server.blocks import selves
from kingdom_builder.server.measures import MOST_DAYS
from kingdom_builder.server.messages import NOTE_LENGTH, MeasureKind, ReportLine
from kingdom_builder.server.names import clean
from kingdom_builder.server.persons import PERSONS_TOPIC
from kingdom_builder.server.store import Steps
from kingdom_builder.server.tables import TEXTS_TOPIC

NO_NAME = "(no name)"
LISTS = {
    "reports": "the reports that wait; with --all also those that were closed",
    "bans": "who is muted or banned",
    "log": "what operators did",
    "find": "persons whose name or number begins so",
}
MEASURES: dict[MeasureKind, str] = {
    "close": "a report was dealt with",
    "mute": "a person may not speak among strangers, for --days",
    "unmute": "they may speak again",
    "ban": "a person may only look on and play by link, for --days",
    "unban": "they may do everything again",
    "rename": "empty the name of a person",
    "delete": "delete a person, and all that they said",
    "grant": "make a person an operator, who sees the page #/admin",
    "revoke": "they are no operator any more",
}


def add_arguments(parser: ArgumentParser) -> None:
    actions = [*LISTS.items(), ("show", "a report with record and chat"), *MEASURES.items()]
    texts = "; ".join(f"{name}: {text}" for name, text in actions)
    parser.epilog = f"Actions: {texts}. Example: kb admin ban 0123456789abcdef --days 30 --why insults"
    parser.add_argument(
        "action", nargs="?", choices=(*LISTS, "show", *MEASURES), default="reports", help="default: reports"
    )
    parser.add_argument("target", nargs="?", metavar="NUMBER", help="of the person or the report; find: a beginning")
    parser.add_argument("--days", type=number(1, MOST_DAYS), default=7, metavar="N", help="mute, ban (default 7)")
    parser.add_argument("--why", default="", metavar="TEXT", help="a note that is kept with it")
    parser.add_argument("--all", action="store_true", help="reports: also those that were closed")
    add_place(parser)


def run(arguments: Namespace) -> int:
    action, target = arguments.action, arguments.target
    if (action == "show" or action == "find" or action in MEASURES) != bool(target):
        raise ValueError("expected a number after show, find and everything that changes something, and only there")
    place = read_place(arguments)
    if action in MEASURES:
        return _do(place, action, target, arguments.days, clean(arguments.why, NOTE_LENGTH))
    for line in read(place, _lines, action, target or "", with_closed=arguments.all):
        print(line)
    return 0


def _do(place: Place, what: MeasureKind, target: str, days: int, why: str) -> int:
    tables = write(place, measures.carry_out, what, target, days=days, why=why, actor="", now=int(time.time()))
    if isinstance(tables, Refusal):
        raise ValueError(str(tables))
    ring(place, TEXTS_TOPIC, tables)
    ring(place, PERSONS_TOPIC, read(place, selves, [target]))
    print(f"Done: {what} {target}{f', for {days} days' if what in ('mute', 'ban') else ''}.")
    return 0


def _lines(action: str, target: str, *, with_closed: bool) -> Steps[list[str]]:
    now = int(time.time())
    if action == "show":
        return (yield from _report(target, now))
    if action == "find":
        found = yield from measures.find_persons(target)
        return [
            f"{person}  {name or NO_NAME}{', member' if member else ''}{f', {role}' if role else ''}"
            for person, name, member, role in found
        ] or ["Nobody."]
    if action == "bans":
        bans = yield from list_bans(now)
        return [
            f"{each.person}  {each.name or NO_NAME}: {each.kind} until {_date(each.until)}  {each.why}".rstrip()
            for each in bans
        ] or ["Nobody is muted or banned."]
    if action == "log":
        did = yield from measures.list_measures()
        return [
            f"{_date(each.at)}  {each.by or 'operator'}: {each.what} {each.person}  {each.why}".rstrip() for each in did
        ] or ["Operators did nothing."]
    listed = yield from reports.list_reports(with_closed=with_closed)
    return [_line(each) for each in listed] or ["No reports."]


def _line(report: ReportLine) -> str:
    state = f" (closed {_date(report.closed)})" if report.closed else ""
    whom = f"{report.name or NO_NAME} {report.person or '(with a link alone, or deleted)'}"
    line = f"{report.id}  {_date(report.at)}  {report.reason}: {whom} at table {report.table}{state}  {report.text}"
    return line.rstrip()


def _report(identity: str, now: int) -> Steps[list[str]]:
    found = yield from reports.find_report(identity, now)
    if found is None:
        raise ValueError(f"there is no report {identity}, or not any more: kb admin reports lists them")
    report, snapshot = found.report, found.snapshot
    lines = [_line(report), f"Reported by {report.by_name or NO_NAME} {report.by}; by {found.others} others too."]
    lines += [f"Now: {each.kind} until {_date(each.until)}" for each in found.bans]
    lines += ["", f"Chat of game {snapshot.game}:"]
    lines += [f"  {line.name}{f' ({line.person})' if line.person else ''}: {line.text}" for line in snapshot.chat]
    return [*lines, "", f"Position: {snapshot.position}", "", snapshot.record or "No record yet."]


def _date(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).strftime("%Y-%m-%d %H:%M")
