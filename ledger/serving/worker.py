"""Worker of gunicorn that gives a request to a thread only when it is complete.

With gunicorn's own worker a client that sends a byte now and then occupies one of a few
dozen threads for ever. Here the loop that accepts connections also buffers what all of
them send. Slow clients have no thread, until a timeout, or until too many are waiting.
The loop also waits for clients that should close, where gunicorn's would block.

A body larger than any form is read by its thread, with a timeout of its own;
serving/body_limits.py refuses it unread, except from users who may send files.
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

REQUEST_TIMEOUT, FILE_TIMEOUT, ANSWER_TIMEOUT, LINGER_TIMEOUT = 20, 120, 20, 2
"""Seconds for a whole request, for a file in it, for a client to read some of the
answer, and for it to close afterwards."""
MOST_WAITING = 256
"""Connections of a worker that are being read; one more closes the oldest."""
MOST_HEADER_BYTES = 32 * 1024
MOST_IGNORED_BYTES = 8 * 2**20
"""Bytes of a refused body to discard, so that the client reads the answer."""
CHUNK_BYTES = 64 * 1024
HEADERS_END = b"\r\n\r\n"
CONTENT_LENGTH = re.compile(
    rb"\r\ncontent-length:[ \t]*(\d{1,12})[ \t]*\r\n", re.IGNORECASE
)
EXPECT_CONTINUE = re.compile(rb"\r\nexpect:[ \t]*100-continue[ \t]*\r\n", re.IGNORECASE)
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


class RequestBuffer(Unreader):  # type: ignore[misc] # gunicorn ships no types
    """Buffer of the request that a connection is sending."""

    def __init__(self, sock: Any) -> None:
        super().__init__()
        self.sock = sock
        self.begin()

    def begin(self) -> None:
        """Begin the next request; some of it may be in the buffer."""
        self._whole: int | None = None
        self._until = 0.0

    def take(self) -> bool:
        """Read without waiting; return False if the client has closed."""
        try:
            data = self.sock.recv(CHUNK_BYTES)
        except BlockingIOError:
            return True
        except OSError:
            return False
        self.buf.seek(0, 2)
        self.buf.write(data)
        return bool(data)

    def is_whole(self) -> bool:
        """Tell whether all is in the buffer, except for a file."""
        if self._whole is None:
            self._measure()
        return self._whole is not None and self.buf.seek(0, 2) >= self._whole

    def has_file(self) -> bool:
        """Tell whether the request has a file, which its thread reads."""
        return self._until > 0

    def is_endless(self) -> bool:
        return self._whole is None and self.buf.seek(0, 2) > MOST_HEADER_BYTES

    def chunk(self, size_hint: int | None = None) -> bytes:
        """Return more of a file; nothing after its timeout, as if the client closed."""
        limit = self.sock.gettimeout()
        left = self._until - time.monotonic()
        if left <= 0:
            return b""
        self.sock.settimeout(left if limit is None else min(left, limit))
        try:
            return bytes(self.sock.recv(min(size_hint or CHUNK_BYTES, CHUNK_BYTES)))
        except TimeoutError:
            return b""
        finally:
            self.sock.settimeout(limit)

    def _measure(self) -> None:
        data = self.buf.getvalue()
        if (end := data.find(HEADERS_END)) < 0:
            return
        head = data[: end + len(HEADERS_END)]
        length = int(said[1]) if (said := CONTENT_LENGTH.search(head)) else 0
        self._whole = len(head)
        if length > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            self._until = time.monotonic() + FILE_TIMEOUT
        else:
            self._whole += length
            if length and EXPECT_CONTINUE.search(head):
                self.sock.send(CONTINUE)


class Worker(ThreadWorker):  # type: ignore[misc] # gunicorn ships no types
    """Thread worker; `pending_conns` are those that the loop reads."""

    def enqueue_req(self, conn: Any) -> None:
        """Begin to read a request, on a new connection or one kept alive."""
        if not hasattr(conn, "request_buffer"):
            conn.request_buffer = RequestBuffer(conn.sock)
            patience = struct.pack("ll", ANSWER_TIMEOUT, 0)
            conn.sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, patience)
        conn.request_buffer.begin()
        self._make_room()
        self._listen(conn, self._read, REQUEST_TIMEOUT)
        self._read(conn, conn.sock)

    def handle(self, conn: Any) -> Any:
        """Answer, in a thread, from the buffer."""
        conn.data_ready = True
        conn.sock.setblocking(True)
        conn.init()
        conn.parser.unreader = conn.request_buffer
        return super().handle(conn)

    def _keepalive_after(self, conn: Any, keepalive: bool) -> bool:
        """Close after a request with a file: discarding its rest takes too long."""
        return not conn.request_buffer.has_file() and super()._keepalive_after(
            conn, keepalive
        )

    def finish_request(self, conn: Any, answered: Future[Any]) -> None:
        ended = not answered.cancelled() and not answered.exception()
        if self.alive and ended and answered.result() is False:
            self._close_after_client(conn)
        else:
            super().finish_request(conn, answered)

    def murder_pending(self) -> None:
        """Close connections after their timeout, and all when the worker stops."""
        now = time.monotonic()
        for conn in list(self.pending_conns):
            if conn.timeout <= now or not self.alive:
                self._close(conn)

    def _listen(self, conn: Any, handler: Any, patience: float) -> None:
        conn.sock.setblocking(False)
        conn.timeout = time.monotonic() + patience
        self.pending_conns.append(conn)
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(handler, conn))

    def _read(self, conn: Any, _sock: Any) -> None:
        if conn not in self.pending_conns:  # closed since this event
            return
        is_there = conn.request_buffer.take()
        if conn.request_buffer.is_whole():
            self._stop_listening(conn)
            super().enqueue_req(conn)
        elif not is_there or conn.request_buffer.is_endless():
            self._close(conn)

    def _close_after_client(self, conn: Any) -> None:
        """Close when the client has: closed before, it might not get the answer."""
        try:
            conn.sock.shutdown(socket.SHUT_WR)
        except OSError:
            self.nr_conns -= 1
            conn.close()
        else:
            conn.ignored = 0
            self._listen(conn, self._ignore, LINGER_TIMEOUT)

    def _ignore(self, conn: Any, _sock: Any) -> None:
        if conn not in self.pending_conns:
            return
        conn.request_buffer.buf = BytesIO()
        is_there = conn.request_buffer.take()
        conn.ignored += conn.request_buffer.buf.tell()
        if not is_there or conn.ignored > MOST_IGNORED_BYTES:
            self._close(conn)

    def _make_room(self) -> None:
        """Close the oldest connection of the address that has most of them."""
        if len(self.pending_conns) >= MOST_WAITING:
            places = Counter(conn.client[0] for conn in self.pending_conns)
            crowd = places.most_common(1)[0][0]
            self._close(next(c for c in self.pending_conns if c.client[0] == crowd))

    def _stop_listening(self, conn: Any) -> None:
        self.poller.unregister(conn.sock)
        self.pending_conns.remove(conn)

    def _close(self, conn: Any) -> None:
        self._stop_listening(conn)
        self.nr_conns -= 1
        conn.close()
