"""Compares what people were told with the log of their table."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from faults.memory import Json, Told
from faults.page import Page, Sent
from kingdom_builder.message import Refusal
from kingdom_builder.rules.state import HIDDEN
from kingdom_builder.server import entries, looking
from kingdom_builder.server.entries import AnyEntry
from kingdom_builder.server.journal import Journal, Loaded
from kingdom_builder.server.table import Table
from kingdom_builder.server.tokens import TokenHashes
from kingdom_builder.server.views import setup_view

OWN = ("bot", "clock", "link", "players")
"""Who sends entries that the server makes itself; their ids are the version before."""

SHOWN = 400
"""The most characters of what is shown of a difference."""


@dataclass
class Verdict:
    """What is wrong, and how much was looked at."""

    violations: list[str] = field(default_factory=list)
    entries: int = 0
    messages: int = 0
    """Messages that were compared with the log."""
    late: int = 0
    """Commands that were refused, and carried out by another server which had got them before."""


async def check_table(
    journal: Journal, table: str, loaded: Loaded, pages: Sequence[Page], told: Iterator[Told]
) -> Verdict:
    """Everything that is wrong with a table."""
    verdict = Verdict(entries=len(loaded.entries))
    for problem in _problems(await _check_log(journal, table, loaded), loaded, pages, told, verdict, table, journal):
        verdict.violations.append(f"table {table}: {problem}")
    return verdict


async def _check_log(journal: Journal, table: str, loaded: Loaded) -> list[str]:
    if not loaded.entries:
        return ["it has no log"]
    if [entry.version for entry in loaded.entries] != list(range(1, len(loaded.entries) + 1)):
        return ["versions are missing"]
    try:
        restored = await Table.restore(table, journal, loaded)
    except Refusal as refusal:
        return [f"it cannot be replayed: {refusal}"]
    return [f"it cannot be replayed: {restored.trouble}"] if restored.trouble else []


def _problems(
    first: list[str],
    loaded: Loaded,
    pages: Sequence[Page],
    told: Iterator[Told],
    verdict: Verdict,
    table: str,
    journal: Journal,
) -> Iterator[str]:
    yield from first
    try:
        log = [entries.read(stored, number) for number, stored in enumerate(loaded.entries, 1)]
    except Refusal as refusal:
        yield str(refusal)
        return
    yield from _check_ids(log)
    for page in pages:
        yield from _check_answers(page, log, verdict)
    if not first:
        yield from Eyes(table, journal, log, pages, verdict).compare(told)


def _check_ids(log: Sequence[AnyEntry]) -> Iterator[str]:
    """Nothing is there twice, and whatever a server does by itself is for the version that it was decided in."""
    seen: dict[tuple[str, str], int] = {}
    for version, entry in enumerate(log, 1):
        if isinstance(entry, entries.Opened):
            continue
        key = entry.by, entry.id
        if key in seen:
            yield f"the {_name(entry)} {entry.id} of {entry.by} is there twice, at {seen[key]} and {version}"
        seen[key] = version
        if entry.by in OWN and entry.id != f"{version - 1}":
            yield f"the {_name(entry)} at {version} of {entry.by} was decided at {entry.id}"


def _name(entry: AnyEntry) -> str:
    return type(entry).__name__.lower()


def _check_answers(page: Page, log: Sequence[AnyEntry], verdict: Verdict) -> Iterator[str]:
    """Whatever was acknowledged is in the log where it was said to be, in the order in which it was sent."""
    at = {
        entry.id: version
        for version, entry in enumerate(log, 1)
        if not isinstance(entry, entries.Opened) and not page.hashes.isdisjoint(entry.by.split())
    }
    last = 0
    for sent in page.sent:
        version = at.get(sent.id)
        if sent.version is not None:
            if version != sent.version:
                yield f"{_told(page, sent)} was acknowledged at {sent.version}, and is at {version}"
            if sent.version <= last:
                yield f"{_told(page, sent)} was carried out before an earlier command: {sent.version} after {last}"
            last = sent.version
        elif sent.refusal and version is not None:
            verdict.late += 1
            if sent.times == 1:
                yield f"{_told(page, sent)} was refused as {sent.refusal}, and is at {version}"


def _told(page: Page, sent: Sent) -> str:
    return f"page {page.number}: the {sent.kind} {sent.id}"


# ---- what people saw -------------------------------------------------------------------------------------------------


@dataclass
class Seen:
    """What a page shows."""

    version: int = 0
    lines: list[Json] = field(default_factory=list)
    chat: list[Json] = field(default_factory=list)


class Eyes:
    """The log of a table as each of its pages should have seen it."""

    def __init__(
        self, table: str, journal: Journal, log: Sequence[AnyEntry], pages: Sequence[Page], verdict: Verdict
    ) -> None:
        opened = log[0]
        assert isinstance(opened, entries.Opened)
        self._log = log
        self._table = Table(table, journal, 0, opened)
        self._chat: list[Json] = []
        self._hashes = {page.number: page.hashes for page in pages}
        self._seen = {page.number: Seen() for page in pages}
        self._verdict = verdict

    def compare(self, told: Iterator[Told]) -> Iterator[str]:
        """Follow the log, and compare all messages at the version that they are about."""
        waiting: dict[int, list[Told]] = {}
        last = dict.fromkeys(self._seen, 0)
        done = dict.fromkeys(self._seen, 0)
        for each in told:
            page, kind, version = each.page, each.message["type"], each.message["version"]
            if kind == "done":
                done[page] = max(done[page], version)
            elif version < last[page] or (kind != "chat" and version < done[page]):
                yield f"page {page}: a {kind} of {version} came after {max(last[page], done[page])}"
            else:
                last[page] = version
                waiting.setdefault(version, []).append(each)
        for version, entry in enumerate(self._log, 1):
            if not isinstance(entry, entries.Opened):
                self._table.apply_entry(entry)
            self._note_chat()
            for each in waiting.pop(version, []):
                self._verdict.messages += 1
                yield from self._compare(each)
        for version, messages in waiting.items():
            yield f"page {messages[0].page} saw version {version}, but the log has only {len(self._log)}"

    def _note_chat(self) -> None:
        known = self._chat[-1]["version"] if self._chat else 0
        self._chat += [plain(line) for line in self._table.party.chat if line.version > known]

    def _compare(self, told: Told) -> Iterator[str]:
        message, page = told.message, told.page
        seen, hashes = self._seen[page], self._hashes[page]
        where = f"page {page} at version {self._table.version}: {message['type']}"
        if message["type"] == "chat":
            yield from self._take_chat(seen, message["lines"], where)
            return
        if message["type"] == "welcome":
            seen.lines, seen.chat = message["lines"], message["chat"]
            yield from difference(where, "setup", message["setup"], plain(setup_view(self._table.game.start)))
        elif message["type"] == "update":
            if message["since"] > len(seen.lines):
                yield f"{where} goes on after line {message['since']}, but the page has {len(seen.lines)}"
            seen.lines = seen.lines[: message["since"]] + message["lines"]
        if "view" in message:
            yield from self._compare_game(seen, hashes, message["view"], where)
        if "table" in message:
            expected = plain(looking.table_view(self._table, hashes))
            yield from difference(where, "table", lasting(message["table"]), lasting(expected))
        if message.get("clock") is not None or self._table.clocks is not None:
            expected = plain(looking.clock_view(self._table))
            yield from difference(where, "clock", message.get("clock"), expected, "now")
        kept = plain(list(self._table.party.chat))
        yield from difference(where, "chat", seen.chat[-len(kept) :] if kept else seen.chat, kept)

    def _compare_game(self, seen: Seen, hashes: TokenHashes, view: Json, where: str) -> Iterator[str]:
        yield from difference(where, "view", view, plain(looking.view(self._table, hashes)))
        reader = self._table.party.log_perspective(hashes)
        lines = self._table.shown.lines.full_since(self._table.game, 0, reader)
        yield from difference(where, "lines", seen.lines, plain(lines))
        own = self._table.party.seats_of(hashes)
        for seat, hand in enumerate(view["hands"]):
            if seat not in own and seat != view["player"] and hand.strip(HIDDEN) and not view["over"]:
                yield f"{where} shows the hand of seat {seat}: {hand}"

    def _take_chat(self, seen: Seen, lines: list[Json], where: str) -> Iterator[str]:
        """Add lines, which may be newer than the version that they come with."""
        known = seen.chat[-1]["version"] if seen.chat else 0
        for line in lines:
            entry = self._log[line["version"] - 1] if line["version"] <= len(self._log) else None
            if not isinstance(entry, entries.Said) or entry.text != line["text"]:
                yield f"{where} has a line that the log does not have: {line}"
            elif line["version"] > known:  # pages leave out what comes again
                seen.chat.append(line)


def plain(value: object) -> Any:
    """A part of a message as a client gets it."""
    return json.loads(msgspec.json.encode(value))


def lasting(table: Mapping[str, Any]) -> Json:
    """What the log says of the people, without who is here at the moment."""
    kept = {key: value for key, value in table.items() if key not in ("watchers", "watcher_list")}
    passing = ("connected", "away")
    kept["seats"] = [{key: value for key, value in seat.items() if key not in passing} for seat in table["seats"]]
    return kept


def difference(where: str, what: str, got: Any, expected: Any, *passing: str) -> Iterator[str]:
    """How something differs from what it should be."""
    if isinstance(got, dict) and isinstance(expected, dict):
        for key in sorted((got.keys() | expected.keys()).difference(passing)):
            if got.get(key) != expected.get(key):
                yield _differs(f"{where}: {what}.{key}", got.get(key), expected.get(key))
    elif got != expected:
        yield _differs(f"{where}: {what}", got, expected)


def _differs(what: str, got: Any, expected: Any) -> str:
    if isinstance(got, list) and isinstance(expected, list):
        pairs = enumerate(zip(got, expected, strict=False))
        place = next((n for n, (one, other) in pairs if one != other), min(len(got), len(expected)))
        what += f" from {place} on ({len(got)} and {len(expected)})"
        got, expected = got[place : place + 1], expected[place : place + 1]
    return f"{what} is {json.dumps(got)[:SHOWN]}, expected {json.dumps(expected)[:SHOWN]}"
