"""What everybody may know of persons: their profiles, and the leaderboards of the pools."""

import asyncio
from typing import Annotated

from fastapi import FastAPI, Path, Request, Response

from kingdom_builder.message import Message, Refusal, quoted
from kingdom_builder.server.answers import json_answer
from kingdom_builder.server.game_lists import PRIVATE, WORK_OF_LIST, bests
from kingdom_builder.server.messages import Leaderboard, PoolRating, Profile, Standing
from kingdom_builder.server.ratings import ANCHORS, CAUTION, POOLS, PROVISIONAL_SIGMA, Rating, anchor_of
from kingdom_builder.server.requests import sender_of, visitor_of
from kingdom_builder.server.store import Sql, Steps
from kingdom_builder.server.tables import Tables

MOST_LISTED = 100
"""The most people on a leaderboard."""

PersonId = Annotated[str, Path(max_length=40, description="a person")]
PoolName = Annotated[str, Path(max_length=20, description="a pool")]


def profile(person: str) -> Steps[Profile | None]:
    """A person as everybody may see them; None if there is no such person, or not any more."""
    rows = yield Sql(
        "SELECT id, name, created, member FROM persons WHERE deleted = 0 AND merged = ''"
        " AND id = (SELECT coalesce(nullif(merged, ''), id) FROM persons WHERE id = ?)",
        (person,),
    )
    if not rows:
        return None
    identity, name, created, member = rows[0]
    rated = yield Sql("SELECT pool, mu, sigma, games FROM ratings WHERE person = ?", (identity,))
    by_pool = {pool: Rating(*rest) for pool, *rest in rated}
    ratings = [
        PoolRating(pool, found.shown, found.is_provisional, found.games)
        for pool in POOLS
        if (found := by_pool.get(pool)) is not None
    ]
    return Profile(identity, name, created, bool(member), (yield from bests(identity)), ratings)


def leaders(pool: str, you: str) -> Steps[list[Standing]]:
    """The best of a pool by what they almost certainly have, the bots among them, and whoever asks."""
    known = (
        "SELECT persons.id, name, mu, sigma, games FROM ratings JOIN persons ON persons.id = person"
        " WHERE pool = ? AND deleted = 0 AND merged = ''"
    )
    # Those whose rating is provisional come last: the number says little yet.
    order = (
        f" ORDER BY CASE WHEN sigma > {PROVISIONAL_SIGMA} THEN 1 ELSE 0 END, mu - {CAUTION} * sigma DESC, persons.id"
    )
    best = yield Sql(f"{known}{order} LIMIT ?", (pool, MOST_LISTED))
    own = yield Sql(f"{known} AND persons.id = ?", (pool, you))
    people = [(identity, name, Rating(*rest)) for identity, name, *rest in best]
    people += [(identity, name, Rating(*rest)) for identity, name, *rest in own if own[0] not in best]
    lines = []
    for place, (identity, name, rating) in enumerate(people, 1):
        is_placed = not rating.is_provisional and place <= len(best)
        line = Standing(
            place if is_placed else None,
            identity,
            name,
            "",
            rating.shown,
            rating.is_provisional,
            rating.games,
            identity == you,
        )
        lines.append((rating, line))
    for level in ANCHORS:
        if (anchor := anchor_of(level)) is not None:
            lines.append((anchor, Standing(None, "", "", level, anchor.shown, False, 0, False)))
    lines.sort(key=lambda each: (each[0].is_provisional, -each[0].at_least))
    return [line for _, line in lines]


def add_routes(app: FastAPI, tables: Tables) -> None:
    """Add the routes of profiles and leaderboards."""

    @app.get("/api/persons/{person}", response_model=Profile)
    async def get_person(person: PersonId, request: Request) -> Response:
        """What everybody may know of a person."""
        await asyncio.sleep(tables.visitors.visitor(visitor_of(request)).charge(WORK_OF_LIST))
        found = await tables.journal.read(profile, person)
        if found is None:
            raise Refusal(Message("There is nobody with this number here, or not any more."), "unknown-key")
        return json_answer(found, PRIVATE)

    @app.get("/api/leaderboards/{pool}", response_model=Leaderboard)
    async def leaderboard(pool: PoolName, request: Request) -> Response:
        """The best players of a pool."""
        if pool not in POOLS:
            message = Message(
                "There is no pool {pool}: expected one of {known}.", pool=quoted(pool), known=", ".join(POOLS)
            )
            raise Refusal(message, "unknown-key")
        await asyncio.sleep(tables.visitors.visitor(visitor_of(request)).charge(WORK_OF_LIST))
        person = await sender_of(request, tables)
        lines = await tables.journal.read(leaders, pool, person.id if person else "")
        return json_answer(Leaderboard(pool, list(POOLS), lines), PRIVATE)
