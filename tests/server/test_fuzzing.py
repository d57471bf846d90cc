"""Whatever is sent, the server itself never fails, and its log always agrees with what it shows."""

import asyncio
import json
import logging
import re
from collections.abc import Coroutine, Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from playing import CHARACTERS, mutated

from kingdom_builder.content import ALL_SETS
from kingdom_builder.notation import NotationError, parse_position, parse_record, position_of
from kingdom_builder.players import LEVELS
from kingdom_builder.server import entries, looking, messages
from kingdom_builder.server.table import Table
from server.inside import Json, Page, World

VISITORS = ["first", "second", "watcher", "host"]
NOW, LEGAL = "<now>", "<legal>"
"""Stand for the present version and for a legal move."""


class Stage:
    """A server that lives as long as the tests, and what it has complained about."""

    def __init__(self) -> None:
        self.runner = asyncio.Runner()
        self.complaints: list[str] = []
        self.world: World

    def run(self, test: Coroutine[Any, Any, None]) -> None:
        self.complaints.clear()
        self.runner.run(test)
        assert not self.complaints


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    stage = Stage()
    handler = logging.Handler(logging.WARNING)
    # Put in place of the method for this one handler.
    handler.emit = lambda record: stage.complaints.append(record.getMessage())  # type: ignore[method-assign]
    logging.getLogger().addHandler(handler)

    async def begin() -> None:
        stage.world = World(Random(1))

    async def end() -> None:
        await stage.world.__aexit__()

    stage.runner.run(begin())
    yield stage
    stage.runner.run(end())
    stage.runner.close()
    logging.getLogger().removeHandler(handler)


# ---- messages --------------------------------------------------------------------------------------------------------

COMMANDS: list[type[msgspec.Struct]] = [
    messages.Hello,
    messages.Play,
    messages.Play,
    messages.Play,
    messages.Undo,
    messages.Join,
    messages.Say,
    messages.Reseat,
    messages.TakeBack,
    messages.Rematch,
    messages.Why,
    messages.Explain,
    messages.Scores,
    messages.Ping,
    messages.SetBotSpeed,
    messages.Visible,
    messages.Look,
]
MOVES = ["a1", "k7", "t20", ".", "=C", "!D", "done", "other", "paddock:k7-m7", "fort:=C", "barn", "wagon:a1-a2-a3", ""]
SMALL = st.integers(-1, 6)
ANYTHING: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(CHARACTERS, max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "id": st.sampled_from("abcdef"),
    "version": st.just(NOW) | SMALL,
    "move": st.just(LEGAL) | st.just(LEGAL) | st.sampled_from(MOVES) | mutated(MOVES),
    "hex": st.sampled_from(["", "a1", "k7", "t20"]) | st.text(CHARACTERS, max_size=5),
    "key": st.sampled_from(["", "castles", "paddock", "lords"]) | st.text(CHARACTERS, max_size=80),
    "seat": SMALL | st.none(),
    "colour": SMALL | st.integers(),
    "name": st.text(CHARACTERS, max_size=30),
    "text": st.text(CHARACTERS, max_size=310),
    "level": st.sampled_from(["", *LEVELS, "hard:1n", "nobody"]),
    "whole_turn": st.booleans(),
    "same_board": st.booleans(),
    "speed": st.sampled_from(["slow", "normal", "instant", "fast"]),
    "bot_speed": st.sampled_from(["slow", "normal", "instant", "fast"]),
    "visible": st.booleans(),
    "differences": st.booleans(),
    "to": st.sampled_from(["pause", "resume", "rematch", "end"]),
    "phrase": st.none() | st.sampled_from(["hello", "thanks", "nonsense"]),
    "on": st.booleans(),
    "tokens": st.lists(st.text(max_size=5), max_size=3),
    "protocol": SMALL,
    "game": SMALL,
}


@st.composite
def commands(draw: st.DrawFn) -> Json:
    """A command as the types have it, now and then with a slip."""
    kind = draw(st.sampled_from(COMMANDS))
    frame = {"type": kind.__struct_config__.tag, **{name: draw(VALUES[name]) for name in kind.__struct_fields__}}
    slip = draw(st.integers(0, 11))
    if slip == 0:
        del frame[draw(st.sampled_from(sorted(frame)))]
    elif slip == 1:
        frame[draw(st.sampled_from(sorted(frame)))] = draw(ANYTHING)
    elif slip == 2:
        frame[draw(st.text(max_size=5))] = draw(ANYTHING)
    return frame


def as_json(command: Json) -> str:
    return json.dumps(command, ensure_ascii=False)


