"""How gunicorn reads: a thread gets a request when it is there, not while it comes.

With gunicorn's own worker whoever sends a byte now and then keeps a thread for ever,
and there are a few dozen of them. Here the one loop that accepts connections also
collects what they send, of all of them at once; a form is whole before a thread sees
it. Slow ones wait for nobody but themselves, until their time is up or too many wait.
It also waits for those who are to hang up, where gunicorn's loop would stand still.

A body larger than any form is read by its thread, in its time: serving/body_limits.py
refuses it unread, but from who may send a file.
"""

from __future__ import annotations

import re
import selectors
import socket
import struct
import time
from collections import Counter
from concurrent.futures import Future
from functools import partial
from io import BytesIO
from typing import Any

from django.conf import settings
from gunicorn.http.unreader import Unreader
from gunicorn.workers.gthread import ThreadWorker

PATIENCE, OF_A_FILE, OF_AN_ANSWER, LINGER = 20, 120, 20, 2
"""Seconds: for a whole request, for a file in it, for the other side to take some of
the answer, and to hang up after it."""
MOST_WAITING = 256
"""Connections of a worker that are being read; one more, and the oldest goes."""
MOST_HEADERS = 32 * 1024
MOST_IGNORED = 8 * 2**20
"""Bytes of a refused body that are thrown away, so that the answer is read."""
PIECE = 64 * 1024
ENDED = b"\r\n\r\n"
LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d{1,12})[ \t]*\r\n", re.IGNORECASE)
EXPECTS = re.compile(rb"\r\nexpect:[ \t]*100-continue[ \t]*\r\n", re.IGNORECASE)
GO_ON = b"HTTP/1.1 100 Continue\r\n\r\n"


class Arrived(Unreader):  # type: ignore[misc] # gunicorn ships no types
    """What has arrived on a connection."""

    def __init__(self, sock: Any) -> None:
        super().__init__()
        self.sock = sock
        self.begin()

    def begin(self) -> None:
        """Wait for the next request, of which some may be there."""
        self._whole: int | None = None
        self._until = 0.0

    def take(self) -> bool:
        """Take what is there without waiting; whether the other side still is."""
        try:
            data = self.sock.recv(PIECE)
        except BlockingIOError:
            return True
        except OSError:
            return False
        self.buf.seek(0, 2)
        self.buf.write(data)
        return bool(data)

    def is_whole(self) -> bool:
        """Whether a thread need not wait for anything but a file."""
        if self._whole is None:
            self._measure()
        return self._whole is not None and self.buf.seek(0, 2) >= self._whole

    def has_file(self) -> bool:
        """Whether some of it may not have come yet."""
        return self._until > 0

    def is_endless(self) -> bool:
        return self._whole is None and self.buf.seek(0, 2) > MOST_HEADERS

    def chunk(self, size_hint: int | None = None) -> bytes:
        """Return more of a file to its thread; nothing, as if it hung up, too late."""
        limit = self.sock.gettimeout()
        left = self._until - time.monotonic()
        if left <= 0:
            return b""
        self.sock.settimeout(left if limit is None else min(left, limit))
        try:
            return bytes(self.sock.recv(min(size_hint or PIECE, PIECE)))
        except TimeoutError:
            return b""
        finally:
            self.sock.settimeout(limit)

    def _measure(self) -> None:
        data = self.buf.getvalue()
        if (end := data.find(ENDED)) < 0:
            return
        head = data[: end + len(ENDED)]
        length = int(said[1]) if (said := LENGTH.search(head)) else 0
        self._whole = len(head)
        if length > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            self._until = time.monotonic() + OF_A_FILE
        else:
            self._whole += length
            if length and EXPECTS.search(head):
                self.sock.send(GO_ON)


class Worker(ThreadWorker):  # type: ignore[misc] # gunicorn ships no types
    """Keeps in `pending_conns` whom its loop listens to and no thread answers."""

    def enqueue_req(self, conn: Any) -> None:
        """Begin to read a request, on a new connection or on one that was kept."""
        if not hasattr(conn, "arrived"):
            conn.arrived = Arrived(conn.sock)
            patience = struct.pack("ll", OF_AN_ANSWER, 0)
            conn.sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, patience)
        conn.arrived.begin()
        self._make_room()
        self._listen(conn, self._read, PATIENCE)
        self._read(conn, conn.sock)

    def handle(self, conn: Any) -> Any:
        """Answer, in a thread, from what has arrived."""
        conn.data_ready = True
        conn.sock.setblocking(True)
        conn.init()
        conn.parser.unreader = conn.arrived
        return super().handle(conn)

    def _keepalive_after(self, conn: Any, keepalive: bool) -> bool:
        """Keep no connection for what was refused: to read it all takes its time."""
        return not conn.arrived.has_file() and super()._keepalive_after(conn, keepalive)

    def finish_request(self, conn: Any, answered: Future[Any]) -> None:
        ended = not answered.cancelled() and not answered.exception()
        if self.alive and ended and answered.result() is False:
            self._let_go(conn)
        else:
            super().finish_request(conn, answered)

    def murder_pending(self) -> None:
        """Hang up on who takes too long, and on all when the worker stops."""
        now = time.monotonic()
        for conn in list(self.pending_conns):
            if conn.timeout <= now or not self.alive:
                self._hang_up(conn)

    def _listen(self, conn: Any, heard: Any, patience: float) -> None:
        conn.sock.setblocking(False)
        conn.timeout = time.monotonic() + patience
        self.pending_conns.append(conn)
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(heard, conn))

    def _read(self, conn: Any, _sock: Any) -> None:
        if conn not in self.pending_conns:  # gone while this was on its way
            return
        is_there = conn.arrived.take()
        if conn.arrived.is_whole():
            self._turn_from(conn)
            super().enqueue_req(conn)
        elif not is_there or conn.arrived.is_endless():
            self._hang_up(conn)

    def _let_go(self, conn: Any) -> None:
        """Hang up when the other side has: before, it might not get the answer."""
        try:
            conn.sock.shutdown(socket.SHUT_WR)
        except OSError:
            self.nr_conns -= 1
            conn.close()
        else:
            conn.ignored = 0
            self._listen(conn, self._ignore, LINGER)

    def _ignore(self, conn: Any, _sock: Any) -> None:
        if conn not in self.pending_conns:
            return
        conn.arrived.buf = BytesIO()
        is_there = conn.arrived.take()
        conn.ignored += conn.arrived.buf.tell()
        if not is_there or conn.ignored > MOST_IGNORED:
            self._hang_up(conn)

    def _make_room(self) -> None:
        """Of the place from which most are waiting, let go who waits longest."""
        if len(self.pending_conns) >= MOST_WAITING:
            places = Counter(conn.client[0] for conn in self.pending_conns)
            crowd = places.most_common(1)[0][0]
            self._hang_up(next(c for c in self.pending_conns if c.client[0] == crowd))

    def _turn_from(self, conn: Any) -> None:
        self.poller.unregister(conn.sock)
        self.pending_conns.remove(conn)

    def _hang_up(self, conn: Any) -> None:
        self._turn_from(conn)
        self.nr_conns -= 1
        conn.close()
