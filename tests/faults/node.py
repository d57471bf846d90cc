"""A program that imports the server once, then forks a child for each server that it is asked for.

Each line that it reads is an order: the arguments of `kb serve`, a file for the output and one in which conflicts are
counted. It answers with the process. The variable KB_FAULTS_BUG names a bug that all of them have.
"""

import json
import os
import signal
import sys
import threading
from typing import Any
from weakref import WeakKeyDictionary

BUG = "KB_FAULTS_BUG"


def main() -> None:
    from kingdom_builder.server import postgres_journal, serve
    from kingdom_builder.server.catalogue import catalogue

    catalogue()
    assert serve.__name__
    assert postgres_journal.__name__
    if name := os.environ.get(BUG):
        from faults.bugs import BUGS

        BUGS[name]()
    assert threading.active_count() == 1, "a process with threads must not fork"
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody has to wait for the children
    for line in sys.stdin:
        order = json.loads(line)
        if process := os.fork():
            os.write(sys.stdout.fileno(), f"{process}\n".encode())
        else:
            _serve(order)
    os.killpg(0, signal.SIGKILL)  # whoever has started this one has ended


def _serve(order: dict[str, Any]) -> None:
    from kingdom_builder.cli.main import main as kb

    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    output = os.open(order["output"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(output, sys.stdout.fileno())
    os.dup2(output, sys.stderr.fileno())
    os.dup2(os.open(os.devnull, os.O_RDONLY), sys.stdin.fileno())
    _count_conflicts(order["conflicts"])
    status: object = 1
    try:
        kb(["serve", *order["arguments"]])
    except SystemExit as end:
        status = end.code
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status if isinstance(status, int) else 1)


def _count_conflicts(path: str) -> None:
    """Write down every conflict at once, since the process may be killed at any time."""
    from kingdom_builder.server.postgres_journal import PostgresJournal

    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    counts: WeakKeyDictionary[PostgresJournal, int] = WeakKeyDictionary()

    def count(journal: PostgresJournal, conflicts: int) -> None:
        os.write(file, b"x" * (conflicts - counts.get(journal, 0)))
        counts[journal] = conflicts

    PostgresJournal._conflicts = property(counts.get, count)  # type: ignore[assignment]


if __name__ == "__main__":
    main()
