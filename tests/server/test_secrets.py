"""A hidden card never reaches somebody who may not see it.

Two servers hold the same table but for one hidden card. Whatever anybody else does and asks, every byte that they get
from both is the same, until the rules show the card.
"""

import json
from random import Random
from typing import Any

import pytest

from kingdom_builder.board.terrain import CARDS
from kingdom_builder.content import ALL_SETS
from kingdom_builder.hexes import bits, hex_name
from kingdom_builder.notation import parse_record, position_of
from kingdom_builder.rules import DRAWN, observe
from kingdom_builder.rules.state import HAND
from kingdom_builder.server import entries, looking
from kingdom_builder.server.table import Table
from kingdom_builder.server.tokens import token_hash
from server.inside import Dealer, Json, Page, World, dealers, frozen, run, world

__all__ = ["dealers"]
pytestmark = pytest.mark.usefixtures("dealers")

CASES = [(2, ("base",)), (3, ALL_SETS), (3, ("base", "crossroads")), (5, ALL_SETS)]


DIFFERENCE = '{"type":"difference"'


class Twin:
    """One of the two servers, with a page of each viewer."""

    def __init__(self, inside: World, made: Json) -> None:
        self.world = inside
        self.made = made
        self.pages: dict[str, Page] = {}
        self.brief: dict[str, Page] = {}
        """Other pages of the same viewers, which are told only what has changed."""
        self.table: Table

    async def open(self, bodies: list[bytes]) -> None:
        journal = self.world.tables.journal
        generation = await journal.create(self.made["id"], entries.FORMAT, bodies[0])
        for version, body in enumerate(bodies[1:], 2):
            await journal.append(self.made["id"], version, entries.FORMAT, body, generation)
        self.table = await self.world.table(self.made)
        for viewer, tokens in viewers(self.made).items():
            self.pages[viewer] = await self.world.page(*tokens)
            self.brief[viewer] = await self.world.page(*tokens, differences=True)
        await self.settle()

    def both(self) -> list[Page]:
        return [*self.pages.values(), *self.brief.values()]

    async def settle(self) -> None:
        for page in self.both():
            await page.sync()

    async def close(self) -> None:
        for page in self.both():
            await page.close()
            self.world.pages.remove(page)

    async def fetch(self, path: str, viewer: str) -> tuple[int, list[tuple[str, str]], bytes]:
        answer = await self.world.get(path, *viewers(self.made)[viewer])
        return answer.status_code, answer.headers.multi_items(), answer.content

    @property
    def dealer(self) -> Dealer:
        dealer = self.table.rng
        assert isinstance(dealer, Dealer)
        return dealer


def viewers(made: Json) -> dict[str, list[str]]:
    """Who looks at a table, each with their keys: all seats, two people who share a device, host and watcher."""
    seats = {str(seat): [token] for seat, token in enumerate(made["seats"])}
    return {**seats, "0 and 1": made["seats"][:2], "host": [made["host"]], "watcher": [made["watch"]]}


def with_id(made: Json, identity: str) -> Json:
    """The keys of a copy of a table."""
    text = json.dumps(made).replace(made["id"], identity)
    copied: Json = json.loads(text)
    return copied


@pytest.mark.parametrize(("players", "sets"), CASES)
def test_nothing_that_is_sent_depends_on_a_hidden_card(players: int, sets: tuple[str, ...]) -> None:
    run(compare_whole_game(players, sets))


