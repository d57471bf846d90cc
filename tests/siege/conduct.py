"""Conducts a siege: the ground, the people, then the attackers, and a report."""

import contextlib
import json
import select
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import IO

from siege.attacks import ATTACKS, Siege
from siege.ground import Ground
from siege.report import Form, Look, Report, Waited

HERE = Path(__file__).resolve().parents[1]
ARRIVAL_SECONDS = 30
PREPARATION_SECONDS = 180
QUIET_SECONDS = 5
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
        with _process("siege.band", str(ground.port), siege.name, str(form.attack), ",".join(addresses)) as band:
            if _line(band.stdout, PREPARATION_SECONDS) != "ready\n":
                raise RuntimeError(f"the attack {siege.name} could not be prepared")
            if siege.restarts:
                ground.restart()
            if siege.settles:
                time.sleep(SETTLING_SECONDS)
            attacked = time.monotonic()
            assert band.stdin is not None
            band.stdin.write("go\n")
            band.stdin.flush()
            doing = _line(band.stdout, form.attack + 5).strip()
        over = time.monotonic()
        people.settle(attacked, over, form.bot + 1)
        during = self._look(attacked, over)
        after = None
        if form.after:
            time.sleep(max(0, over + form.rest - time.monotonic()))
            rested = time.monotonic()
            time.sleep(form.after)
            after = self._look(rested, time.monotonic())
        if siege.acknowledgement is not None:
            share = 1 if form.share > 0.9 else form.share  # in the short form one long wait may be chance
            form = replace(form, acknowledgement=siege.acknowledgement, share=share)
        return Report(siege.name, form, doing, self.quiet, during, after, ground.errors()[complaints:])

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


@contextlib.contextmanager
def _process(module: str, *arguments: str) -> Iterator["subprocess.Popen[str]"]:
    """A process that is killed in the end."""
    command = [sys.executable, "-m", module, *arguments]
    process = subprocess.Popen(command, cwd=HERE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()


def _line(stream: IO[str] | None, seconds: float) -> str:
    """The next line; nothing if none comes in time."""
    assert stream is not None
    return stream.readline() if select.select([stream], [], [], seconds)[0] else ""
