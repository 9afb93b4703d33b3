"""A scorer at the table's pace, first quiet, then under attacks: `make attacks`.

A stranger without an account, and a player who only knows his own, each do their worst
for a few seconds, to the server as `make run` starts it. Printed are how long the
scorer waited for a save, what grew on the disk meanwhile, and what the attacker was
answered. The checkouts named by --beside go through the same.

    python -m tests.load.attacks --seconds 5 --beside ../before
"""

from __future__ import annotations

import argparse
import os
import socket
import tempfile
import time
from collections import Counter
from contextlib import ExitStack, suppress
from http.client import HTTPConnection, HTTPException
from io import BytesIO
from itertools import count
from pathlib import Path
from threading import Event, Thread
from urllib.parse import urlencode, urlsplit
from uuid import uuid4

from tests.load.pages import forms
from tests.load.phones import CSRF, FORM
from tests.load.saves import side
from tests.load.server import ROOT

PACE = 0.3
"""Seconds between two saves; a table is slower, but the figures want many."""
LINES = 8
NUMBERS = count()
BOUNDARY = "kontra"
MULTIPART = f"multipart/form-data; boundary={BOUNDARY}"


class Attacker:
    """One line to the server, and what it was answered."""

    def __init__(self, one):
        self.one, self.told = one, Counter()

    def ask(self, method, path, body=None, **headers):
        """Ask on a line of its own, and note the status."""
        line = HTTPConnection("127.0.0.1", self.one.server.port, timeout=60)
        try:
            line.request(method, path, body, headers)
            answer = line.getresponse()
            self.told[answer.status] += 1
            return answer.headers.get("Location", ""), answer.read().decode()
        except (OSError, HTTPException):
            self.told["cut off"] += 1
            return "", ""
        finally:
            line.close()

    def post(self, path, fields, cookie=""):
        headers = {"Cookie": f"csrftoken={CSRF}; {cookie}", "X-CSRFToken": CSRF}
        headers["Content-Type"] = FORM
        return self.ask("POST", path, urlencode(fields), **headers)

    def sign_in(self, name):
        self.post("/sign-in/", {"username": name, "password": "wrong"})


# What each does, again and again until the time is up


def long_names(attacker):
    attacker.sign_in(f"{next(NUMBERS)}" + "x" * 2_400_000)


def one_name(attacker):
    attacker.sign_in("owner")


def spraying(attacker):
    attacker.sign_in(f"name {next(NUMBERS)}")


def large_bodies(attacker):
    """Send a quarter of a gigabyte, until somebody says no."""
    head = (
        "POST /sign-in/ HTTP/1.1\r\nHost: localhost\r\n"
        f"Cookie: csrftoken={CSRF}\r\nX-CSRFToken: {CSRF}\r\n"
        f"Content-Type: {MULTIPART}\r\nContent-Length: {256 * 2**20}\r\n\r\n"
        f"--{BOUNDARY}\r\nContent-Disposition: form-data; "
        'name="f"; filename="f"\r\n\r\n'
    )
    with _line(attacker) as line, suppress(OSError):
        line.sendall(head.encode())
        for _piece in range(256):
            line.setblocking(False)
            with suppress(BlockingIOError):
                if told := line.recv(64):
                    attacker.told[int(told.split()[1])] += 1
                    return
            line.settimeout(30)
            line.sendall(bytes(2**20))
    attacker.told["all sent or cut off"] += 1


def dripping(attacker):
    """Keep twenty lines open, with a byte now and then: enough for both workers."""
    with ExitStack() as stack, suppress(OSError):
        lines = [stack.enter_context(_line(attacker)) for _number in range(20)]
        for letter in b"GET /sign-in/ HTTP/1.1":
            for line in lines:
                line.sendall(bytes([letter]))
            if attacker.stop.wait(5):
                return
    attacker.told["let go"] += 1


def no_token(attacker):
    attacker.ask("GET", "/api/clubs/", **{"X-Forwarded-For": f"10.0.0.{next(NUMBERS)}"})


def wrong_tokens(attacker):
    said = {"Authorization": f"Bearer kontra_{next(NUMBERS)}"}
    attacker.ask("GET", "/api/clubs/", **said)


def hostile_sheets(attacker):
    """Send, as an owner of a club of one's own, a sheet whose last cell is far away."""
    path = f"/clubs/{attacker.one.own}/import/"
    fields = attacker.one.upload | {"mode": "points", "id": str(uuid4())}
    parts = [_part(name, value.encode()) for name, value in fields.items()]
    parts.append(_part("file", attacker.one.sheet, '; filename="sheet.xlsx"'))
    body = b"".join(parts) + f"--{BOUNDARY}--\r\n".encode()
    cookie = f"csrftoken={CSRF}; {attacker.one.player}"
    headers = {"Cookie": cookie, "X-CSRFToken": CSRF, "Content-Type": MULTIPART}
    attacker.ask("POST", path, body, **headers)


def jobs(attacker):
    path = f"/seasons/{attacker.one.season}/book.xlsx?{next(NUMBERS)}"
    attacker.post(path, {}, attacker.one.player)
    attacker.stop.wait(1)


