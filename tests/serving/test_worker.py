"""The real server under connections that are slow, large or left open."""

from __future__ import annotations

import os
import socket
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from pathlib import Path

import pytest

from ledger.serving import worker
from tests.load.server import Server

HEAD = "POST /sign-in/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
FORM = "Content-Type: application/x-www-form-urlencoded\r\n\r\n"
PATIENCE = 30
"""Seconds after which a test fails that waits for an answer."""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """The server with an empty ledger on SQLite: no page of it is asked for a row."""
    folder = tmp_path_factory.mktemp("data")
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("DATABASE_URL", raising=False)
        one = Server(folder)
        one.start()
        yield one
        one.stop()


def call(server, sent=""):
    line = socket.create_connection(("127.0.0.1", server.port), PATIENCE)
    line.sendall(sent.encode())
    return line


def status(server, path="/sign-in/"):
    with closing(HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)) as door:
        door.request("GET", path)
        return door.getresponse().status


def threads(server):
    """Return how many threads the workers have made: one for each that had to wait."""
    master = server.run.pid
    workers = Path(f"/proc/{master}/task/{master}/children").read_text().split()
    return sum(len(os.listdir(f"/proc/{pid}/task")) for pid in workers)


@pytest.mark.parametrize(
    "sent",
    [
        "",
        "G",
        HEAD,
        f"{HEAD}100\r\n{FORM}u",
        f"{HEAD}100\r\nExpect: 100-continue\r\n{FORM}",
    ],
    ids=["nothing", "a letter", "half a header", "half a form", "a form to come"],
)
def test_eighty_who_send_no_more_keep_no_thread(sent, server):
    before = threads(server)
    with ExitStack() as stack:
        for _number in range(80):
            stack.enter_context(closing(call(server, sent)))
        answered = [status(server) for _again in range(3)]

        assert answered == [200] * 3
        assert threads(server) < before + 10


def test_eighty_who_do_not_hang_up_hold_nobody_up(server):
    last = "GET /sign-in/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    with ExitStack() as stack:
        lines = [call(server, last) for _number in range(80)]
        for line in lines:
            stack.enter_context(closing(line))

        assert {line.recv(12) for line in lines} == {b"HTTP/1.1 200"}
        assert status(server) == 200


def test_many_who_are_slow_make_room_for_who_comes(server):
    with ExitStack() as stack:
        for _number in range(3 * worker.MOST_WAITING):
            stack.enter_context(closing(call(server, "G")))

        assert [status(server) for _again in range(3)] == [200] * 3


def test_a_form_may_come_in_pieces_and_two_requests_at_once(server):
    get = "GET /sign-in/ HTTP/1.1\r\nHost: localhost\r\n"
    with closing(call(server, get)) as line:
        line.sendall(f"\r\n{get}Connection: close\r\n\r\n".encode())
        with line.makefile("rb") as answers:
            told = answers.read()

    assert told.count(b"HTTP/1.1 200 OK") == 2


@pytest.mark.parametrize("length", [1, 100])
def test_who_is_to_go_on_is_told_so_and_answered(length, server):
    begin = f"{HEAD}{length}\r\nExpect: 100-continue\r\n{FORM}"
    with closing(call(server, begin)) as line:
        assert line.recv(21) == b"HTTP/1.1 100 Continue"
        line.sendall(b"x" * length)
        told = line.recv(4096)
        while b"HTTP/1.1 403" not in told:  # without a token
            told += line.recv(4096)


def test_a_quarter_of_a_gigabyte_is_refused_before_it_comes(server):
    begin = f"{HEAD}{256 * 2**20}\r\n{FORM}"
    with closing(call(server, begin)) as line:
        assert line.recv(12) == b"HTTP/1.1 413"
