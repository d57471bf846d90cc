"""What a seat has left follows from what happened and when: compared with another count, of whole games."""

from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import pairwise, permutations
from typing import Literal, TypeAlias, cast

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kingdom_builder.game import Game
from kingdom_builder.message import Refusal
from kingdom_builder.rules import Turn
from kingdom_builder.server.clocks import (
    AWAY,
    DAY,
    FAST,
    HOUR,
    NO_CLOCK,
    NORMAL,
    PRESETS,
    SLOW,
    Clock,
    Stop,
    Times,
    check,
)

NOW = 1_800_000_000_000
LIVE = Clock("live", 60, 10)
DAYS = Clock("days", 2 * DAY, DAY)
S = 1000
NO_TURN = Turn(0, 0, False)

Kind: TypeAlias = Literal["turn", "over", "stop", "go", "rest", "wake", "out", "excuse"]


@dataclass(frozen=True)
class Happening:
    """Something that happens to the clocks, at a moment."""

    at: int
    kind: Kind
    turn: Turn = NO_TURN
    """The turn that begins, or whose seat is meant."""
    why: Stop = "paused"
    start: int = 0
    """The beginning of a gap, which ends at `at`."""


def after(times: Times, happening: Happening) -> Times:
    at, turn, why = happening.at, happening.turn, happening.why
    match happening.kind:
        case "turn":
            return times.turn(at, turn)
        case "over":
            return times.turn(at, None)
        case "stop":
            return times.stop(at, why)
        case "go":
            return times.go(at, why)
        case "rest":
            return times.rest(at, turn.seat)
        case "wake":
            return times.wake(at, turn.seat)
        case "out":
            return times.timed_out(at, turn.seat)
        case "excuse":
            return times.excuse(happening.start, at)


@dataclass(frozen=True)
class Story:
    """A game as its clocks see it."""

    clock: Clock
    seats: int
    happenings: list[Happening]
    now: int
    """A moment after all that."""

    def fold(self, happenings: list[Happening] | None = None) -> Times:
        begin = Times.begin(self.clock, self.seats, NOW)
        return reduce(after, self.happenings if happenings is None else happenings, begin)

    def left(self) -> list[int]:
        return lefts(self.fold(), self.now)


def lefts(times: Times, now: int) -> list[int]:
    return [times.left(seat, now) for seat in range(len(times.seats))]


@st.composite
def stories(
    draw: st.DrawFn, *, backwards: bool = False, kinds: str = "turn undo stop go rest wake out excuse"
) -> Story:
    """Games in which anything can happen, in any order; undo goes back to turns of any seat.

    A gap is excused at its end, but other things with that moment may come first.
    """
    clock = draw(st.sampled_from([LIVE, DAYS, Clock("live", 60, 0), Clock("live", 60, 600), Clock("days", 0, HOUR)]))
    scale = 1 if clock.kind == "live" else 2000
    seats = draw(st.integers(1, 4))
    turns = [Turn(n + 1, draw(st.integers(0, seats - 1)), False) for n in range(12)]
    current = 0
    at = quiet_since = NOW
    happenings = [Happening(at, "turn", turns[0])]
    for _ in range(draw(st.integers(0, 14))):
        passed = draw(st.one_of(st.just(0), st.integers(0, 30 * S), st.integers(0, 90 * S))) * scale
        if backwards and draw(st.integers(0, 3)) == 0:
            passed = -passed
        if passed:
            quiet_since = at
        at += passed
        kind = draw(st.sampled_from(kinds.split()))
        if kind in ("turn", "undo"):
            current = max(0, min(current + (1 if kind == "turn" else -1), len(turns) - 1))
            happenings.append(Happening(at, "turn", turns[current]))
        elif kind == "out":
            happenings.append(Happening(at, "out", turns[current]))
        elif kind == "excuse":
            start = draw(st.integers(min(quiet_since, at), at))
            happenings.append(Happening(at, "excuse", start=start))
        else:
            seat = Turn(0, draw(st.integers(0, seats - 1)), False)
            why = cast("Stop", draw(st.sampled_from(["open", "paused", "down"])))
            happenings.append(Happening(at, cast("Kind", kind), seat, why))
    return Story(clock, seats, happenings, at + draw(st.integers(0, 100 * S)) * scale)


