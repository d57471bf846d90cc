"""Worker processes that end with their parent, however it ends, and a pool of them.

A worker calls the functions that its parent sends as pickles over a socket, one at a time, and sends back what they
return or raise. When the parent hangs up or dies, the worker ends, even in the middle of its work.
"""

import os
import pickle
import signal
import socket
import subprocess
import sys
import traceback
from collections.abc import Callable, Mapping
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import suppress
from functools import partial
from multiprocessing import spawn
from queue import Empty, SimpleQueue
from struct import Struct
from threading import Lock, Thread
from typing import Any, ParamSpec, TypeVar

LENGTH = Struct("!Q")
"""The length that precedes each message."""

LEAVE_SECONDS = 5.0
"""How long a worker may take to end before it is killed."""

P = ParamSpec("P")
T = TypeVar("T")

_is_worker = False
_before_leaving: list[Callable[[], object]] = []


# ---- in the parent ---------------------------------------------------------------------------------------------------


def call(function: Callable[..., object], *arguments: object, **options: object) -> bytes:
    """The message that asks a worker to call a function, which must belong to a module."""
    return _framed(pickle.dumps(partial(function, *arguments, **options)))


def result_of(answer: bytes) -> Any:
    """What a function returned, from the answer of a worker. Raises what the function raised."""
    returned, result = pickle.loads(answer)
    if not returned:
        raise result
    return result


class WorkerProcess:
    """A process that runs `work`, with the socket to it."""

    def __init__(self, prepare: Callable[[], object]) -> None:
        """`prepare` is called first in the new process; when it returns, the process is ready. Raises OSError."""
        self.socket, theirs = socket.socketpair()
        # The worker finds modules where this process does, never in the working directory.
        paths = os.pathsep.join(filter(None, sys.path))
        with theirs:
            try:
                self.socket.sendall(call(prepare))
                self.program = subprocess.Popen(
                    [sys.executable, "-P", "-c", f"from kingdom_builder.pool import work; work({theirs.fileno()})"],
                    pass_fds=[theirs.fileno()],
                    stdin=subprocess.DEVNULL,
                    stdout=2,  # what a careless player prints must not end up in the output of a command
                    env={**os.environ, "PYTHONPATH": paths},
                    start_new_session=True,  # Ctrl+C is for the parent
                )
            except BaseException:
                self.socket.close()
                raise

    def ask(self, message: bytes) -> bytes:
        """The answer to a message. Raises EOFError or OSError if the process ends first."""
        self.socket.sendall(message)
        return self.receive()

    def receive(self) -> bytes:
        """The next answer. Raises EOFError or OSError if the process ends first."""
        (length,) = LENGTH.unpack(self._receive(LENGTH.size))
        return self._receive(length)

    def _receive(self, length: int) -> bytes:
        received = bytearray(length)
        view = memoryview(received)
        while view:
            read = self.socket.recv_into(view)
            if not read:
                raise EOFError("the worker process ended")
            view = view[read:]
        return bytes(received)

    def hang_up(self) -> None:
        """Make the process end, even if another thread waits for its answer."""
        with suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)

    def end(self) -> None:
        """Make the process end and wait for it; kill it if that takes too long."""
        self.hang_up()
        try:
            self.program.wait(LEAVE_SECONDS)
        except subprocess.TimeoutExpired:
            self.program.kill()
            self.program.wait()
        self.socket.close()


