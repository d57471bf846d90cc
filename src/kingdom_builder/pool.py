"""The process of a worker: works off what the server sends, one thing after the other.

Messages are pickles, each with its length before it. `workers.py` is the other end.
"""

import os
import pickle
import socket
import sys
import threading
import traceback
from importlib import import_module
from queue import SimpleQueue
from struct import Struct

LENGTH = Struct("!Q")
READY = b"!"
"""What a worker says first."""

NICENESS = 10
"""The server itself comes first."""


def main() -> None:
    """Work until the server hangs up. The only argument is the number of the socket to it."""
    os.nice(NICENESS)
    import_module("kingdom_builder.server.desk")  # so that the first work does not wait for it
    server = socket.socket(fileno=int(sys.argv[1]))
    todo: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_listen, args=(server, todo), daemon=True).start()
    server.sendall(READY)
    while True:
        server.sendall(framed(_answer(todo.get())))


def framed(message: bytes) -> bytes:
    """A message as it goes over the socket."""
    return LENGTH.pack(len(message)) + message


def _listen(server: socket.socket, todo: SimpleQueue[bytes]) -> None:
    """Receive work in a thread of its own, to notice the end of the server also in the middle of some work."""
    stream = server.makefile("rb")
    while header := stream.read(LENGTH.size):
        todo.put(stream.read(*LENGTH.unpack(header)))
    os._exit(1)


def _answer(message: bytes) -> bytes:
    """What comes of some work, as a pickle: whether it went well, and its result or what it raised."""
    try:
        work, arguments = pickle.loads(message)
        return pickle.dumps((True, work(*arguments)))
    except Exception as error:
        return _failure(error)


def _failure(error: Exception) -> bytes:
    try:
        answer = pickle.dumps((False, error))
        pickle.loads(answer)  # not every exception can be read again
    except Exception:
        answer = pickle.dumps((False, RuntimeError("".join(traceback.format_exception(error)))))
    return answer


if __name__ == "__main__":
    main()
