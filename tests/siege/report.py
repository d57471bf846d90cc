"""What people felt of an attack, and whether that is bearable."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from siege.people import ACKNOWLEDGEMENT, BOT, NEWCOMER, RETURN


@dataclass
class Waited:
    """Somebody waited for something, on the monotonic clock."""

    kind: str
    began: float
    ended: float | None = None
    trouble: str = ""

    def seconds(self, since: float, now: float) -> float:
        return (self.ended or now) - max(self.began, since)


class Times(NamedTuple):
    """How long some waiting took, in seconds."""

    number: int
    median: float
    p90: float
    p99: float
    longest: float

    @classmethod
    def of(cls, seconds: Sequence[float]) -> "Times":
        ordered = sorted(seconds) or [0.0]
        median, p90, p99 = (ordered[max(0, math.ceil(len(ordered) * part) - 1)] for part in (0.5, 0.9, 0.99))
        return cls(len(seconds), median, p90, p99, ordered[-1])


@dataclass
class Look:
    """What people felt in some time, and how the server was."""

    answers: Times
    bot: Times
    newcomers: Times
    troubles: list[str]
    """Of people at the tables."""
    turned_away: list[str]
    """Why newcomers did not get in."""
    memory: float
    """The most MB in that time."""
    disk: float
    """The longest that anybody else had to wait for the disk."""
    connections: int | None
    """Open pages at its end; nothing if the server did not report it."""

    @classmethod
    def of(
        cls,
        waits: Sequence[Waited],
        since: float,
        until: float,
        *,
        now: float,
        memory: float,
        disk: float,
        connections: int | None,
    ) -> "Look":
        there = [each for each in waits if each.began < until and (each.ended or now) > since]

        def times(*kinds: str) -> Times:
            return Times.of([each.seconds(since, now) for each in there if each.kind in kinds])

        return cls(
            answers=times(ACKNOWLEDGEMENT, RETURN),
            bot=times(BOT),
            newcomers=times(NEWCOMER),
            troubles=[each.trouble for each in there if each.trouble and each.kind != NEWCOMER],
            turned_away=[each.trouble for each in there if each.trouble and each.kind == NEWCOMER],
            memory=memory,
            disk=disk,
            connections=connections,
        )


@dataclass(frozen=True)
class Form:
    """How long a siege is, and how strictly it is judged."""

    attack: float
    """Seconds."""
    rest: float
    """Seconds after the attack until all has to be as before."""
    after: float
    """Seconds in which that is measured."""
    after_each: bool
    """Whether it is measured after each attack, not only after all of them."""
    share: float
    """Which share of the acknowledgements has to come in time: 0.9, 0.99 or 1."""
    slower: float
    """How many times the quiet median the median may be."""
    tail: float | None = None
    """How many times the quiet 99 % of the acknowledgements theirs may be during the attack, if that counts."""
    least_tail: float = 0.05
    """Seconds below which that is no reason to complain: two cores with other work need as much now and then."""
    attempts: int = 1
    """How often in a row an attack has to do harm before it has succeeded."""
    acknowledgement: float = 0.5
    """Seconds."""
    least: float = 0.02
    """Seconds below which a median is not a reason to complain."""
    bot: float = 5
    newcomer: float = 5
    memory: float = 400
    """MB at any time."""
    more_memory: float = 100
    """MB more than before, afterwards."""
    more_connections: int = 6
    """Open pages more than before, afterwards: newcomers come and go."""


FULL = Form(attack=20, rest=10, after=5, after_each=True, share=0.99, slower=10)
SHORT = Form(attack=1.8, rest=7, after=3, after_each=False, share=0.9, slower=20, attempts=2)


@dataclass(frozen=True)
class Report:
    """An attack and what came of it."""

    name: str
    form: Form
    doing: str
    """What the attackers counted."""
    before: Look
    during: Look
    after: Look | None
    complaints: str
    """What the server wrote to stderr."""

    @property
    def tracebacks(self) -> int:
        return self.complaints.count("Traceback")

    def harm(self) -> list[str]:
        """Why the attack has succeeded; nothing if it has failed."""
        form = self.form
        found = felt(self.during, self.before, form, form.slower, "during the attack")
        if self.tracebacks:
            found.append(f"{self.tracebacks} tracebacks in the log")
        return found + (lasting(self.after, self.before, form) if self.after else [])


def felt(look: Look, before: Look, form: Form, slower: float, when: str) -> list[str]:
    """The harm that people feel."""
    harm = []
    answers = look.answers
    longest = {0.9: answers.p90, 0.99: answers.p99, 1: answers.longest}[form.share]
    usual = before.answers.median
    if not answers.number:
        harm.append(f"nobody made a move {when}")
    if longest > form.acknowledgement:
        disk = f"the disk alone took up to {look.disk:.2f} s"
        harm.append(f"acknowledgements took {longest:.2f} s {when}: expected {form.acknowledgement} s; {disk}")
    if answers.median > max(slower * usual, form.least):
        harm.append(
            f"the median acknowledgement took {1000 * answers.median:.0f} ms {when}, usually {1000 * usual:.1f}"
        )
    if form.tail is not None and answers.p99 > max(form.tail * before.answers.p99, form.least_tail):
        quiet = 1000 * before.answers.p99
        harm.append(f"99 % of the acknowledgements took {1000 * answers.p99:.0f} ms {when}, usually {quiet:.1f}")
    if look.bot.longest > form.bot:
        harm.append(f"a greedy bot needed {look.bot.longest:.1f} s {when}: expected {form.bot} s")
    if look.turned_away:
        away, all_of_them = len(look.turned_away), look.newcomers.number
        harm.append(f"{away} of {all_of_them} newcomers did not get in {when}: {look.turned_away[0]}")
    elif look.newcomers.longest > form.newcomer:
        harm.append(f"a newcomer needed {look.newcomers.longest:.1f} s {when}: expected {form.newcomer} s")
    if look.troubles:
        harm.append(f"people at the tables were {look.troubles[0]} {when}, {len(look.troubles)} times")
    if look.memory > form.memory:
        harm.append(f"{look.memory:.0f} MB {when}: expected at most {form.memory:.0f}")
    return harm


def lasting(after: Look, before: Look, form: Form) -> list[str]:
    """What is not as before some time after the attack."""
    harm = felt(after, before, form, 2, "afterwards")
    if after.memory > before.memory + form.more_memory:
        harm.append(f"{after.memory:.0f} MB afterwards: {before.memory:.0f} before")
    if after.connections is None or before.connections is None:
        harm.append("the server's health could not be asked for")
    elif after.connections > before.connections + form.more_connections:
        harm.append(f"{after.connections} connections afterwards: {before.connections} before")
    return harm