VALID = [
    '{"type": "play", "id": "a", "version": 1, "move": "a1"}',
    '{"type": "say", "id": "b", "text": "Hello", "seat": 0}',
    '{"type": "undo", "id": "c", "version": 2, "whole_turn": true}',
    '{"type": "reseat", "id": "d", "seat": 1, "level": "random"}',
    '{"type": "take-back", "id": "e", "seat": 1}',
]
RAW = st.one_of(mutated(VALID), st.text(), ANYTHING.map(json.dumps), st.binary(max_size=50))


async def open_pages(world: World, made: Json) -> dict[str, Page]:
    first, second = made["seats"]
    tokens = {"first": [first], "second": [second], "watcher": [made["watch"]], "host": [first, made["host"]]}
    return {visitor: await world.page(*each) for visitor, each in tokens.items()}


def filled(command: Json, table: Table, choice: int) -> Json:
    """The command with what stands for something replaced by it."""
    command = dict(command)
    legal = looking.view(table, frozenset(chair.token_hash for chair in table.party.seats)).legal
    if command.get("version") == NOW:
        command["version"] = table.version
    if command.get("move") == LEGAL:
        command["move"] = legal[choice % len(legal)] if legal else "."
    return command


async def talk(world: World, talks: list[tuple[str, Any]]) -> None:
    world.tables._rng.seed(1)
    # Bots stay silent here: put in place of the method for this one tables.
    world.tables.bots.watch = lambda table: None  # type: ignore[method-assign]
    made = await world.make(2, sets=list(ALL_SETS), seed="3")
    table = await world.table(made)
    table.on_change = lambda table: None
    pages = await open_pages(world, made)
    for number, (visitor, frame) in enumerate(talks):
        page = pages[visitor]
        if isinstance(frame, dict):
            frame = as_json(filled(frame, table, number * 7))
        page.say(frame)
        await page.sync()
    for page in pages.values():
        await page.sync()
        for message in page.messages():
            assert message.get("refusal", {}).get("code") != "internal"
            if message["type"] == "refused":
                assert message["refusal"]["message"]["text"].endswith((".", "?", "!")), message
        await page.close()
        world.pages.remove(page)
    await check_log(world, table)


async def check_log(world: World, table: Table) -> None:
    """A server that starts now would show the same."""
    loaded = await world.tables.journal.load(table.id)
    again = await Table.restore(table.id, world.tables.journal, loaded)
    assert again.trouble is None
    assert len(loaded.entries) == table.version == again.version
    assert position_of(again.game.state) == position_of(table.game.state)
    assert again.party.seats == table.party.seats
    again.absence = table.absence  # who is here is not in the log
    assert looking.table_view(again, frozenset()) == looking.table_view(table, frozenset())
    assert [action for _, action in again.game.plies] == [action for _, action in table.game.plies]
    log = [entries.decode(stored.body) for stored in loaded.entries[1:]]
    ids = [(entry.by, entry.id) for entry in log if not isinstance(entry, entries.Opened)]
    assert len(set(ids)) == len(ids)


@settings(max_examples=80)
@given(talks=st.lists(st.tuples(st.sampled_from(VISITORS), commands()), min_size=1, max_size=30))
def test_commands_with_slips_make_no_mistakes(stage: Stage, talks: list[tuple[str, Json]]) -> None:
    stage.run(talk(stage.world, list(talks)))


@settings(max_examples=150)
@given(frame=RAW, visitor=st.sampled_from(VISITORS))
@example(frame='{"type":"ping","id":"\ud800"}', visitor="first")
def test_any_frame_makes_no_mistake(stage: Stage, frame: str | bytes, visitor: str) -> None:
    stage.run(talk(stage.world, [(visitor, frame)]))


async def greet(world: World, frame: str | bytes) -> None:
    page = await world.stranger()
    page.say(frame)
    await page.sync()
    (answer,) = page.messages()
    assert answer["type"] == "refused"
    assert answer["refusal"]["code"] in ("malformed", "unknown-key", "protocol", "too-large")
    await page.close()
    world.pages.remove(page)
    assert not world.tables.connections


HELLO = ['{"type": "hello", "tokens": ["abc.def"], "protocol": 1, "version": 0, "game": 0}']


@settings(max_examples=150)
@given(frame=st.one_of(RAW, mutated(HELLO), commands().map(as_json)))
def test_any_first_frame_is_answered(stage: Stage, frame: str | bytes) -> None:
    stage.run(greet(stage.world, frame))


# ---- texts over HTTP -------------------------------------------------------------------------------------------------

