"""Worker processes: what they return and raise, and that none lives longer than its parent."""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import BrokenExecutor
from pathlib import Path

import pytest
from processes import PATIENCE, is_running, wait_for

from kingdom_builder.pool import Pool, before_leaving


def half(number: int) -> float:
    if number % 2:
        raise OSError(f"{number} is odd")
    return number / 2


def die() -> None:
    os._exit(3)


def sleep(mark: str) -> None:
    """Sleeps after it has written which process it is; leaves another mark when it has to leave."""
    before_leaving(lambda: Path(f"{mark}.left").touch())
    Path(mark).write_text(str(os.getpid()))
    time.sleep(PATIENCE)


def begun(mark: Path) -> int:
    wait_for(lambda: mark.exists() and bool(mark.read_text()))
    return int(mark.read_text())


def test_calls_return_and_raise_as_they_would_here() -> None:
    with Pool(2) as pool:
        assert list(pool.map(half, range(0, 40, 2))) == list(range(20))
        assert pool.submit(int, "ff", base=16).result() == 255
        assert len(pool.submit(bytes, 5_000_000).result()) == 5_000_000
        with pytest.raises(OSError, match="3 is odd"):
            pool.submit(half, 3).result()
        with pytest.raises(Exception, match="pickle"):
            pool.submit(lambda: None)
    with pytest.raises(RuntimeError, match="no more work"):
        pool.submit(half, 2)


def test_there_are_as_many_processes_as_there_should_be() -> None:
    with Pool(2) as pool:
        found = {pool.submit(os.getpid).result() for _ in range(10)}
        assert os.getpid() not in found
        assert 1 <= len(found) <= 2
    assert not any(is_running(each) for each in found)


def test_a_process_that_dies_fails_one_call_only() -> None:
    with Pool(1) as pool:
        first, deadly, last = pool.submit(half, 2), pool.submit(die), pool.submit(half, 4)
        assert first.result() == 1
        with pytest.raises(BrokenExecutor):
            deadly.result()
        assert last.result() == 2


def fail() -> None:
    raise ValueError("not prepared")


def test_a_preparation_that_fails_fails_the_calls() -> None:
    with Pool(1, fail) as pool, pytest.raises(ValueError, match="not prepared"):
        pool.submit(half, 2).result()


def stop_in_a_block(pool: Pool, mark: Path) -> None:
    with pool:
        pool.submit(sleep, str(mark))
        begun(mark)
        raise KeyboardInterrupt


def test_work_stops_at_once_when_the_block_is_left_by_an_error(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    pool = Pool(1)
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        stop_in_a_block(pool, mark)
    assert time.monotonic() - began < PATIENCE / 2
    assert not is_running(begun(mark))
    assert Path(f"{mark}.left").exists()


# ---- the main program ------------------------------------------------------------------------------------------------

MAIN = """
import sys, time
from kingdom_builder.pool import Pool
def double(number):
    print("careless")
    return 2 * number
"""


def start(folder: Path, code: str) -> "subprocess.Popen[str]":
    file = folder / "main.py"
    file.write_text(MAIN + code)
    return subprocess.Popen(
        [sys.executable, str(file)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )


def test_functions_of_the_main_program_can_be_called_and_what_they_print_is_not_a_result(tmp_path: Path) -> None:
    main = start(tmp_path, "if __name__ == '__main__':\n    print(Pool(1).submit(double, 21).result())\n")
    assert main.communicate(timeout=PATIENCE) == ("42\n", "careless\n")


def test_a_main_program_that_starts_workers_when_it_is_imported_is_told_what_to_do(tmp_path: Path) -> None:
    main = start(tmp_path, "print(Pool(1).submit(double, 21).result())\n")
    out, err = main.communicate(timeout=PATIENCE)
    assert out == ""
    assert "expected what starts them under if __name__ == '__main__'" in err


WAITING = """
from test_pool import sleep
if __name__ == "__main__":
    pool = Pool(1)
    pool.submit(sleep, {mark!r})
    time.sleep(600)
"""

UNREAD = """
from test_pool import sleep
from kingdom_builder.pool import WorkerProcess, call
if __name__ == "__main__":
    process = WorkerProcess(bool)
    process.socket.sendall(call(bytes, 10))
    process.socket.sendall(call(sleep, {mark!r}))
    time.sleep(600)
"""
"""Two answers are never read: so the connection is reset when the process is killed."""


@pytest.mark.parametrize("code", [WAITING, UNREAD])
@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGTERM])
def test_a_worker_ends_with_its_parent_in_the_middle_of_its_work(tmp_path: Path, code: str, sign: int) -> None:
    mark = tmp_path / "mark"
    with start(tmp_path, code.format(mark=str(mark))) as main:
        worker = begun(mark)
        main.send_signal(sign)
    wait_for(lambda: not is_running(worker))
    assert Path(f"{mark}.left").exists()
