"""What one visitor can take from the others."""

import asyncio
import contextlib

import pytest

from kingdom_builder.message import Refusal
from kingdom_builder.server import visitors
from kingdom_builder.server.pacing import Turns
from kingdom_builder.server.settings import Settings
from kingdom_builder.server.store import Sql, Steps
from kingdom_builder.server.visitors import UNKNOWN, Visitor, Visitors
from server.inside import run, world


class Clock:
    """Stands still until it is moved."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        monkeypatch.setattr("kingdom_builder.server.limits.time.monotonic", lambda: self.now)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("10.1.2.3", "10.1.2.3"),
        ("::ffff:10.1.2.3", "10.1.2.3"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::"),
        ("fe80::1%eth0", "fe80::"),
        ("testclient", UNKNOWN),
        ("", UNKNOWN),
    ],
)
def test_a_visitor_is_an_address_or_a_network_of_64_bits(host: str, address: str) -> None:
    assert Visitors(Settings()).address(host) == address


FORWARDED = [
    ((), "127.0.0.1", "9.9.9.9", "127.0.0.1"),
    (("127.0.0.1",), "127.0.0.1", "9.9.9.9", "9.9.9.9"),
    (("127.0.0.1",), "127.0.0.1", "6.6.6.6, 9.9.9.9", "9.9.9.9"),
    (("127.0.0.1", "10.0.0.0/8"), "127.0.0.1", "6.6.6.6, 9.9.9.9, 10.0.0.7", "9.9.9.9"),
    (("127.0.0.1",), "8.8.8.8", "9.9.9.9", "8.8.8.8"),
    (("127.0.0.1",), "127.0.0.1", "nonsense", "127.0.0.1"),
    (("127.0.0.1",), "127.0.0.1", "", "127.0.0.1"),
    (("::1",), "::1", "2001:db8:1:2:3::4", "2001:db8:1:2::"),
]


@pytest.mark.parametrize(("proxies", "host", "header", "address"), FORWARDED)
def test_only_trusted_proxies_are_believed(proxies: tuple[str, ...], host: str, header: str, address: str) -> None:
    known = Visitors(Settings(trusted_proxies=proxies))
    assert known.address(host, [(b"x-forwarded-for", header.encode())]) == address


SCHEMES = [
    ((), "127.0.0.1", ["https"], "http"),
    (("127.0.0.1",), "127.0.0.1", ["https"], "https"),
    (("127.0.0.1",), "127.0.0.1", ["HTTPS "], "https"),
    (("127.0.0.1",), "127.0.0.1", ["https, http"], "http"),
    (("127.0.0.1",), "127.0.0.1", ["http", "https"], "https"),
    (("127.0.0.1",), "127.0.0.1", ["javascript"], "http"),
    (("127.0.0.1",), "127.0.0.1", [], "http"),
    (("127.0.0.1",), "8.8.8.8", ["https"], "http"),
]


@pytest.mark.parametrize(("proxies", "host", "values", "scheme"), SCHEMES)
def test_only_trusted_proxies_say_that_somebody_came_by_https(
    proxies: tuple[str, ...], host: str, values: list[str], scheme: str
) -> None:
    known = Visitors(Settings(trusted_proxies=proxies))
    assert known.scheme(host, [(b"x-forwarded-proto", value.encode()) for value in values], "http") == scheme


@pytest.mark.parametrize(("proxies", "is_secure"), [(("127.0.0.1",), True), ((), False)])
def test_the_cookie_behind_a_proxy_that_ends_https_is_a_secure_one(proxies: tuple[str, ...], is_secure: bool) -> None:
    async def test() -> None:
        async with world(trusted_proxies=proxies) as inside:
            answer = await inside.http.post("/api/me", json={}, headers={"X-Forwarded-Proto": "https"})
            cookie = answer.headers["set-cookie"]
            assert cookie.startswith("__Host-kb=") is is_secure
            assert ("; Secure" in cookie) is is_secure

    run(test())


def test_ten_thousand_guests_of_one_script_are_refused() -> None:
    """Those beyond the limit cost neither a row nor memory."""
    visitor = Visitor("1.1.1.1", Settings())
    made = 0
    for _ in range(10_000):
        with contextlib.suppress(Refusal):
            visitor.count_person()
            made += 1
    assert made == 300

    async def test() -> None:
        async with world(persons_per_day=5) as inside:
            for _ in range(50):
                inside.http.cookies.clear()
                await inside.http.post("/api/me", json={})
            count = await inside.tables.journal.read(all_persons)
            assert count == 5
            assert len(inside.tables.persons._known) == 5

    run(test())


def all_persons() -> Steps[int]:
    rows = yield Sql("SELECT count(*) FROM persons")
    return int(rows[0][0])


def test_a_proxy_that_is_not_an_address_is_refused_in_a_sentence() -> None:
    with pytest.raises(ValueError, match=r"the trusted proxy 'nginx': expected an address or a network"):
        Visitors(Settings(trusted_proxies=("nginx",)))


def test_work_beyond_the_share_waits_and_then_is_refused(clock: Clock) -> None:
    visitor = Visitor("1.1.1.1", Settings(work_per_second=10))
    assert [visitor.charge(10) for _ in range(6)] == [0, 0, 0, 0, 1, 2]
    clock.now += 3
    assert visitor.charge(10) == 0
    assert [visitor.charge(10) for _ in range(6)] == [1, 2, 3, 4, 5, 6]
    with pytest.raises(Refusal, match="Too much was asked"):
        visitor.charge(10)
    clock.now += 1000
    assert visitor.charge(40) == 0


def test_tables_are_counted_by_minute_and_day(clock: Clock) -> None:
    visitor = Visitor("1.1.1.1", Settings(tables_per_minute=2, tables_per_day=5))
    for made in (2, 2, 1, 0):
        for _ in range(made):
            visitor.count_table()
        with pytest.raises(Refusal, match="Too many new tables"):
            visitor.count_table()
        clock.now += 61
    clock.now += 86_400
    visitor.count_table()


class Thing:
    def __init__(self, visitor: Visitor, place: str = "") -> None:
        self.visitor = visitor
        self.place = place
        self.evicted = False

    def evict(self) -> None:
        self.evicted = True
        self.visitor.pages.pop(self, None)
        self.visitor.requests.pop(self, None)


def test_the_page_that_gives_way_is_one_of_the_greedy() -> None:
    visitor = Visitor("1.1.1.1", Settings(max_connections_per_visitor=5))
    quiet = Thing(visitor, "quiet")
    greedy = [Thing(visitor, "greedy") for _ in range(20)]
    stranger = Thing(visitor)
    for thing in (quiet, *greedy[:3], stranger, *greedy[3:]):
        visitor.open_page(thing)
    assert stranger.evicted
    assert not quiet.evicted
    assert len(visitor.pages) == 5
    assert [thing.evicted for thing in greedy[-4:]] == [False] * 4


def test_the_request_that_was_silent_longest_gives_way() -> None:
    visitor = Visitor("1.1.1.1", Settings(max_requests_per_visitor=3))
    things = [Thing(visitor) for _ in range(5)]
    for thing in things:
        visitor.open_request(thing)
    assert [thing.evicted for thing in things] == [True, True, False, False, False]


def test_visitors_who_have_used_nothing_for_a_day_are_forgotten(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visitors, "KEPT", 10)
    known = Visitors(Settings())
    for number in range(10):
        known.visitor(f"1.1.1.{number}").count_table()
    clock.now += 86_401
    busy = known.visitor("1.1.1.3")
    busy.charge(1)
    known.visitor("2.2.2.2")
    assert known.visitor("1.1.1.3") is busy
    assert len(known._known) == 2


def test_a_crowd_of_visitors_is_not_looked_through_for_each_new_one(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = 0

    class Watched(visitors.Visitor):
        @property
        def is_idle(self) -> bool:
            nonlocal looks
            looks += 1
            return False

    monkeypatch.setattr(visitors, "KEPT", 10)
    monkeypatch.setattr(visitors, "Visitor", Watched)
    known = Visitors(Settings())
    for number in range(200):
        known.visitor(f"1.1.1.{number}")
    assert looks < 400


def test_turns_go_round_among_visitors() -> None:
    async def test() -> None:
        turns = Turns()
        order: list[str] = []

        async def work(visitor: str) -> None:
            async with turns.of(visitor):
                order.append(visitor)
                await asyncio.sleep(0)

        tasks = [asyncio.create_task(work(visitor)) for visitor in "aaaaaabbc"]
        await asyncio.sleep(0)
        tasks[1].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert "".join(order) == "abcabaaa"
        assert turns._free == 1

    run(test())


def test_a_turn_that_is_given_to_somebody_who_leaves_is_passed_on() -> None:
    async def test() -> None:
        turns = Turns()
        done: list[str] = []

        async def work(visitor: str) -> None:
            async with turns.of(visitor):
                done.append(visitor)

        async with turns.of("first"):
            second, third = asyncio.create_task(work("second")), asyncio.create_task(work("third"))
            await asyncio.sleep(0)
        second.cancel()  # it has the turn, but does not know it yet
        await asyncio.gather(second, third, return_exceptions=True)
        assert done == ["third"]
        assert turns._free == 1

    run(test())


def test_a_few_may_have_their_turn_at_the_same_time() -> None:
    async def test() -> None:
        turns = Turns(3)
        inside = most = 0

        async def work(visitor: str) -> None:
            nonlocal inside, most
            async with turns.of(visitor):
                inside += 1
                most = max(most, inside)
                await asyncio.sleep(0.01)
                inside -= 1

        tasks = [asyncio.create_task(work(visitor)) for visitor in "aaaabbbbcccc"]
        await asyncio.sleep(0.02)
        tasks[-1].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert (most, turns._free) == (3, 3)

    run(test())


def test_a_page_too_many_takes_the_place_of_another() -> None:
    async def test() -> None:
        async with world(max_connections_per_visitor=3) as inside:
            made, crowded = await inside.make(), await inside.make()
            quiet = await inside.page(made["seats"][0])
            pages = [await inside.page(crowded["watch"]) for _ in range(4)]
            await pages[0].ended()
            assert pages[0].everything()[-1]["refusal"]["code"] == "full"
            await pages[1].ended()
            assert not any(page.task.done() for page in (quiet, *pages[2:]))
            assert len(inside.tables.connections) == 3

    run(test())


def test_a_flood_from_one_address_does_not_use_up_what_others_have() -> None:
    async def test() -> None:
        async with world(work_per_second=20) as inside:
            made, other = await inside.make(), await inside.make()
            flooding = await inside.page(made["seats"][0], client="6.6.6.6")
            quiet = await inside.page(other["seats"][0], client="9.9.9.9")
            for number in range(150):
                flooding.send(type="scores", id=str(number))
            for _ in range(20):
                assert (await quiet.ask(type="ping"))["type"] == "pong"
            answered = [message for message in flooding.everything() if message["type"] == "breakdown"]
            assert 20 < len(answered) < 100  # of 150; a machine that stands still lets more through

    run(test())


def test_lines_of_chat_are_counted_by_visitor() -> None:
    async def test() -> None:
        async with world(lines_per_second=0.001) as inside:
            made = await inside.make()
            page, other = await inside.page(made["watch"], client="6.6.6.6"), await inside.page(made["seats"][0])
            for number in range(visitors.LINES_AT_ONCE):
                assert (await page.ask(type="say", text=str(number)))["type"] == "done"
            again = await inside.page(made["watch"], client="6.6.6.6")
            assert await again.refused(type="say", text="x") == "too-fast"
            assert (await other.ask(type="say", text="x", seat=0))["type"] == "done"

    run(test())