RECORDS = [path.read_text() for path in sorted((Path(__file__).parents[1] / "golden").glob("*.kbr"))[:4]]
STATES = [position_of(state) for record in RECORDS for state in parse_record(record).game().states()[::60]]
SLIPS_OF_OURS = re.compile(
    r"unpack|invalid literal|not in list|substring|out of range|NoneType|object has no|codec|Embedded"
)
"""What only Python itself says: an error that nobody has thought of."""


async def post(world: World, path: str, body: Json, *, params: Json | None = None) -> None:
    answer = await world.http.post(path, json=body, params=params)
    check_answer(answer.status_code, answer.text)
    if path == "/api/tables" and answer.status_code == 200:
        await play_some(world, answer.json())


def check_answer(status: int, text: str) -> None:
    assert status in (200, 400, 422), text
    if status != 200:
        problem = json.loads(text)
        assert problem["message"]["text"]
        assert not SLIPS_OF_OURS.search(problem["message"]["text"]), text


async def play_some(world: World, made: Json) -> None:
    """A few moves from a position of somebody's invention."""
    table = await world.table(made)
    page = await world.page(*[token for token in made["seats"] if token])
    rng = Random(1)
    for _ in range(12):
        legal = looking.view(table, frozenset(chair.token_hash for chair in table.party.seats)).legal
        if not legal:
            break
        answer = await page.ask(type="play", version=table.version, move=rng.choice(legal))
        assert answer["type"] == "done", answer
    for path in ("replay", "record"):
        status = (await world.get(f"/api/table/{path}", made["seats"][0])).status_code
        assert status == 200 or (status, path) == (400, "record")
    await page.close()
    world.pages.remove(page)
    await check_log(world, table)


@settings(max_examples=60)
@given(position=mutated(STATES))
def test_positions_with_slips(stage: Stage, position: str) -> None:
    stage.run(post(stage.world, "/api/positions", {"position": position}))
    stage.run(post(stage.world, "/api/previews", {"position": position}))

    async def picture() -> None:
        for highlight in ("", "legal", "a1,k7", "zz"):
            params = {"position": position.encode("utf-8", "replace").decode(), "highlight": highlight}
            answer = await stage.world.http.get("/api/picture", params=params)
            check_answer(answer.status_code, answer.text)

    stage.run(picture())


HIDDEN = [re.sub(r":[CDFGT]+(?= |$)", ":?", position) for position in STATES]


NOT_ENOUGH = "GGDD/CCTT lords - - D1 - 1A/-/0/= 40::: 40:::?"
"""Somebody holds the only card that is left, and somebody has to draw one."""


@settings(max_examples=80)
@example(position=NOT_ENOUGH)
@given(position=st.sampled_from(STATES) | st.sampled_from(HIDDEN) | mutated(STATES) | mutated(HIDDEN))
def test_games_from_positions_with_slips(stage: Stage, position: str) -> None:
    try:
        players = parse_position(position).setup.players
    except NotationError:
        players = 2
    seats = [{"kind": "person"}] * players
    stage.run(post(stage.world, "/api/tables", {"seats": seats, "setup": {"position": position}}))


@settings(max_examples=20)
@given(record=mutated(RECORDS))
def test_records_with_slips(stage: Stage, record: str) -> None:
    stage.run(post(stage.world, "/api/records", {"text": record}))


def some(values: list[str]) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(values) | st.text(CHARACTERS, max_size=8), max_size=7)


CHOICES = st.fixed_dictionaries(
    {},
    optional={
        "sets": some(list(ALL_SETS)),
        "board": st.none() | st.just("first") | mutated(["tavern/paddock/oasis'/farm", "GGDT/G1DW/GKCC(farm)"]),
        "cards": st.none() | some(["lords", "knights", "miners", "fishermen", "families", "captains"]),
        "options": some(["lordsNeedPresence"]),
        "seed": st.none() | st.text(CHARACTERS, max_size=45),
    },
)
SEATS = st.lists(
    st.fixed_dictionaries(
        {"kind": st.sampled_from(["person", "open", "bot"])},
        optional={
            "name": st.text(CHARACTERS, max_size=30),
            "colour": SMALL | st.none(),
            "level": st.sampled_from(["", *LEVELS, "nobody"]),
        },
    ),
    max_size=6,
)


@settings(max_examples=150)
@given(setup=CHOICES, seats=SEATS, shuffle=st.booleans())
def test_any_choice_of_a_setup(stage: Stage, setup: Json, seats: list[Json], shuffle: bool) -> None:
    body = {"seats": seats, "setup": setup}

    async def make() -> None:
        for path, sent in (("/api/previews", setup), ("/api/tables", body)):
            answer = await stage.world.http.post(
                path, content=json.dumps(sent), headers={"content-type": "application/json"}
            )
            check_answer(answer.status_code, answer.text)

    stage.run(make())
