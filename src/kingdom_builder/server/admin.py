"""The routes of operators: persons with the role `admin`, which `kb admin grant` gives."""

import asyncio
from typing import Annotated

from fastapi import FastAPI, Path, Query, Request, Response

from kingdom_builder.message import Message, Refusal
from kingdom_builder.server import measures, reports
from kingdom_builder.server.answers import json_answer
from kingdom_builder.server.bans import list_bans
from kingdom_builder.server.blocks import selves
from kingdom_builder.server.erasure import Erased
from kingdom_builder.server.game_lists import PRIVATE
from kingdom_builder.server.me import person_of
from kingdom_builder.server.messages import ID_LENGTH, NOTE_LENGTH, AdminView, MeasureWanted, ReportView
from kingdom_builder.server.names import clean
from kingdom_builder.server.persons import Person
from kingdom_builder.server.requests import visitor_of
from kingdom_builder.server.tables import Tables

WORK_OF_MEASURE = 5.0

ReportId = Annotated[str, Path(max_length=ID_LENGTH, description="a report")]
WithClosed = Annotated[bool, Query(description="whether the reports that were dealt with are listed too")]


def add_routes(app: FastAPI, tables: Tables) -> None:
    """Add the routes under `/api/admin`."""

    async def operator_of(request: Request) -> Person:
        """The operator who sent a request. Raises Refusal for everybody else."""
        person = await person_of(request, tables)
        if person.role != measures.ADMIN:
            raise Refusal(Message("Only operators of this server can do that."), "not-admin")
        return person

    @app.get("/api/admin", response_model=AdminView)
    async def overview(request: Request, closed: WithClosed = False) -> Response:
        """Reports, bans, and what operators did, the latest first."""
        await operator_of(request)
        listed = await tables.journal.read(reports.list_reports, with_closed=closed)
        bans = await tables.journal.read(list_bans, int(tables.clock()))
        return json_answer(AdminView(listed, bans, await tables.journal.read(measures.list_measures)), PRIVATE)

    @app.get("/api/admin/reports/{report}", response_model=ReportView)
    async def one_report(report: ReportId, request: Request) -> Response:
        """A report with the record and the chat that were attached to it."""
        await operator_of(request)
        found = await tables.journal.read(reports.find_report, report, int(tables.clock()))
        if found is None:
            raise Refusal(Message("There is no such report, or not any more."), "unknown-key")
        return json_answer(found, PRIVATE)

    @app.post("/api/admin/measures", response_model=AdminView)
    async def carry_out(wanted: MeasureWanted, request: Request) -> Response:
        """Do something about a person or a report; it is written down."""
        operator = await operator_of(request)
        await asyncio.sleep(tables.visitors.visitor(visitor_of(request)).charge(WORK_OF_MEASURE))
        done = await tables.journal.write(
            measures.carry_out,
            wanted.what,
            wanted.person,
            days=wanted.days,
            why=clean(wanted.why, NOTE_LENGTH),
            actor=operator.id,
            now=int(tables.clock()),
        )
        if isinstance(done, Refusal):
            raise done
        known = await tables.journal.read(selves, [wanted.person])
        if wanted.what == "delete":
            await tables.forget_erased(Erased(sorted(known), done))
        else:
            tables.persons.forget(*known)
            await tables.read_again(done)
            await tables.order.refresh(*known)
        return await overview(request)
