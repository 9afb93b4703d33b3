"""`make run` from nothing to a page, and again."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.error import URLError
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPCookieProcessor, build_opener

import pytest

from ledger.network import own_address

ROOT = Path(__file__).parent.parent
LINK = re.compile(r"http://\S+/sign-in/\S+/\S+/")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("data")


def test_the_first_start_shows_the_demo_and_the_second_keeps_it(folder):
    with _running(folder) as said:
        first_link = _link(folder, said)
        first = _clubs(_signed_in(first_link))
    with _running(folder) as said:
        second_link = _link(folder, said)
        second = _clubs(_signed_in(second_link))

    assert first != []
    assert second == first
    assert second_link.split("/sign-in/")[1] != first_link.split("/sign-in/")[1]
    assert "/sign-in/" not in said
    assert "`.venv/bin/python manage.py signin` prints a link" in said
    assert _open_to_others(folder) == []


def test_a_start_without_demo_leads_to_a_club_of_ones_own(folder, tmp_path):
    empty = f"sqlite:///{tmp_path}/db.sqlite3"

    with _running(folder, DATABASE_URL=empty, DEMO="0") as said:
        home = _signed_in(LINK.search(said)[0])

    assert _clubs(home) == []
    assert "/clubs/new/" in home


def test_a_start_for_the_network_prints_what_a_phone_can_open(folder):
    with _running(folder, HOST="0.0.0.0") as said:
        link = _link(folder, said)
        home = _signed_in(link)

    assert urlsplit(link).hostname == own_address()
    assert _clubs(home) != []
    assert f"Kontra is at http://{urlsplit(link).netloc}/." in said


def _printed(folder, *command):
    python = ROOT / ".venv/bin/python"
    env = {"HOME": os.environ["HOME"], "DATA_DIR": str(folder)}
    return subprocess.check_output([python, *command], cwd=ROOT, env=env, text=True)


def _open_to_others(folder):
    """Return what of *folder*, itself included, somebody else may read."""
    found = [folder, *folder.rglob("*")]
    return [path for path in found if path.lstat().st_mode & 0o077]


@contextmanager
def _running(folder, **settings):
    """Run Kontra on a free port and yield what it prints."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    kept = {name: os.environ[name] for name in ("HOME", "PATH")}
    run = subprocess.Popen(
        ["make", "run"],
        cwd=ROOT,
        env=kept | {"DATA_DIR": str(folder), "PORT": port} | settings,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        yield _said(run)
    finally:
        os.killpg(run.pid, signal.SIGTERM)
        run.communicate(timeout=20)


def _said(run):
    printed = []
    for line in run.stdout:
        printed.append(line)
        if LINK.search(line) or "prints a link" in line:
            return "".join(printed)
    raise AssertionError("".join(printed))


def _link(folder, said):
    """Return the link that a start printed, or one that is asked for."""
    return LINK.search(said + _printed(folder, "manage.py", "signin"))[0]


def _signed_in(link):
    """Follow *link* as a browser would and return the home page."""
    browser = build_opener(HTTPCookieProcessor(CookieJar()))
    page = _read(browser, link)
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)[1]
    form = urlencode({"csrfmiddlewaretoken": token}).encode()
    with browser.open(link, form) as answer:
        assert answer.url == re.match("http://[^/]+/", link)[0]
        return answer.read().decode()


def _read(browser, url):
    until = time.monotonic() + 20
    while True:
        try:
            with browser.open(url) as answer:
                return answer.read().decode()
        except URLError:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)


def _clubs(page):
    return re.findall(r'href="(/clubs/\d+/)"', page)


LOADED = """
import gc, os, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "ledger.settings"
import ledger.wsgi
from django.db import connections
from ledger.serving import gunicorn
gunicorn.on_starting(None)
connections["default"].ensure_connection()
gunicorn.pre_fork(None, None)
print("ledger.views.table.slip_page" in sys.modules, gc.get_freeze_count() > 10_000)
print(connections["default"].connection)
"""


def test_all_is_loaded_before_the_workers_part_and_no_connection_is_shared(tmp_path):
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", LOADED],
        cwd=ROOT,
        env=os.environ | {"DATA_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
    )

    assert run.stdout.split() == ["True", "True", "None"], run.stderr