@dataclass
class Count:
    """A game counted as a whole, at its end: when each seat's clock ran in which turn, then what that left."""

    story: Story
    runs: dict[int, dict[Turn, list[tuple[int, int]]]] = field(default_factory=dict)
    outs: set[Turn] = field(default_factory=set)
    idle: int = 0

    def __post_init__(self) -> None:
        happenings, current = self.story.happenings, NO_TURN
        stops, resting = set[str](), set[int]()
        latest: dict[int, Turn] = {}
        for happening, until in zip(happenings, [*(later.at for later in happenings[1:]), self.story.now], strict=True):
            seat = happening.turn.seat
            match happening.kind:
                case "turn":
                    current = happening.turn
                    latest[seat] = max(latest.get(seat, current), current)
                    self.runs.setdefault(seat, {}).setdefault(latest[seat], [])
                case "stop":
                    stops.add(happening.why)
                case "go":
                    stops.discard(happening.why)
                case "rest":
                    resting.add(seat)
                case "wake":
                    resting.discard(seat)
                case "out":
                    resting.add(seat)
                    self.outs.add(latest[seat])
            if stops or current.seat in resting:
                self.idle += until - happening.at
            else:
                self.runs[current.seat][latest[current.seat]].append((happening.at, until))
        self.current = current

    def used(self, seat: int, turn: Turn) -> int:
        """By the borders of all runs and gaps: between two of them nothing changes."""
        gaps = [(each.start, each.at) for each in self.story.happenings if each.kind == "excuse"]
        used = 0
        for since, until in self.runs[seat][turn]:
            borders = sorted({since, until, *(min(max(since, border), until) for gap in gaps for border in gap)})
            used += sum(b - a for a, b in pairwise(borders) if not any(start <= a < end for start, end in gaps))
        return used

    def total(self, seat: int) -> int:
        return sum(self.used(seat, turn) for turn in self.runs.get(seat, {}))

    def left(self, seat: int) -> int:
        clock, turns = self.story.clock, sorted(self.runs.get(seat, {}))
        start, add = clock.start * S, clock.add * S
        amount = bank = start
        left = start + (add if clock.kind == "days" else 0)
        for turn in turns:
            used = self.used(seat, turn)
            if clock.kind == "days":
                left = 0 if turn in self.outs else max(0, add + bank - used)
                bank = min(bank, left)
            else:
                amount = left = (
                    0 if turn in self.outs else max(0, min(start, amount + add if turns[0] != turn else start) - used)
                )
        if self.current.seat == seat:
            return left
        return add + bank if clock.kind == "days" else min(start, amount + add)


# ---- properties ------------------------------------------------------------------------------------------------------


@given(stories())
def test_what_is_left_is_what_a_count_of_the_whole_game_gives(story: Story) -> None:
    count = Count(story)
    times = story.fold()
    assert story.left() == [count.left(seat) for seat in range(story.seats)]
    assert [times.used(seat, story.now) for seat in range(story.seats)] == [
        count.total(seat) for seat in range(story.seats)
    ]


@given(stories(backwards=True), st.data())
def test_a_value_can_be_kept_and_resumed_from_anywhere(story: Story, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(story.happenings)))
    kept = story.fold(story.happenings[:cut])
    before = repr(kept)
    resumed = reduce(after, story.happenings[cut:], kept)
    assert resumed == story.fold()
    assert repr(kept) == before


