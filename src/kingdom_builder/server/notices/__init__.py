"""What people are told about their games, in their language: whose game it is and where, never what is in it."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import msgspec

from kingdom_builder.server.delivery.webhook import Line
from kingdom_builder.server.outbox import Kind

LANGUAGES = ("en", "de", "fr")
MOST_IN_A_MAIL = 30
"""The most games that a mail names."""


class Notice(NamedTuple):
    """A message about a game."""

    kind: Kind
    table: str
    others: tuple[str, ...]
    """The names of the other people; empty for those without one."""


@cache
def texts(language: str) -> Mapping[str, str]:
    """The texts of a language; English for one that is not known."""
    name = language if language in LANGUAGES else LANGUAGES[0]
    found: dict[str, str] = json.loads((files(__name__) / f"{name}.json").read_text("utf-8"))
    return found


def say(language: str, key: str, **holes: str) -> str:
    """A text with its holes filled. What is filled in, such as a name, is never read as a text with holes."""
    return texts(language)[key].format_map(holes)


def names_of(language: str, others: Sequence[str]) -> str:
    """The names of people in a row."""
    somebody = say(language, "somebody")
    *before, last = [name or somebody for name in others] or [somebody]
    return say(language, "and", names=", ".join(before), last=last) if before else last


def sentence_of(language: str, notice: Notice) -> str:
    """A message in a sentence."""
    return say(language, f"{notice.kind}.text", names=names_of(language, notice.others))


def push_payload(language: str, notice: Notice) -> bytes:
    """A message as the page's worker reads it (`web/src/worker/notice.ts`). The worker knows the server's address."""
    return msgspec.json.encode(
        {
            "title": say(language, f"{notice.kind}.title"),
            "body": sentence_of(language, notice),
            "url": f"/#/table/{notice.table}",
            "tag": notice.table,
        }
    )


def webhook_line(language: str, notice: Notice, address: str) -> Line:
    """A message for a webhook."""
    link = link_to(address, notice.table)
    return Line(f"{sentence_of(language, notice)} {link}", notice.table, link)


def trial_line(language: str, address: str) -> Line:
    """What a webhook is sent to see whether it works."""
    return Line(say(language, "test.text"), "", f"{address.rstrip('/')}/")


def mail_texts(language: str, notices: Sequence[Notice], address: str, unsubscribe: str) -> tuple[str, str]:
    """The subject and the text of one mail about all these games."""
    several = say(language, "several.title", n=str(len(notices)))
    subject = say(language, f"{notices[0].kind}.title") if len(notices) == 1 else several
    lines = [f"{sentence_of(language, each)}\n{link_to(address, each.table)}" for each in notices[:MOST_IN_A_MAIL]]
    if len(notices) > MOST_IN_A_MAIL:
        lines.append("...")
    end = say(language, "end.text", link=unsubscribe)
    return subject, "\n\n".join([*lines, f"-- \n{end}\n"])


def link_to(address: str, table: str) -> str:
    """The link to a table."""
    return f"{address.rstrip('/')}/#/table/{table}"
