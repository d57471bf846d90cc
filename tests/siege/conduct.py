"""Conducts a siege: the ground, the people, then the attackers, and a report."""

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import IO

from siege.attacks import ATTACKS, Siege
from siege.ground import Ground
from siege.report import Form, Look, Report, Waited, lasting

HERE = Path(__file__).resolve().parents[1]
ARRIVAL_SECONDS = 30
PREPARATION_SECONDS = 180
FAREWELL_SECONDS = 60
"""How late the attackers may say that they have ended: a line that nobody waits for would be read for the next one."""

QUIET_SECONDS = 3
SETTLING_SECONDS = 1.5
"""After preparations, so that they are over when the attack begins."""


def addresses_of(siege: Siege, *, many: bool = False) -> list[str]:
    """Whence an attack comes. Each has an address of its own, since the server may remember those of the others."""
    if many or siege.crowd:
        return [f"127.0.{third}.{fourth}" for third in range(66, 71) for fourth in range(1, 255)]
    return [siege.address or f"127.0.65.{list(ATTACKS).index(siege.name) + 1}"]


class People:
    """The process of the people, and what they have reported so far."""

    def __init__(self, port: int, shared_address: str) -> None:
        self._waits: dict[int, Waited] = {}
        self._stack = contextlib.ExitStack()
        self._process = self._stack.enter_context(_process("siege.people", str(port), shared_address))
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()

    def __enter__(self) -> "People":
        began = time.monotonic()
        while sum(each.ended is not None for each in self.waits()) < 5:
            time.sleep(0.05)
            if time.monotonic() > began + ARRIVAL_SECONDS:
                self.__exit__()
                raise RuntimeError("the people could not begin to play")
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._reading.join()
        self._stack.close()

    def waits(self) -> list[Waited]:
        """Everything that they waited for, or still wait for."""
        if self._process.poll() is not None:
            raise RuntimeError("the process of the people has ended")
        return list(self._waits.values())

    def settle(self, since: float, until: float, patience: float) -> None:
        """Wait until nobody waits any more for what began in some time, or until all patience is at an end."""
        while time.monotonic() < until + patience and any(
            since <= each.began < until and each.ended is None for each in self.waits()
        ):
            time.sleep(0.05)

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            event = json.loads(line)
            if "kind" in event:
                self._waits[event["wait"]] = Waited(event["kind"], event["at"])
            else:
                wait = self._waits[event["wait"]]
                wait.trouble = event["trouble"]
                wait.ended = event["at"]


class Camp:
    """A server of its own and its people: here attacks are carried out, one or several."""

    def __init__(self, folder: Path, shared_address: str = "") -> None:
        self._stack = contextlib.ExitStack()
        self._ground = self._stack.enter_context(Ground(folder))
        self._band = self._stack.enter_context(_process("siege.band", str(self._ground.port)))
        self._people = self._stack.enter_context(People(self._ground.port, shared_address))
        began = time.monotonic()
        time.sleep(QUIET_SECONDS)
        self.quiet = self._look(began, time.monotonic())

    def __enter__(self) -> "Camp":
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def besiege(self, siege: Siege, form: Form, addresses: list[str]) -> Report:
        """Carry out an attack."""
        ground, people = self._ground, self._people
        complaints = len(ground.errors())
        self._order(f"{siege.name} {form.attack} {','.join(addresses)}")
        if _line(self._band.stdout, PREPARATION_SECONDS) != "ready\n":
            raise RuntimeError(f"the attack {siege.name} could not be prepared")
        if siege.restarts:
            ground.restart()
        if siege.settles:
            time.sleep(SETTLING_SECONDS)
        attacked = time.monotonic()
        self._order("go")
        doing = _line(self._band.stdout, form.attack + FAREWELL_SECONDS).strip()
        if doing in ("failed", ""):
            raise RuntimeError(f"the attack {siege.name} came to an end")
        over = time.monotonic()
        people.settle(attacked, over, form.bot + 1)
        during = self._look(attacked, over)
        after = None
        if form.after_each:
            time.sleep(max(0, over + form.rest - time.monotonic()))
            rested = time.monotonic()
            time.sleep(form.after)
            after = self._look(rested, time.monotonic())
        if siege.acknowledgement is not None:
            share = 1 if form.share > 0.9 else form.share  # in the short form one long wait may be chance
            form = replace(form, acknowledgement=siege.acknowledgement, share=share)
        if form.after_each:  # in the short form there are too few answers for their 99 %
            form = replace(form, tail=siege.tail)
        return Report(siege.name, form, doing, self.quiet, during, after, ground.errors()[complaints:])

    def _order(self, line: str) -> None:
        assert self._band.stdin is not None
        self._band.stdin.write(line + "\n")
        self._band.stdin.flush()

    def rest(self, form: Form) -> Look:
        """What people feel some time after the last attack."""
        time.sleep(form.rest)
        rested = time.monotonic()
        time.sleep(form.after)
        return self._look(rested, time.monotonic())

    def _look(self, since: float, until: float) -> Look:
        now = time.monotonic()
        samples = self._ground.samples(since, now)
        return Look.of(
            self._people.waits(),
            since,
            until,
            now=now,
            memory=max(sample.memory for sample in samples),
            disk=max(sample.disk for sample in samples),
            connections=self._ground.connections(),
        )


class Camps:
    """Gives a camp for each attack: a new one when an attack has done harm, and for each if it looks afterwards."""

    def __init__(self, new_folder: Callable[[], Path]) -> None:
        self._new_folder = new_folder
        self._camp: Camp | None = None

    def camp(self) -> Camp:
        if self._camp is None:
            self._camp = Camp(self._new_folder())
        return self._camp

    def leave(self) -> None:
        if self._camp is not None:
            self._camp.__exit__()
            self._camp = None

    def besiege(self, siege: Siege, form: Form, addresses: list[str]) -> Report:
        """The report of the last attempt, which has done harm only if all did, each at a new camp.

        In the short form one long wait decides, and a machine that others share stands still for seconds now and then.
        It hardly does so twice during the same attack, while an attack that works does harm each time. An error in the
        log needs no second attempt: it is not the machine's.
        """
        report = self._attempt(siege, form, addresses)
        for _ in range(1, form.attempts):
            if report.harm() and not report.tracebacks:
                report = self._attempt(siege, form, addresses)
        return report

    def lasting(self, form: Form) -> list[str]:
        """What is not as before some time after the last attack, and still is not when looked at again."""
        camp = self.camp()
        harm = lasting(camp.rest(form), camp.quiet, form)
        for _ in range(1, form.attempts):
            harm = harm and lasting(camp.rest(form), camp.quiet, form)
        return harm

    def _attempt(self, siege: Siege, form: Form, addresses: list[str]) -> Report:
        report = self.camp().besiege(siege, form, addresses)
        if report.harm() or form.after_each:
            self.leave()
        return report


@contextlib.contextmanager
def _process(module: str, *arguments: str) -> Iterator["subprocess.Popen[str]"]:
    """A process that is killed in the end, with its copies."""
    process = subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        cwd=HERE,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
        start_new_session=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()


def _line(stream: IO[str] | None, seconds: float) -> str:
    """The next line; nothing if none comes in time."""
    assert stream is not None
    return stream.readline() if select.select([stream], [], [], seconds)[0] else ""