@given(stories(backwards=True))
def test_nobody_has_less_than_nothing_or_more_than_the_most(story: Story) -> None:
    clock = story.clock
    most = (clock.start + (clock.add if clock.kind == "days" else 0)) * S
    times = Times.begin(clock, story.seats, NOW)
    for happening in story.happenings:
        times = after(times, happening)
        for now in (happening.at - DAY * S, happening.at, happening.at + 5 * S, story.now):
            assert all(0 <= left <= most for left in lefts(times, now))
            assert all(times.used(seat, now) >= 0 for seat in range(story.seats))


@given(stories(backwards=True, kinds="turn undo stop go rest wake out"))
def test_nothing_gives_time_within_a_turn(story: Story) -> None:
    """Neither an undo, nor pauses, nor a clock that is set back."""
    had: dict[Turn, int] = {}
    times = Times.begin(story.clock, story.seats, NOW)
    for happening in story.happenings:
        times = after(times, happening)
        for now in (happening.at, happening.at + 3 * S, story.now):
            if times.current is not None:
                seat = times.current.seat
                key = times.seats[seat].turn
                assert key is not None
                left = times.left(seat, now if times.running is None else happening.at)
                assert left <= had.get(key, left)
                had[key] = left
                assert times.left(seat, now + S) <= times.left(seat, now)


@given(stories(kinds="turn undo stop go rest wake out"))
def test_an_undo_gives_nothing_back(story: Story) -> None:
    """Whoever goes back to a turn and plays it again has what they would have had without."""
    times = story.fold()
    current = times.current
    assume(current is not None)
    assert current is not None
    other = Turn(current.round + 1, (current.seat + 1) % story.seats, False)
    assume(other.seat != current.seat)
    back = times.turn(story.now, other).turn(story.now, current)
    assert back.left(current.seat, story.now) == times.left(current.seat, story.now)
    again = back.turn(story.now, other)
    assert lefts(again, story.now) == lefts(times.turn(story.now, other), story.now)


def delayed_by(length: int, happening: Happening, begin: int) -> Happening:
    """The same after a break that began at a moment."""
    start = happening.start + (length if happening.start >= begin else 0)
    return replace(happening, at=happening.at + length, start=start)


@given(stories(), st.integers(0, 60 * S), st.data())
def test_an_excused_gap_costs_nobody_anything(story: Story, length: int, data: st.DataObject) -> None:
    """Everything after a moment happens later by the length of the gap, which is excused when the server is back."""
    cut = data.draw(st.integers(1, len(story.happenings)))
    begin = story.happenings[cut - 1].at
    later = [delayed_by(length, each, begin) for each in story.happenings[cut:]]
    gap = Happening(begin + length, "excuse", start=begin)
    delayed = Story(story.clock, story.seats, [*story.happenings[:cut], gap, *later], story.now + length)
    assert delayed.left() == story.left()
    deadline, late = story.fold().runs_out_at, delayed.fold().runs_out_at
    assert (deadline is None) == (late is None)
    if deadline is not None and late is not None and deadline > begin:
        assert late == deadline + length


@given(stories(), st.integers(1, 60 * S), st.data())
def test_a_stop_costs_nobody_anything(story: Story, length: int, data: st.DataObject) -> None:
    cut = data.draw(st.integers(1, len(story.happenings)))
    begin = story.happenings[cut - 1].at
    assume(not story.fold(story.happenings[:cut]).stops)
    later = [delayed_by(length, each, begin) for each in story.happenings[cut:]]
    stop, go = Happening(begin, "stop", why="down"), Happening(begin + length, "go", why="down")
    delayed = Story(story.clock, story.seats, [*story.happenings[:cut], stop, go, *later], story.now + length)
    assert delayed.left() == story.left()


@given(stories(kinds="turn undo stop go rest wake out"))
def test_time_used_and_time_stopped_are_all_the_time(story: Story) -> None:
    times = story.fold()
    used = sum(times.used(seat, story.now) for seat in range(story.seats))
    assert used + Count(story).idle == story.now - NOW