async def compare_whole_game(players: int, sets: tuple[str, ...]) -> None:
    rng = Random(f"{players} {sets}")
    async with world(Dealer(1), frozen) as main, world(Dealer(2), frozen) as left, world(Dealer(2), frozen) as right:
        made = await main.make(players, sets=list(sets), seed="1")
        table = await main.table(made)
        everybody = await main.page(*made["seats"])
        compared = checked = turns = differences = 0
        while not table.game.state.over:
            bodies = [stored.body for stored in (await main.tables.journal.load(made["id"])).entries]
            forged = forge(bodies, table, rng)
            if forged is not None and turns % (2 * players - 1) == 0:
                seat, changed, (held, other) = forged
                copy = with_id(made, f"{len(bodies):012x}")
                twins = Twin(left, copy), Twin(right, copy)
                await twins[0].open(bodies)
                await twins[1].open(changed)
                compared += await compare(twins, seat, (held, other), rng, thorough=checked in (0, 4))
                checked += 1
                differences += sum(text.startswith(DIFFERENCE) for page in twins[0].both() for text in page.received)
                for twin in twins:
                    await twin.close()
            turns += 1
            turn = (table.game.state.round, table.game.state.player)
            while not table.game.state.over and turn == (table.game.state.round, table.game.state.player):
                answer = await everybody.ask(type="play", version=table.version, move=rng.choice(legal(table)))
                assert answer["type"] == "done", answer
        assert checked >= 5
        assert compared >= 25
        assert differences >= 100


def legal(table: Table) -> list[str]:
    keys = frozenset(chair.token_hash for chair in table.party.seats)
    return looking.view(table, keys).legal


def forge(bodies: list[bytes], table: Table, rng: Random) -> tuple[int, list[bytes], tuple[str, str]] | None:
    """The log with another hidden card in its last entry: whose, the log, and the two cards."""
    last = entries.decode(bodies[-1])
    if not isinstance(last, entries.Opened | entries.Played):
        return None
    moves = last.moves.split()
    first = len(table.game.plies) - len(moves)
    places: list[tuple[int, int, str, list[str]]] = []
    for place in range(len(moves)):
        before, action = table.game.plies[first + place]
        hidden = observe(table.game.state, None).hands[before.player]
        if action in DRAWN and before.awaiting == HAND and set(hidden) == {"?"}:
            others = sorted(set(table.game.state.deck) & set(before.deck) - {DRAWN[action]})
            places += [(place, before.player, DRAWN[action], others)] if others else []
    if not places:
        return None
    place, seat, held, others = rng.choice(places)
    other = rng.choice(others)
    moves[place] = f"={other}"
    last.moves = " ".join(moves)
    return seat, [*bodies[:-1], entries.encode(last)[0]], (held, other)


async def compare(twins: tuple[Twin, Twin], seat: int, cards: tuple[str, str], rng: Random, thorough: bool) -> int:
    """Play on in both until the card is shown; how many steps that took."""
    left, right = twins
    unknowing = set(left.pages) - {str(seat)}
    began = left.table.version
    for steps in range(1000):
        if left.table.game.state.player == seat:
            unknowing.discard("0 and 1" if seat < 2 else "")
        states = left.table.game.state, right.table.game.state
        if states[0].over or position_of(observe(states[0], None)) != position_of(observe(states[1], None)):
            return steps
        check(twins, unknowing)
        await ask_around(twins, unknowing, rng)
        check(twins, unknowing)
        if steps % 6 == 0:
            for viewer in sorted(unknowing):
                await same_answers(twins, viewer, began, thorough and steps % 18 == 0)
        if not await act(twins, cards, rng):
            return steps
    raise AssertionError("the card is never shown")


def check(twins: tuple[Twin, Twin], unknowing: set[str]) -> None:
    left, right = twins
    for viewer in unknowing:
        assert received(left.pages[viewer]) == received(right.pages[viewer]), viewer
        assert received(left.brief[viewer]) == received(right.brief[viewer]), viewer
        keys = [
            frozenset(token_hash(token.partition(".")[2]) for token in viewers(twin.made)[viewer]) for twin in twins
        ]
        assert looking.table_view(left.table, keys[0]) == looking.table_view(right.table, keys[1])


def received(page: Page) -> list[str]:
    """What came, byte by byte, except for news about people only, which comes at the end of a second."""
    return [text for text in page.received if not text.startswith('{"type":"table"')]


