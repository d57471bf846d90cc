"""A program that imports the server once, then forks a child for each server that it is asked for.

Each line that it reads is an order: the settings, the port and a file for the output. Each child writes a line when it
listens, or why it does not.
"""

import json
import os
import signal
import sys
import threading
from pathlib import Path
from typing import Any


def main() -> None:
    from kingdom_builder.server import serve
    from kingdom_builder.server.catalogue import catalogue

    catalogue()
    assert serve.__name__
    assert threading.active_count() == 1, "a process with threads must not fork"
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody has to wait for the children
    for line in sys.stdin:
        if not os.fork():
            _serve(json.loads(line))


def _serve(order: dict[str, Any]) -> None:
    from kingdom_builder.server.journal import StoreError
    from kingdom_builder.server.serve import serve
    from kingdom_builder.server.settings import Settings

    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    answers = os.dup(sys.stdout.fileno())
    output = os.open(order["output"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(output, sys.stdout.fileno())
    os.dup2(output, sys.stderr.fileno())
    os.dup2(os.open(os.devnull, os.O_RDONLY), sys.stdin.fileno())

    def tell(text: str) -> None:
        os.write(answers, json.dumps({"pid": os.getpid(), "text": text}).encode() + b"\n")

    settings = {**order["settings"], "data": Path(order["data"])}
    if settings.pop("hasty", False):
        _hurry()
    status = 0
    try:
        serve(Settings(**settings), "127.0.0.1", order["port"], tell)
    except (StoreError, ValueError) as error:
        tell(str(error))
        status = 1
    except KeyboardInterrupt:
        status = 130
    os._exit(status)


def _hurry() -> None:
    """Make the deadlines for requests short."""
    from kingdom_builder.server import door, middleware

    door.REQUEST_SECONDS, door.ANSWER_SECONDS, middleware.BODY_SECONDS = 0.5, 1.0, 0.5


if __name__ == "__main__":
    main()
