"""Players that are programs, in any language: `docs/bots.md` specifies what they read and write."""

import os
import selectors
import shlex
import shutil
import signal
import subprocess
from random import Random
from time import monotonic

from kingdom_builder.hexes import bits
from kingdom_builder.notation import action_text, position_of
from kingdom_builder.rules import Action, Observation, turn_of

PROTOCOL = 1

START_SECONDS = 10.0
"""How long a program may take to say that it is ready."""

PATIENCE = 10
"""A program that thinks this many times longer than a turn may take has stalled."""

QUIT_SECONDS = 1.0
"""How long a program may take to end after `quit`."""

MOST_BYTES = 1_000_000
"""The most bytes that a program may write for one answer."""

LAST_WORDS = 2000
"""Bytes of a program's error output that are kept, to show why it crashed."""


class BotFailure(Exception):
    """A program cannot play on; the message says why."""


class ExternalPlayer:
    """A program that plays one seat of one game. It is started when it is first asked for an action."""

    def __init__(self, command: str, seconds: float, seed: object = None) -> None:
        """`seconds` is the time for a turn."""
        try:
            self.arguments = shlex.split(command)
        except ValueError as error:
            raise ValueError(f"'run:{command}' is not a player: {error}") from None
        if not self.arguments:
            raise ValueError("'run:' is not a player: expected a command, as in 'run:python examples/bot.py'")
        if shutil.which(self.arguments[0]) is None:
            raise ValueError(f"'run:{command}' is not a player: there is no program {self.arguments[0]!r}")
        self.seconds = seconds
        self._seed = Random(None if seed is None else str(seed)).randrange(2**31)
        self._program: Program | None = None
        self._turn: object = None
        self._spent = 0.0

    def start(self) -> "Program":
        """The program; it is started if it does not run yet."""
        if self._program is None:
            self._program = Program(self.arguments)
            self._program.write(f"kb {PROTOCOL}")
            ready = self._program.answer(START_SECONDS)
            if ready != "ready":
                raise BotFailure(f"wrote {_shortened(ready)} instead of 'ready'")
            self._program.write(f"game seed {self._seed} time {round(self.seconds * 1000)}")
        return self._program

    def choose(self, seen: Observation) -> Action:
        if turn_of(seen) != self._turn:
            self._turn = turn_of(seen)
            self._spent = 0.0
        program = self.start()
        legal = {action_text(seen.setup, action): action for action in bits(seen.legal())}
        left = max(0.0, self.seconds - self._spent)
        began = monotonic()
        program.write(f"position {position_of(seen)}", f"legal {' '.join(legal)}", f"go {round(left * 1000)}")
        word, _, move = program.answer(PATIENCE * self.seconds - self._spent).partition(" ")
        self._spent += monotonic() - began
        if word != "move":
            raise BotFailure(f"wrote {_shortened(f'{word} {move}'.rstrip())} instead of 'move ...'")
        if move not in legal:
            raise BotFailure(f"played {_shortened(move)}, which is not legal")
        return legal[move]

    def close(self) -> None:
        """Ask the program to quit, and kill it if it does not."""
        if self._program is not None:
            self._program.close()


def _shortened(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:60]}...")


class Program:
    """A running program with its pipes. It leads a process group, so that everything it starts ends with it."""

    running: set["Program"] = set()
    """All programs that have not been closed yet."""

    def __init__(self, arguments: list[str]) -> None:
        try:
            self._process = subprocess.Popen(
                arguments,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            raise BotFailure(f"could not be started: {error.strerror}") from None
        self.running.add(self)
        assert self._process.stdin
        assert self._process.stdout
        assert self._process.stderr
        self._stdin, self._stdout, self._stderr = self._process.stdin, self._process.stdout, self._process.stderr
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._stdout, selectors.EVENT_READ)
        self._selector.register(self._stderr, selectors.EVENT_READ)
        self._unread = b""
        self._last_words = b""

    def write(self, *lines: str) -> None:
        """Write lines to the program."""
        try:
            self._stdin.write("".join(f"{line}\n" for line in lines).encode())
        except BrokenPipeError:
            raise BotFailure(self._how_it_ended()) from None

    def answer(self, seconds: float) -> str:
        """The program's next line that is neither empty nor a remark (`info ...`)."""
        deadline = monotonic() + seconds
        written = 0
        while True:
            while b"\n" in self._unread:
                line, self._unread = self._unread.split(b"\n", 1)
                text = line.decode(errors="replace").strip()
                if text and text.split()[0] != "info":
                    return text
            ready = self._selector.select(max(0.0, deadline - monotonic()))
            if not ready:
                raise BotFailure(f"did not answer within {seconds:.3g} seconds")
            for key, _ in ready:
                data = os.read(key.fd, 65536)
                if key.fileobj is self._stderr:
                    self._last_words = (self._last_words + data)[-LAST_WORDS:]
                    if not data:
                        self._selector.unregister(self._stderr)
                elif data:
                    self._unread += data
                    written += len(data)
                else:
                    raise BotFailure(self._how_it_ended())
            if written > MOST_BYTES:
                raise BotFailure(f"wrote more than {MOST_BYTES} bytes without an answer")

    def _how_it_ended(self) -> str:
        try:
            code = self._process.wait(QUIT_SECONDS)
        except subprocess.TimeoutExpired:
            return "closed its output"
        os.set_blocking(self._stderr.fileno(), False)
        self._last_words += self._stderr.read() or b""
        words = self._last_words.decode(errors="replace").strip().splitlines()
        return f"ended with exit code {code}" + (f": {words[-1]}" if words else "")

    def close(self) -> None:
        """Ask the program to quit and wait for it; kill it if it does not."""
        try:
            self.write("quit")
            self._stdin.close()
            self._process.wait(QUIT_SECONDS)
        except (BotFailure, subprocess.TimeoutExpired):
            pass
        self.kill()

    def kill(self) -> None:
        """Kill the program at once, with everything that it started."""
        self.running.discard(self)
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self._selector.close()
        for pipe in (self._stdin, self._stdout, self._stderr):
            pipe.close()