async def ask_around(twins: tuple[Twin, Twin], unknowing: set[str], rng: Random) -> None:
    """Everybody asks what pays, and why moves are not legal that try to find out about the draw pile."""
    state = twins[0].table.game.state
    actions = [action.key for action in state.setup.actions if action.draws]
    probes = [f"={card}" for card in CARDS] + [f"!{card}" for card in CARDS]
    probes += [f"{key}:={card}" for key in actions for card in CARDS]
    version = twins[0].table.version
    for viewer in sorted(unknowing):
        move, question = rng.choice(probes), rng.choice(["a1", "k7", *probes])
        place, component = hex_name(rng.choice(bits(state.setup.board.hexes))), rng.choice(state.setup.components)
        for twin in twins:
            page = twin.pages[viewer]
            page.send(type="scores")
            page.send(type="why", move=question)
            page.send(type="explain", hex=place)
            page.send(type="explain", key=component.key)
            page.send(type="play", version=version, move=move)
            page.send(type="play", version=version - 1, move=".")
    await settle(twins)
    assert twins[0].table.version == version


async def settle(twins: tuple[Twin, Twin]) -> None:
    for twin in twins:
        await twin.settle()


async def same_answers(twins: tuple[Twin, Twin], viewer: str, began: int, thorough: bool) -> None:
    """What is fetched, and what somebody gets who comes back or comes now."""
    paths = ["/api/table/record", "/api/table/replay"] if thorough else ["/api/table/record"]
    for path in paths:
        left, right = [await twin.fetch(path, viewer) for twin in twins]
        assert left == right, (viewer, path)
    if thorough:
        greetings: list[dict[str, Any]] = [{}, {"version": began, "game": 1}]
        for hello in greetings:
            pages = [await twin.world.page(*viewers(twin.made)[viewer], **hello) for twin in twins]
            assert received(pages[0]) == received(pages[1]), viewer
            for twin, page in zip(twins, pages, strict=True):
                await page.close()
                twin.world.pages.remove(page)
        await settle(twins)


async def act(twins: tuple[Twin, Twin], cards: tuple[str, str], rng: Random) -> bool:
    """The current player makes the same move in both, and the same cards are drawn; whether that is possible."""
    left, right = twins
    common = sorted(set(legal(left.table)) & set(legal(right.table)))
    if not common:
        return False
    viewer = str(left.table.game.state.player)
    keys = frozenset({left.table.party.seats[left.table.game.state.player].token_hash})
    undo = looking.view(left.table, keys).undo and looking.view(right.table, keys).undo and rng.random() < 0.1
    command = {"type": "undo"} if undo else {"type": "play", "move": rng.choice(common)}
    left.dealer.scarce = cards[1]
    for twin in twins:
        twin.dealer.drawn.clear()
        answer = await twin.pages[viewer].ask(version=twin.table.version, **command)
        assert answer["type"] == "done", answer
        right.dealer.script = list(left.dealer.drawn)
        await twin.settle()
    left.dealer.scarce = ""
    return left.dealer.drawn == right.dealer.drawn


PILE = "GGGGDDFF/CCCCTTTT/G1GGDDFF/CCCCTTTT(fort) lords - 1 {pile} DDDDT 3A/G/3/- 39:a3:b3:G 40:::{hand}"
HIDDEN_HAND = PILE.format(pile="C5D1F5G4T4", hand="?")


def test_a_draw_for_an_action_does_not_reveal_what_is_in_the_pile() -> None:
    """Whether a card is left in the true pile would reveal whether somebody holds it."""
    run(probe_the_pile())


