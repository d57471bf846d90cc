"""The routes with which people keep others away from them: blocks and reports."""

import asyncio
import gzip
from typing import Annotated

from fastapi import FastAPI, Header, Path, Request, Response

from kingdom_builder.message import Message, Refusal
from kingdom_builder.server import desk
from kingdom_builder.server.answers import json_answer
from kingdom_builder.server.blocks import lift_block, list_blocks, put_block, selves
from kingdom_builder.server.game_lists import PRIVATE
from kingdom_builder.server.me import person_of
from kingdom_builder.server.messages import (
    CHAT_LENGTH,
    ID_LENGTH,
    REPORT_LENGTH,
    Blocked,
    BlockWanted,
    ReportWanted,
)
from kingdom_builder.server.names import clean
from kingdom_builder.server.people import check_seat
from kingdom_builder.server.persons import Person
from kingdom_builder.server.reports import public_transcript, put_report, snapshot_of, was_at
from kingdom_builder.server.requests import tokens_of, visitor_of
from kingdom_builder.server.table import Table
from kingdom_builder.server.tables import Tables
from kingdom_builder.server.workers import Asker, TooLong, WorkerDied

WORK_OF_BLOCK = 10.0
"""Each is a write to the disk, for which the moves of others wait."""

WORK_OF_REPORT = 20.0
RECORD_SECONDS = 10.0

OtherId = Annotated[str, Path(max_length=ID_LENGTH, description="a person")]
Authorization = Annotated[str, Header(description="`Bearer` and the tokens of the sender's seats, separated by commas")]


def add_routes(app: FastAPI, tables: Tables) -> None:
    """Add the routes of blocks and reports."""

    @app.get("/api/me/blocks", response_model=list[Blocked])
    async def my_blocks(request: Request) -> Response:
        """The people whom the person at this device has blocked, the latest first."""
        person = await person_of(request, tables)
        return json_answer(await tables.journal.read(list_blocks, person.id), PRIVATE)

    @app.post("/api/me/blocks", response_model=list[Blocked])
    async def block(wanted: BlockWanted, request: Request) -> Response:
        """Block somebody: you are not paired with them, share no open table, and do not read what they say."""
        person = await person_of(request, tables)
        tables.order.limits.of(person.id).count_block()
        await asyncio.sleep(tables.visitors.visitor(visitor_of(request)).charge(WORK_OF_BLOCK))
        await tables.persons.change(person, put_block, person.id, wanted.person, int(tables.clock()))
        await tables.order.refresh(person.id, *await tables.journal.read(selves, [wanted.person]))
        return json_answer(await tables.journal.read(list_blocks, person.id), PRIVATE)

    @app.delete("/api/me/blocks/{other}", response_model=list[Blocked])
    async def unblock(other: OtherId, request: Request) -> Response:
        """Take a block back."""
        person = await person_of(request, tables)
        await asyncio.sleep(tables.visitors.visitor(visitor_of(request)).charge(WORK_OF_BLOCK))
        await tables.persons.change(person, lift_block, person.id, other)
        await tables.order.refresh(person.id, *await tables.journal.read(selves, [other]))
        return json_answer(await tables.journal.read(list_blocks, person.id), PRIVATE)

    @app.post("/api/reports")
    async def report(wanted: ReportWanted, request: Request, authorization: Authorization = "") -> Response:
        """Report somebody at a table to the operator, by their seat or as a person; the sender was there too."""
        person = await person_of(request, tables)
        address = visitor_of(request)
        visitor = tables.visitors.visitor(address)
        await asyncio.sleep(visitor.charge(WORK_OF_REPORT))
        text = clean(wanted.text, REPORT_LENGTH)
        table = await _table_of(tables, wanted, person, tokens_of(authorization), address)
        reported, name = await _whom(tables, table, wanted)
        if reported and reported in await tables.journal.read(selves, [person.id]):
            raise Refusal(Message("You cannot report yourself: choose somebody else."))
        tables.order.limits.of(person.id).count_report()
        visitor.count_report()
        snapshot = snapshot_of(table, await _record(tables, table, address))
        await tables.persons.change(
            person,
            put_report,
            person.id,
            table.id,
            reported,
            wanted.seat,
            name,
            wanted.reason,
            text,
            snapshot,
            int(tables.clock()),
        )
        return json_answer({})


async def _table_of(tables: Tables, wanted: ReportWanted, person: Person, tokens: list[str], address: str) -> Table:
    """The table of a report. Raises Refusal if the sender was not there."""
    stranger = Refusal(
        Message("You were not at this table: only those who were can report what happened."), "forbidden"
    )
    if not wanted.table.isalnum():
        raise stranger
    if not tokens and not await tables.journal.read(was_at, wanted.table, person.id):
        viewers = [each for each in tables.connections if each.place == wanted.table and each.person == person.id]
        if not viewers:
            raise stranger
    try:
        table, known = await tables.find(tokens, address, table=wanted.table, person=person)
    except Refusal:
        raise stranger from None
    if tokens and not any(known.values()):
        raise stranger  # an open table shows itself to everybody, whatever token they make up
    return table


async def _whom(tables: Tables, table: Table, wanted: ReportWanted) -> tuple[str, str]:
    """The number and the name of whoever is reported; it is empty if they are not known. Raises Refusal."""
    if wanted.seat is not None and not wanted.person:
        seat = check_seat(table.party, wanted.seat)
        if seat.kind == "open" or (seat.level and not seat.person and not seat.owner):
            raise Refusal(Message("Nobody plays at this seat: choose the seat of a person."))
        return seat.person, table.party.names()[wanted.seat]
    if not wanted.person or wanted.seat is not None:
        raise Refusal(Message("A seat or a person to report: expected one of the two."))
    for number, seat in enumerate(table.party.seats):
        if seat.person == wanted.person:
            return wanted.person, table.party.names()[number]
    if not await tables.journal.read(was_at, table.id, wanted.person):
        raise Refusal(Message("This person was not at this table: choose somebody who was."), "unknown-key")
    spoken = [line.name for line in table.party.chat if line.person == wanted.person]
    return wanted.person, spoken[-1][:CHAT_LENGTH] if spoken else ""


async def _record(tables: Tables, table: Table, address: str) -> str:
    """The record of the current game as everybody can see it; empty if that is nothing yet, or takes too long."""
    try:
        zipped = await tables.desk.run(
            Asker(address, "/api/reports"),
            desk.zipped,
            desk.record_of_transcript,
            public_transcript(table),
            seconds=RECORD_SECONDS,
        )
    except (Refusal, TooLong, WorkerDied):
        return ""
    return gzip.decompress(zipped).decode()
