"""A short run of `make saves`."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from ledger import backups
from tests.load.server import ROOT


@pytest.mark.django_db(transaction=True)
def test_saves_are_measured_and_none_fails():
    short = ["--clients=1,2", "--seconds=1", "--rounds=1", "--pages=1"]
    with backups.empty_database_url() as url:
        run = subprocess.run(
            [sys.executable, "-m", "tests.load.saves", *short],
            cwd=ROOT,
            env=os.environ | {"DATABASE_URL": url},
            capture_output=True,
            text=True,
        )

    assert run.returncode == 0, run.stderr
    table, costs = run.stdout.split("CPU of the server, ms")
    assert "  2 clients" in table
    assert costs.split()[-2] == "home"
