"""The work that other programs may do for a server: each has a name, and arguments and an answer in JSON.

What comes from the database is read by type and runs nothing but the functions that are listed here.
"""

from collections.abc import Callable
from typing import Any, Literal, NamedTuple, TypeVar, cast, get_type_hints

import msgspec

from kingdom_builder.message import Refusal
from kingdom_builder.notation import NotationError
from kingdom_builder.server import desk, messages
from kingdom_builder.server.people import check_level
from kingdom_builder.server.sentences import received, sent
from kingdom_builder.server.workers import TooLong, WorkerDied

MOST_BYTES = 1 << 18
"""The most bytes of arguments, and of an answer."""

R = TypeVar("R")


class TooLarge(Exception):
    """The arguments of some work, or its answer, have too many bytes to be sent."""


class Call(NamedTuple):
    """Some work with its arguments."""

    work: Callable[..., object]
    arguments: tuple[object, ...]


class _Work(NamedTuple):
    function: Callable[..., object]
    arguments: Any
    """The type of all arguments together, a tuple."""
    answer: Any


def _described(function: Callable[..., object]) -> _Work:
    hints = get_type_hints(function)
    answer = hints.pop("return")
    return _Work(function, tuple[tuple(hints.values())], answer)  # type: ignore[misc]


WORKS = {each.__name__: _described(each) for each in (desk.bot_turn, desk.hints, desk.analysis, desk.forecasts)}


class Done(msgspec.Struct, tag="done"):
    """The work was done."""

    value: msgspec.Raw


class Refused(msgspec.Struct, tag="refused"):
    """The work was refused."""

    refusal: messages.Refusal
    text: str = ""
    """What could not be read."""


class Failed(msgspec.Struct, tag="failed"):
    """The work failed."""

    how: Literal["died", "long", "large", "other"]
    reason: str


_answers = msgspec.json.Decoder(Done | Refused | Failed)


def name_of(work: Callable[..., object]) -> str:
    """The name of some work. Raises ValueError if others may not do it."""
    for name, each in WORKS.items():
        if each.function is work:
            return name
    raise ValueError(f"{work!r} is no work for others: expected one of {', '.join(WORKS)}")


def encode_arguments(arguments: tuple[object, ...]) -> bytes:
    """Arguments for the database. Raises TooLarge."""
    body = msgspec.json.encode(arguments)
    if len(body) > MOST_BYTES:
        raise TooLarge
    return body


def read_call(name: str, body: bytes) -> Call:
    """Work from the database. Raises Refusal, or msgspec's errors, if it is none that may be done."""
    work = WORKS[name]
    arguments = msgspec.json.decode(body, type=work.arguments)
    if work.function is desk.bot_turn:
        check_level(arguments[0])  # otherwise whoever writes into the database could run programs here
    return Call(work.function, arguments)


def encode_answer(value: object) -> bytes:
    """What some work has returned, for the database."""
    body = msgspec.json.encode(Done(msgspec.Raw(msgspec.json.encode(value))))
    return body if len(body) <= MOST_BYTES else encode_error(TooLarge())


def encode_error(error: Exception) -> bytes:
    """What some work has raised, for the database."""
    match error:
        case NotationError():
            return msgspec.json.encode(Refused(_sent(error, error.offset), error.text[:MOST_BYTES]))
        case Refusal():
            return msgspec.json.encode(Refused(_sent(error)))
        case WorkerDied():
            return msgspec.json.encode(Failed("died", str(error)))
        case TooLong():
            return msgspec.json.encode(Failed("long", str(error)))
        case TooLarge():
            return msgspec.json.encode(Failed("large", "the answer is too long"))
    return msgspec.json.encode(Failed("other", f"{type(error).__name__}: {error}"[:1_000]))


def _sent(error: Refusal, offset: int | None = None) -> messages.Refusal:
    """A refusal in the words in which it was raised."""
    return messages.Refusal(error.code, sent(error.message), offset)


def result_of(work: Callable[..., R], body: bytes) -> R:
    """What some work has returned, from its answer. Raises what it has raised."""
    match _answers.decode(body):
        case Done(value):
            return cast(R, msgspec.json.decode(value, type=WORKS[name_of(work)].answer))
        case Refused(why, text):
            message = received(why.message)
            raise (
                Refusal(message, why.code) if why.offset is None else NotationError(message, text, why.offset, why.code)
            )
        case Failed("died", reason):
            raise WorkerDied(reason)
        case Failed("long", reason):
            raise TooLong(reason)
        case Failed() as failed:
            raise RuntimeError(f"Another program has failed: {failed.reason}")
    raise AssertionError
