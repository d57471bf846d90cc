"""Nothing is lost while things break, and the checker would notice. `FAULTS=1000` is the long form (make faults)."""

import asyncio
import os
import sys
from collections.abc import Callable, Sequence
from random import Random

import pytest
from server.postgres_server import PostgresServer

from faults.mischief import Mischief, Plan
from faults.page import SENT_AWAY, Habits
from faults.report import Report
from faults.world import Shape, play

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs the signals and pidfds of Linux")

FAULTS = int(os.environ.get("FAULTS") or 0)
SEED = int(os.environ.get("FAULTS_SEED") or 1)
IS_LONG = FAULTS > 0

LONG = Shape(seed=SEED, plan=Plan(faults=FAULTS, seconds=10 * FAULTS))
SHORT = Shape(
    seed=SEED, tables=10, plan=Plan(faults=25, seconds=12, pause=0.4, stops=(0.5, 3), freezes=(0.3, 3)), settling=30
)
ONE_MISTAKE_MORE = "only the long form has the time for it"
PEOPLE = ("person", "person")


def test_nothing_is_lost_while_things_break(postgres: PostgresServer, capsys: pytest.CaptureFixture[str]) -> None:
    report = play(LONG if IS_LONG else SHORT, postgres)
    with capsys.disabled():
        sys.stdout.write(f"\n{report}\n")
    assert not report.violations, "\n".join([*report.violations[:20], *report.complaints[-50:]])
    assert report.acknowledged > (10 if IS_LONG else 3) * report.tables  # 25 on two busy cores
    assert report.faults.total() >= (FAULTS if IS_LONG else 10)
    assert report.differences > report.tables


def test_nobody_sees_an_error_when_all_servers_are_replaced(
    postgres: PostgresServer, capsys: pytest.CaptureFixture[str]
) -> None:
    """A page that hears nothing for some seconds calls that an error. On a machine that stands still for as long it is
    wrong, so there has to be one twice in a row."""
    for _ in range(2):
        plan = Plan(faults=1, seconds=60, pause=0.1, kinds=("rolling restart",))
        report = play(Shape(2, 6, seed=SEED, plan=plan, settling=60, promised=60), postgres)
        with capsys.disabled():
            sys.stdout.write(f"\n{report}\n")
        assert report.faults == {"rolling restart": 1}
        assert not report.violations, "\n".join([*report.violations[:20], *report.complaints[-50:]])
        if not report.errors:
            break
    assert not report.errors
    assert SENT_AWAY in report.lost
    assert 0 < report.gaps.longest < 30


def test_a_server_that_is_never_ready_again_is_noticed(postgres: PostgresServer) -> None:
    class Dead:
        is_troubled = False

        async def replace(self) -> None:
            raise TimeoutError("it is not ready")

    plan = Plan(faults=3, seconds=10, pause=0.01, kinds=("rolling restart",))
    mischief = Mischief(plan, [Dead()], [], postgres, Random(SEED))  # type: ignore[list-item]
    with pytest.raises(BaseExceptionGroup, match="did not end") as raised:
        asyncio.run(mischief.run())
    assert raised.group_contains(TimeoutError, match="it is not ready")


Found = Callable[..., Report]


@pytest.fixture
def found(postgres: PostgresServer) -> Found:
    """A short run of a small world whose servers have a bug, and whose bots take their time."""

    def found(bug: str, *kinds: str, talk: float = 1, settling: float = 3, seats: Sequence[str] = PEOPLE) -> Report:
        plan = Plan(faults=5, seconds=5, pause=0.8, kinds=kinds)
        habits = Habits(think=(0.02, 0.2), talk=talk, bot_speed="normal")
        shape = Shape(2, 6, 0, bug, SEED, (tuple(seats),), habits, plan, settling=settling, promised=settling)
        return play(shape, postgres)

    return found


@pytest.mark.skipif(not IS_LONG, reason=ONE_MISTAKE_MORE)
def test_the_checker_finds_nothing_where_nothing_is_wrong(found: Found) -> None:
    report = found("", "end listeners", "kill", settling=30)
    assert not report.violations, "\n".join([*report.violations[:20], *report.complaints[-50:]])


def test_the_checker_finds_an_acknowledgement_before_the_commit(found: Found) -> None:
    report = found("early-acknowledgement", "kill", talk=0.5)
    assert any("was acknowledged at" in each for each in report.violations), report


@pytest.mark.skipif(not IS_LONG, reason=ONE_MISTAKE_MORE)
def test_the_checker_finds_a_lost_ring_that_nobody_makes_up_for(found: Found) -> None:
    report = found("lost-rings", "end listeners", talk=0, settling=12)
    assert any("did not go on" in each or "but the log has" in each for each in report.violations), report


@pytest.mark.skipif(not IS_LONG, reason=ONE_MISTAKE_MORE)
def test_the_checker_finds_a_double_move_of_a_bot(found: Found) -> None:
    report = found("double-bot-move", "end listeners", talk=0, seats=("person", "random", "random", "person"))
    assert any("is there twice" in each for each in report.violations), report


def test_the_checker_finds_a_leaked_card(found: Found) -> None:
    report = found("leaked-card", "drop links")
    assert any("shows the hand of seat" in each for each in report.violations), report
    assert any("view.hands" in each for each in report.violations), report
