"""What is kept about people, from the declaration of the database, and where the server sends something."""

from fastapi import FastAPI, Response

from kingdom_builder.server.answers import json_answer
from kingdom_builder.server.messages import KeptColumn, KeptRelation, PrivacyView
from kingdom_builder.server.schema import RELATIONS
from kingdom_builder.server.settings import Settings
from kingdom_builder.server.tables import Tables

NOTHING_PERSONAL = ("tables", "clock", "gaps", "server_keys", "counted")
"""The relations that hold nothing about people."""


def inventory() -> list[KeptRelation]:
    """Everything that is kept about people, by relation."""
    return [
        KeptRelation(
            relation.name,
            relation.about,
            relation.kept,
            [KeptColumn(column.name, column.about) for column in relation.columns if column.personal],
        )
        for relation in RELATIONS
        if any(column.personal for column in relation.columns)
    ]


def hosts_of(settings: Settings) -> list[str]:
    """The hosts to which the operator lets the server send something."""
    mail = [settings.mail.host] if settings.mail else []
    return [*mail, *settings.push_allow, *settings.webhook_allow]


def privacy_view(settings: Settings) -> PrivacyView:
    """What a server with these settings keeps and sends."""
    return PrivacyView(
        inventory(),
        settings.keep_days,
        settings.keep_reports_days,
        settings.keep_guests_days,
        hosts_of(settings),
        push=bool(settings.push_contact),
        webhooks=bool(settings.address),
    )


def add_routes(app: FastAPI, tables: Tables) -> None:
    """Add the route of the page on privacy."""

    @app.get("/api/privacy", response_model=PrivacyView)
    async def privacy() -> Response:
        """What this server keeps about people, for how long, and where it sends something."""
        return json_answer(privacy_view(tables.settings), {"Cache-Control": "no-cache"})
