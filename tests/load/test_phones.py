"""A short run of `make load`: phones at their worst, and a server that dies."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from ledger import backups
from tests.load.pages import forms
from tests.load.server import ROOT


@pytest.mark.django_db(transaction=True)
def test_nothing_is_lost_or_doubled_when_phones_race_and_the_server_is_killed():
    with backups.empty_database_url() as url:
        run = subprocess.run(
            [sys.executable, "-m", "tests.load.phones", "--seconds=5", "--kills=2"],
            cwd=ROOT,
            env=os.environ | {"DATABASE_URL": url},
            capture_output=True,
            text=True,
        )

    assert run.stdout.rstrip().endswith("faults: 0"), run.stdout + run.stderr
    assert run.returncode == 0
    assert " saved" in run.stdout


def test_a_phone_reads_a_form_as_a_browser_would_send_it():
    page = """<form method="post"><input name="id" value="7">
    <input type="radio" name="won" value="0"><input type="radio" name="won" value="1"
    checked><input name="gone" disabled><button name="number" value="3"></button></form>
    <form action="/search/"><input name="q"></form>"""

    (form,) = forms(page, "/here/")

    assert form.action == "/here/"
    assert form.fields == [("id", "7"), ("won", "1")]
    assert form.choices == {"won": ["0", "1"]}
    assert form.buttons == [("number", "3")]
    assert form.filled(won="0") == [("id", "7"), ("won", "0")]
