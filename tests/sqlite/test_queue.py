"""Queue of writers: who comes first writes first, of all threads and processes."""

from __future__ import annotations

import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from ledger.sqlite.queue import WriterQueue, queue_of
from tests.support.sqlite_file import PATIENCE

ROOT = Path(__file__).parents[2]


def test_threads_have_their_turn_in_the_order_of_coming(file):
    queue, order = WriterQueue(str(file)), []
    places = [queue.join() for _number in range(8)]

    def write(number):
        queue.wait(places[number], PATIENCE)
        order.append(number)
        queue.leave(places[number])

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(write, reversed(range(8))))

    assert order == list(range(8))


IN_LINE = """
import sys
from ledger.sqlite.queue import queue_of
file, order, name = sys.argv[1:]
queue = queue_of(file)
place = queue.join()
print("in line", flush=True)
queue.wait(place, 60)
with open(order, "a") as written:
    written.write(name)
print("turn", flush=True)
if name.isupper():
    sys.stdin.read()
queue.leave(place)
"""


@contextmanager
def in_line(file, name):
    """Let a process get in line; with a capital letter it keeps its turn until told."""
    command = [sys.executable, "-c", IN_LINE, str(file), f"{file}-order", name]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout.readline() == "in line\n"
            yield process
        finally:
            process.stdin.close()
            process.wait(PATIENCE)


def order(file):
    return Path(f"{file}-order").read_text()


def test_processes_and_threads_have_their_turn_in_the_order_of_coming(file):
    queue = queue_of(str(file))
    first = queue.join()
    queue.wait(first, PATIENCE)

    with in_line(file, "a"), in_line(file, "b"):
        between = queue.join()
        with in_line(file, "c"):
            queue.leave(first)
            queue.wait(between, PATIENCE)
            before = order(file)
            queue.leave(between)

    assert (before, order(file)) == ("ab", "abc")


def test_who_is_killed_in_his_turn_makes_room_at_once(file):
    queue = WriterQueue(str(file))
    with in_line(file, "A") as holder:
        assert holder.stdout.readline() == "turn\n"
        place = queue.join()
        is_free = not queue._is_behind_others(place)

        holder.send_signal(signal.SIGKILL)
        holder.wait(PATIENCE)

        assert not is_free
        assert not queue._is_behind_others(place)


def test_who_is_killed_while_waiting_lets_nobody_pass_the_one_before(file):
    queue = WriterQueue(str(file))
    with in_line(file, "A") as holder, in_line(file, "b") as waiting:
        assert holder.stdout.readline() == "turn\n"
        place = queue.join()

        waiting.send_signal(signal.SIGKILL)
        waiting.wait(PATIENCE)

        assert queue._is_behind_others(place)
        holder.stdin.close()
        queue.wait(place, PATIENCE)

    assert order(file) == "A"


def test_who_loses_patience_leaves_the_line(file):
    queue = WriterQueue(str(file))
    first, second, third = (queue.join() for _number in range(3))

    with pytest.raises(TimeoutError):
        queue.wait(second, 0.01)

    queue.leave(first)
    queue.wait(third, PATIENCE)
    assert list(queue._waiting) == [third]


def test_threads_keep_their_order_where_no_file_can_be_made(tmp_path):
    queue = WriterQueue(str(tmp_path / "nowhere" / "db.sqlite3"))
    first, second = queue.join(), queue.join()

    queue.wait(first, PATIENCE)
    with pytest.raises(TimeoutError):
        queue.wait(second, 0)

    queue.leave(first)
    assert not queue._waiting