@given(stories(), st.integers(1, 90 * S), st.data())
def test_the_order_of_what_happens_at_once_does_not_matter(story: Story, passed: int, data: st.DataObject) -> None:
    """Two nodes can write entries with the same moment, in either order."""
    times = story.fold()
    assert times.current is not None
    at = story.now + passed
    turn = Turn(99, data.draw(st.integers(0, story.seats - 1)), False)
    someone = Turn(0, data.draw(st.integers(0, story.seats - 1)), False)
    choices = [
        Happening(at, "turn", turn),
        Happening(at, "stop", why="down"),
        Happening(at, "go", why="paused"),
        Happening(at, data.draw(st.sampled_from(["rest", "wake"])), someone),
        Happening(at, "excuse", start=at - data.draw(st.integers(0, passed))),
        Happening(at, "excuse", start=at - data.draw(st.integers(0, passed))),
    ]
    if turn.seat != times.current.seat:  # a timeout is that of a turn
        choices.append(Happening(at, "out", times.current))
    at_once = data.draw(st.lists(st.sampled_from(choices), max_size=4, unique=True))
    outs = {(each.kind, each.turn.seat) for each in at_once}
    assume(("out", someone.seat) not in outs or ("wake", someone.seat) not in outs)
    results = {
        (tuple(lefts(result, at)), tuple(lefts(result, at + 5 * S)), result.runs_out_at)
        for order in permutations(at_once)
        for result in [reduce(after, order, times)]
    }
    assert len(results) == 1


@given(stories(backwards=True))
def test_the_deadline_is_when_nothing_is_left(story: Story) -> None:
    times = story.fold()
    deadline, running = times.runs_out_at, times.running
    assert (deadline is None) == (running is None)
    if deadline is not None and running is not None:
        assert times.left(running, deadline) == 0
        assert deadline == times.since or times.left(running, deadline - 1) > 0
        assert times.is_out(deadline)
        assert deadline == times.since or not times.is_out(deadline - 1)
    assert running is not None or not times.is_out(story.now)


@given(stories(backwards=True))
def test_a_page_counts_down_to_the_same(story: Story) -> None:
    times = story.fold()
    shown = times.shown()
    assert shown.running == times.running
    for seat in range(story.seats):
        passed = max(0, story.now - shown.since) if seat == shown.running else 0
        ended = all(end <= story.now for _, end in times.gaps)
        if ended:
            assert max(0, shown.left[seat] - passed) == times.left(seat, story.now)


@given(st.lists(st.integers(-2 * HOUR * S, 20 * S), max_size=20))
def test_a_clock_that_is_set_back_counts_on_from_there(steps: list[int]) -> None:
    times = Times.begin(Clock("live", 7200, 0), 1, NOW)
    at, forward = NOW, 0
    for round_number, step in enumerate(steps):
        times = times.turn(at, Turn(round_number + 1, 0, False))
        at += step
        forward += max(0, step)
    if steps:
        assert times.used(0, at) == forward


# ---- examples --------------------------------------------------------------------------------------------------------

A1, B1, A2, B2 = (Turn(round_number, seat, False) for round_number in (1, 2) for seat in (0, 1))


def test_a_live_turn_adds_but_never_above_the_start() -> None:
    times = Times.begin(LIVE, 2, NOW).turn(NOW, A1)
    assert times.left(0, NOW + 4 * S) == 56 * S
    times = times.turn(NOW + 4 * S, B1)
    assert times.left(0, NOW + 9 * S) == 60 * S
    times = times.turn(NOW + 34 * S, A2)
    assert [times.left(0, NOW + 35 * S), times.left(1, NOW + 35 * S)] == [59 * S, 40 * S]
    assert times.runs_out_at == NOW + 94 * S
    assert times.remind_at == NOW + 34 * S + 48 * S