class Pool(Executor):
    """An Executor with worker processes, started when there is work. A process that dies fails only one future."""

    def __init__(self, count: int, prepare: Callable[[], object] | None = None) -> None:
        """`prepare` is called first in each process."""
        if _is_worker:
            raise RuntimeError(
                "a worker process cannot start workers: expected what starts them under if __name__ == '__main__'"
            )
        self._prepare = partial(_prepare, _main_module(), prepare)
        self._jobs: SimpleQueue[tuple[Future[Any], bytes] | None] = SimpleQueue()
        self._processes: set[WorkerProcess] = set()
        self._lock = Lock()
        self._is_shut_down = self._is_stopped = False
        self._threads = [Thread(target=self._work_off, daemon=True) for _ in range(count)]
        for thread in self._threads:
            thread.start()

    def submit(self, function: Callable[P, T], /, *arguments: P.args, **options: P.kwargs) -> Future[T]:
        """The future result of a call in one of the processes. Raises what pickle raises."""
        if self._is_shut_down:
            raise RuntimeError("the pool takes no more work")
        future: Future[T] = Future()
        self._jobs.put((future, call(function, *arguments, **options)))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes when the work is done; `cancel_futures` drops work that has not begun."""
        self._is_shut_down = True
        if cancel_futures:
            with suppress(Empty):
                while True:
                    if job := self._jobs.get_nowait():
                        job[0].cancel()
        for _ in self._threads:
            self._jobs.put(None)
        if wait:
            for thread in self._threads:
                thread.join()

    def stop(self) -> None:
        """End the processes at once and give up their work."""
        with self._lock:
            self._is_stopped = True
            for process in self._processes:
                process.hang_up()
        self.shutdown(cancel_futures=True)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Wait for the work, or stop it if the block ends with an error."""
        if kind is None:
            self.shutdown()
        else:
            self.stop()

    def _work_off(self) -> None:
        """Pass work to one process; runs in its own thread."""
        process: WorkerProcess | None = None
        while (job := self._jobs.get()) is not None:
            future, message = job
            if not future.set_running_or_notify_cancel():
                continue
            try:
                process = process or self._start()
                answer = process.ask(message)
            except (OSError, EOFError):
                self._end(process)
                process = None
                future.set_exception(BrokenExecutor("a worker process died"))
                continue
            except Exception as error:  # from the preparation
                future.set_exception(error)
                continue
            try:
                future.set_result(result_of(answer))
            except Exception as error:
                future.set_exception(error)
        self._end(process)

    def _start(self) -> WorkerProcess:
        with self._lock:
            if self._is_stopped:
                raise EOFError("the pool is stopped")
            process = WorkerProcess(self._prepare)
            self._processes.add(process)
        try:
            result_of(process.receive())
        except BaseException:
            self._end(process)
            raise
        return process

    def _end(self, process: WorkerProcess | None) -> None:
        if process is not None:
            process.end()
            with self._lock:
                self._processes.discard(process)


def _main_module() -> dict[str, Any]:
    """Where the main module is, as multiprocessing describes it to a new process: its functions can be called too."""
    data = spawn.get_preparation_data("worker")
    del data["authkey"]  # it cannot be sent, and is not needed
    return data


# ---- in the worker ---------------------------------------------------------------------------------------------------


def work(descriptor: int) -> None:
    """Call what the parent sends over a socket, until it hangs up."""
    global _is_worker
    _is_worker = True
    parent = socket.socket(fileno=descriptor)
    signal.signal(signal.SIGTERM, lambda *_: _leave())
    calls: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_listen, args=(parent, calls), daemon=True).start()
    with suppress(OSError):
        while True:
            answer = _framed(_answer(calls.get()))
            sys.stdout.flush()  # the parent may end as soon as it has the answer
            parent.sendall(answer)
    _leave()


def before_leaving(function: Callable[[], object]) -> None:
    """Call a function when this worker ends because its parent hung up or died."""
    _before_leaving.append(function)


def _prepare(main: Mapping[str, Any], prepare: Callable[[], object] | None) -> None:
    spawn.prepare(main)
    if prepare is not None:
        prepare()


def _listen(parent: socket.socket, calls: SimpleQueue[bytes]) -> None:
    """Receive calls in a separate thread, to notice the end of the parent even in the middle of work."""
    stream = parent.makefile("rb")
    with suppress(OSError):  # the connection is reset if the parent ends before it has read an answer
        while header := stream.read(LENGTH.size):
            calls.put(stream.read(*LENGTH.unpack(header)))
    _leave()


def _leave() -> None:
    for function in _before_leaving:
        with suppress(Exception):
            function()
    os._exit(1)


def _answer(message: bytes) -> bytes:
    """The outcome of a call as a pickle: whether it returned, and what it returned or raised."""
    try:
        return pickle.dumps((True, pickle.loads(message)()))
    except Exception as error:
        return _failure(error)


def _failure(error: Exception) -> bytes:
    try:
        answer = pickle.dumps((False, error))
        pickle.loads(answer)  # not every exception can be unpickled
    except Exception:
        answer = pickle.dumps((False, RuntimeError("".join(traceback.format_exception(error)))))
    return answer


def _framed(message: bytes) -> bytes:
    return LENGTH.pack(len(message)) + message
