"""Processes that read and write lines, and those of them that wait for another game."""

import os
import selectors
import signal
import subprocess
from contextlib import suppress
from time import monotonic

from kingdom_builder.players.bot_log import COMPLAINS, READS, WRITES, BotLog
from kingdom_builder.players.cpu_time import cpu_seconds

QUIT_SECONDS = 1.0
"""How long a program may take to end after `quit`."""

MOST_BYTES = 1_000_000
"""The most bytes that a program may write for one answer."""

LAST_WORDS = 2000
"""Bytes of a program's error output that are kept, to show why it crashed."""


class BotFailure(Exception):
    """A program cannot play on; the message says why."""


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
        self.log: BotLog | None = None
        """Where its lines are noted."""
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
        self._note(READS, *lines)
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
                self._note(WRITES, text)
                if text and text.split()[0] != "info":
                    return text
            ready = self._selector.select(max(0.0, deadline - monotonic()))
            if not ready:
                raise BotFailure(f"did not answer within {seconds:.3g} seconds")
            for key, _ in ready:
                data = os.read(key.fd, 65536)
                if key.fileobj is self._stderr:
                    self._hear(data)
                    if not data:
                        self._selector.unregister(self._stderr)
                elif data:
                    self._unread += data
                    written += len(data)
                else:
                    raise BotFailure(self._how_it_ended())
            if written > MOST_BYTES:
                raise BotFailure(f"wrote more than {MOST_BYTES} bytes without an answer")

    def cpu_seconds(self) -> float | None:
        """The CPU time that it has used, with what it started; None where the system does not tell."""
        return cpu_seconds(self._process.pid)

    def _hear(self, data: bytes) -> None:
        """Keep the end of what it writes to its error output."""
        self._last_words = (self._last_words + data)[-LAST_WORDS:]
        self._note(COMPLAINS, *data.decode(errors="replace").splitlines())

    def _note(self, kind: str, *lines: str) -> None:
        if self.log is not None and lines:
            self.log.note(kind, *lines)

    def _how_it_ended(self) -> str:
        try:
            code = self._process.wait(QUIT_SECONDS)
        except subprocess.TimeoutExpired:
            return "closed its output"
        os.set_blocking(self._stderr.fileno(), False)
        self._hear(self._stderr.read() or b"")
        words = self._last_words.decode(errors="replace").strip().splitlines()
        return f"ended with exit code {code}" + (f": {words[-1]}" if words else "")

    def close(self) -> None:
        """Ask the program to quit and wait for it; kill it if it does not."""
        self.ask_to_quit()
        self.wait(QUIT_SECONDS)

    def ask_to_quit(self) -> None:
        """Write the last line."""
        with suppress(BotFailure):
            self.write("quit")
            self._stdin.close()

    def wait(self, seconds: float) -> None:
        """Wait for its end; kill it if that takes longer."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
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