def test_days_lose_what_is_not_used_and_then_the_bank() -> None:
    times = Times.begin(DAYS, 2, NOW).turn(NOW, A1)
    day = DAY * S
    assert times.left(0, NOW) == 3 * day
    assert times.remind_at == NOW + day * 4 // 5
    early = times.turn(NOW + day // 2, B1)
    assert early.left(0, NOW + day) == 3 * day
    late = times.turn(NOW + 2 * day, B1)
    assert late.left(0, NOW + 2 * day) == 2 * day
    assert late.turn(NOW + 2 * day, A2).left(0, NOW + 4 * day) == 0


def test_a_reminder_that_is_late_is_due_at_once() -> None:
    times = Times.begin(LIVE, 1, NOW).turn(NOW, A1).stop(NOW + 55 * S).go(NOW + 70 * S)
    assert times.remind_at == NOW + 70 * S
    assert times.runs_out_at == NOW + 75 * S


def test_nothing_runs_without_a_clock_or_before_the_first_turn_or_after_the_last() -> None:
    for times in (
        Times.begin(NO_CLOCK, 2, NOW).turn(NOW, A1),
        Times.begin(LIVE, 2, NOW),
        Times.begin(LIVE, 2, NOW).turn(NOW, A1).turn(NOW + S, None),
    ):
        assert (times.running, times.runs_out_at, times.remind_at, times.is_out(NOW + DAY * S)) == (
            None,
            None,
            None,
            False,
        )
        assert lefts(times, NOW + S) == lefts(times, NOW + DAY * S)


def test_a_timeout_leaves_nothing_and_the_next_turn_begins_with_the_addition() -> None:
    times = Times.begin(LIVE, 2, NOW).turn(NOW, A1).timed_out(NOW + 59 * S, 0)
    assert (times.left(0, NOW + 59 * S), times.running, times.is_out(NOW + DAY * S)) == (0, None, False)
    times = times.turn(NOW + 61 * S, B1).turn(NOW + 62 * S, A2)
    assert times.running is None
    assert times.wake(NOW + 63 * S, 0).left(0, NOW + 64 * S) == 9 * S


def test_a_late_move_without_a_timeout_does_not_owe_time() -> None:
    times = Times.begin(LIVE, 2, NOW).turn(NOW, A1).turn(NOW + 100 * S, B1)
    assert times.left(0, NOW + 100 * S) == 10 * S


def test_each_reason_to_stop_must_be_gone() -> None:
    times = Times.begin(LIVE, 2, NOW).turn(NOW, A1).stop(NOW, "open").stop(NOW, "paused").go(NOW + S, "open")
    assert times.running is None
    assert times.go(NOW + 2 * S, "paused").left(0, NOW + 3 * S) == 59 * S


def test_two_nodes_that_excuse_the_same_gap_give_it_back_once() -> None:
    times = Times.begin(LIVE, 2, NOW).turn(NOW, A1)
    once = times.excuse(NOW + 10 * S, NOW + 40 * S)
    twice = once.excuse(NOW + 12 * S, NOW + 41 * S)
    assert [once.left(0, NOW + 50 * S), twice.left(0, NOW + 50 * S)] == [40 * S, 41 * S]
    late = times.turn(NOW + 40 * S, B1).excuse(NOW + 10 * S, NOW + 40 * S).excuse(NOW + 10 * S, NOW + 40 * S)
    assert late.turn(NOW + 50 * S, None).left(0, NOW + 50 * S) == 50 * S


@pytest.mark.parametrize("clock", [LIVE, DAYS, Clock("days", 20, 10)])
def test_a_gap_can_be_excused_after_the_next_turn_of_the_same_seat_has_begun(clock: Clock) -> None:
    times = Times.begin(clock, 2, NOW).turn(NOW, A1)
    early = times.excuse(NOW + 5 * S, NOW + 20 * S).turn(NOW + 20 * S, A2)
    late = times.turn(NOW + 20 * S, A2).excuse(NOW + 5 * S, NOW + 20 * S)
    assert lefts(early, NOW + 22 * S) == lefts(late, NOW + 22 * S)
    assert late.left(0, NOW + 20 * S) == times.left(0, NOW)


def test_a_clock_that_is_set_back_in_a_turn_gives_no_hours() -> None:
    times = Times.begin(LIVE, 2, NOW).turn(NOW, A1).turn(NOW - HOUR * S, A1)
    assert times.left(0, NOW - HOUR * S + 20 * S) == 40 * S


def test_a_gap_after_the_time_was_up_does_not_put_it_off() -> None:
    times = Times.begin(LIVE, 2, NOW).turn(NOW, A1).excuse(NOW + 70 * S, NOW + 80 * S)
    assert times.runs_out_at == NOW + 60 * S


def test_a_gap_from_before_a_turn_counts_only_from_its_beginning() -> None:
    """So it is when the clock was set back in between."""
    times = Times.begin(LIVE, 2, NOW).turn(NOW, A1).excuse(NOW - 20 * S, NOW + 10 * S)
    assert times.runs_out_at == NOW + 70 * S
    assert times.left(0, NOW + 15 * S) == 55 * S
    assert times.shown().since == NOW + 10 * S


def test_a_played_game_gives_each_addition_once() -> None:
    """The turns of a real game are in order for each seat, whatever is taken back."""
    game = Game.first(seed=1)
    times, at = Times.begin(Clock("live", 7200, 1), 2, NOW), NOW
    times = times.turn(at, game.turn)
    while not game.over:
        before = times
        game.play(game.legal_moves()[0])
        at += 2 * S
        times = times.turn(at, None if game.over else game.turn)
        if not game.over and game.undo_limit < len(game.plies):
            undone, kept = game.turn, times.left(game.player, at)
            game.undo()
            assert times.turn(at, game.turn).left(game.player, at) <= kept
            game.play(game.legal_moves()[0])
            assert game.turn == undone
            assert times.turn(at, game.turn) == times
        for seat in (0, 1):
            assert times.left(seat, at) <= before.left(seat, at - 2 * S) + S
    turns = [sum(turn.turn.seat == seat for turn in game.turns()) for seat in (0, 1)]
    for seat in (0, 1):
        given_back = times.left(seat, at) - (7200 * S - times.used(seat, at))
        assert 0 < given_back <= turns[seat] * S


# ---- the kinds of clock ----------------------------------------------------------------------------------------------


def test_presets_can_be_chosen_and_are_as_fast_as_they_say() -> None:
    for clock in (NO_CLOCK, *PRESETS.values()):
        check(clock)
    assert [(clock.speed, AWAY[clock.speed]) for clock in (FAST, NORMAL, SLOW)] == [
        ("fast", 30),
        ("normal", 60),
        ("slow", 120),
    ]


@pytest.mark.parametrize(
    ("clock", "text"),
    [
        (Clock("none", 1, 0), "a time without a clock: expected a live clock or one of days"),
        (Clock("live", 59, 0), "59 seconds at the beginning: expected 60 to 7200"),
        (Clock("live", 7201, 0), "7201 seconds at the beginning: expected 60 to 7200"),
        (Clock("live", 60, -1), "-1 seconds added each turn: expected 0 to 600"),
        (Clock("live", 60, 601), "601 seconds added each turn: expected 0 to 600"),
        (Clock("days", 0, 3599), "3599 seconds for a turn: expected 3600 to 1209600"),
        (Clock("days", 0, 14 * DAY + 1), "1209601 seconds for a turn: expected 3600 to 1209600"),
        (Clock("days", -1, DAY), "-1 seconds in the bank: expected 0 to 2592000"),
        (Clock("days", 30 * DAY + 1, DAY), "2592001 seconds in the bank: expected 0 to 2592000"),
    ],
)
def test_times_that_no_game_is_played_with_are_refused(clock: Clock, text: str) -> None:
    with pytest.raises(Refusal, match=f"^{text}$"):
        check(clock)


@pytest.mark.parametrize("kind", ["live", "days"])
def test_the_limits_themselves_are_accepted(kind: Literal["live", "days"]) -> None:
    for start, add in ((60, 0), (7200, 600)) if kind == "live" else ((0, HOUR), (30 * DAY, 14 * DAY)):
        check(Clock(kind, start, add))
