"""Names and chat, which people typed: they are kept beside the logs of the tables, so that they can be deleted."""

import json
from collections.abc import Sequence

from kingdom_builder.server.store import Sql

NAMED = {"joined": ("name",), "said": ("name", "text")}
"""The fields of the entries that older versions filled with what people typed."""


def rows_of(table: str, version: int, person: str, texts: Sequence[str]) -> list[Sql]:
    """The statements that store the texts of an entry."""
    return [
        Sql("INSERT INTO words VALUES (?, ?, ?, ?, ?)", (table, version, number, person, text))
        for number, text in enumerate(texts)
        if text
    ]


def without_words(body: bytes) -> tuple[bytes, list[str]] | None:
    """An entry of an older version without what people typed, and that; None if there is nothing of it.

    A field without its text is empty, as in new entries, so that the rest of the entry can be read as before.
    """
    try:
        entry = json.loads(body)
        places = [(entry, field) for field in NAMED.get(entry["type"], ())]
        if entry["type"] == "opened":
            places = [(chair, "name") for chair in entry["chairs"]]
        elif entry["type"] == "reseated":
            places = [(entry["chair"], "name")]
        texts = [str(place[field]) for place, field in places]
    except (ValueError, LookupError, TypeError):
        return None
    if not any(texts):
        return None
    for place, field in places:
        place[field] = ""
    return json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode(), texts