ATTACKS = {
    "quiet": None,
    "long names": long_names,
    "one name": one_name,
    "many names": spraying,
    "256 MB bodies": large_bodies,
    "dripping lines": dripping,
    "strangers at the API": no_token,
    "wrong tokens": wrong_tokens,
    "hostile sheets": hostile_sheets,
    "40 jobs": jobs,
}


def _line(attacker):
    return socket.create_connection(("127.0.0.1", attacker.one.server.port), 60)


def _part(name, value, more=""):
    head = (
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"{more}\r\n\r\n'
    )
    return head.encode() + value + b"\r\n"


def hostile_sheet(sheets=100):
    """Return a small XLSX: the last cell of each sheet is empty, in the last row."""
    import openpyxl

    book = openpyxl.Workbook()
    for _number in range(sheets):
        sheet = book.create_sheet()
        sheet.append(["Ania", "Bartek"])
        sheet.cell(row=2**20, column=2).number_format = "0.0"
    made = BytesIO()
    book.save(made)
    return made.getvalue()


# The scorer, and what is measured


def prepared(one):
    """Make the second phone a player with a club of its own; find the season."""
    phone = one.phones[1]
    one.player = phone.cookie.partition(";")[0]
    (form,) = (
        f
        for f in forms(phone.get("new", "/clubs/new/").text, "/clubs/new/")
        if f.action == "/clubs/new/"
    )
    filled = form.filled(name="Mine", language="en")
    answer = phone.post("found", "/clubs/new/", filled)
    one.own = answer.place.split("/")[2]
    page = phone.get("club", f"/clubs/{one.club}/").text
    one.season = page.partition('href="/seasons/')[2].partition("/")[0]
    path = f"/clubs/{one.own}/import/"
    upload = next(
        f for f in forms(phone.get("import", path).text, path) if f.action == path
    )
    one.upload, one.sheet = dict(upload.fields), hostile_sheet()


def under(one, attack, seconds):
    """Return how long the scorer waited, what grew, and what the attacker was told."""
    stop, told, largest = Event(), Counter(), []
    begin = used(one.folder)
    threads = [
        Thread(target=_attacking, args=(one, attack, stop, told))
        for _line in range(LINES if attack else 0)
    ]
    threads.append(Thread(target=_watching, args=(one, stop, largest)))
    phone = one.phones[0]
    phone.times["save"].clear()
    for thread in threads:
        thread.start()
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        phone.save()
        stop.wait(PACE)
    stop.set()
    for thread in threads:
        thread.join(90)
    return sorted(phone.times["save"]), max(largest) - begin, told


def _attacking(one, attack, stop, told):
    attacker = Attacker(one)
    attacker.stop = stop
    while not stop.is_set():
        attack(attacker)
    told.update(attacker.told)


def _watching(one, stop, largest):
    while not stop.wait(0.1) or not largest:
        largest.append(used(one.folder))


def used(folder):
    """Return the bytes on the disk, of the ledger and of what is on its way."""
    total = 0
    for place, _folders, files in os.walk(folder):
        for name in files:
            with suppress(OSError):
                total += (Path(place) / name).stat().st_blocks * 512
    return total


def asked():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=5, help="of each attack")
    parser.add_argument("--only", help="attacks, with commas between")
    parser.add_argument("--beside", type=Path, action="append", default=[])
    return parser.parse_args()


def main():
    options = asked()
    names = options.only.split(",") if options.only else list(ATTACKS)
    engine = urlsplit(os.environ.get("DATABASE_URL", "sqlite:")).scheme
    print(f"{engine}, load of the machine {os.getloadavg()[0]:.1f}")
    print(f"{'saving, ms':37}{'p50':>7}{'p95':>7}{'worst':>7}{'MB':>7}  answered")
    for name in dict.fromkeys(["quiet", *names]):
        for root in [ROOT, *(path.resolve() for path in options.beside)]:
            measure(root, name, options.seconds)


def measure(root, name, seconds):
    """On a server and a database of its own: no attack suffers from another."""
    with ExitStack() as stack:
        on_its_way = stack.enter_context(tempfile.TemporaryDirectory(prefix="kontra-"))
        os.environ["TMPDIR"] = on_its_way
        one = stack.enter_context(side(root, 2))
        one.folder = one.server.log.parent
        one.server.env["TMPDIR"] = str(one.folder)
        prepared(one)
        for _warm in range(3):
            one.phones[0].save()
        taken, grown, told = under(one, ATTACKS[name], seconds)
        each = [taken[len(taken) * part // 100] for part in (50, 95)] + taken[-1:]
        shown = "".join(f"{seconds * 1000:7.0f}" for seconds in each)
        said = ", ".join(f"{status}: {times}" for status, times in told.most_common())
        print(
            f"{name:21} {root.name:15}{shown}{grown / 2**20:7.1f}  {said}", flush=True
        )
        for fault in one.phones[0].faults[:3]:
            print(f"  {fault[:150]}")


if __name__ == "__main__":
    main()