async def probe_the_pile() -> None:
    answers = []
    async with world(Dealer(1), frozen) as inside:
        for pile, hand in (("C5F5G4T4", "D"), ("C5D1F4G4T4", "F")):
            made = await inside.make(2, position=PILE.format(pile=pile, hand=hand))
            page = await inside.page(made["seats"][0])
            table = await inside.table(made)
            assert "fort" in legal(table)
            for card in CARDS:
                await page.ask(type="why", move=f"fort:={card}", id=f"why {card}")
                await page.refused(type="play", version=table.version, move=f"fort:={card}", id=f"play {card}")
            answers.append([text for text in page.received if text.startswith('{"type":"re')])
    assert answers[0] == answers[1]


@pytest.mark.parametrize(("players", "sets"), CASES)
def test_logs_and_records_of_running_games_have_no_hidden_draws(players: int, sets: tuple[str, ...]) -> None:
    run(scan_whole_game(players, sets))


async def scan_whole_game(players: int, sets: tuple[str, ...]) -> None:
    rng = Random(f"scan {players} {sets}")
    async with world(Dealer(3), frozen) as inside:
        made = await inside.make(players, sets=list(sets), seed="2")
        table = await inside.table(made)
        everybody = await inside.page(*made["seats"])
        told = 0
        while not table.game.state.over:
            answer = await everybody.ask(type="play", version=table.version, move=rng.choice(legal(table)))
            assert answer["type"] == "done", answer
            if table.game.state.over or rng.random() < 0.95:
                continue
            for viewer, tokens in viewers(made).items():
                seat = int(viewer) if viewer.isdecimal() else None
                page = await inside.page(*tokens)
                (welcome,) = [message for message in page.messages() if message["type"] == "welcome"]
                check_lines(table, welcome["lines"], seat)
                told += await check_record(table, (await inside.get("/api/table/record", *tokens)).text, seat)
                await page.close()
        assert told


def check_lines(table: Table, lines: list[Json], seat: int | None) -> None:
    assert len(lines) == len(table.game.plies)
    for (before, action), line in zip(table.game.plies, lines, strict=True):
        if action in DRAWN and before.awaiting == HAND and before.player != seat:
            assert line["move"] == "=?"
            assert {each["key"] for each in line["happenings"] if each["kind"] == "card-drawn"} <= {"?"}


async def check_record(table: Table, text: str, seat: int | None) -> int:
    """A record of a running game ends before the first card that the reader may not know; its length."""
    actions = parse_record(text).actions()
    assert actions == [action for _, action in table.game.plies][: len(actions)]
    hands = observe(table.game.state, seat).hands
    draws: list[list[int]] = [[] for _ in hands]
    for ply, (before, action) in enumerate(table.game.plies):
        if action in DRAWN and before.awaiting == HAND:
            draws[before.player].append(ply)
    for plies, hand in zip(draws, hands, strict=True):
        if set(hand) == {"?"}:
            assert len(actions) <= plies[-len(hand)]
    return len(actions)


def test_the_record_of_a_game_from_a_position_hides_what_was_dealt_before() -> None:
    run(record_from_position())


async def record_from_position() -> None:
    """Cards that the server has dealt for a `?` in a position are nobody else's business either."""
    async with world(Dealer(1), frozen) as inside:
        texts = set()
        for _ in range(20):
            made = await inside.make(2, position=HIDDEN_HAND)
            page = await inside.page(made["seats"][0])
            (welcome,) = [message for message in page.messages() if message["type"] == "welcome"]
            assert welcome["view"]["hands"][1] == "?"
            texts.add((await inside.get("/api/table/record", made["seats"][0])).text)
            texts.add((await inside.get("/api/table/replay", made["seats"][0])).text)
        assert len(texts) == 2
        assert not [text for text in texts if "Start" in text]
        everybody = await inside.page(*made["seats"])
        table = await inside.table(made)
        while table.game.state.round == 3:
            await everybody.ask(type="play", version=table.version, move=legal(table)[0])
        told = (await inside.get("/api/table/record", made["seats"][0])).text
        assert "Start" in told, "the cards of the beginning have been played"
