"""The contracts of pyproject.toml catch what nobody placed, and imports upwards."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LINTER = Path(sys.executable).with_name("lint-imports")
IMPORTED_UPWARDS = "from ledger.views.club import home\n"
WRITER = "from ledger.journal import writer\n"
CIRCLE = "from ledger.imports import review\n"


@pytest.fixture
def tree(tmp_path):
    """Copy what is linted, so that something can be planted in it."""
    unread = shutil.ignore_patterns("__pycache__", "locale", "static")
    for package in ("ledger", "scoring"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=unread)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_planted_imports_and_a_module_without_a_place_break_the_contracts(tree):
    _plant(tree / "ledger/statistics/query.py", IMPORTED_UPWARDS)
    _plant(tree / "ledger/views/club/home.py", WRITER)
    _plant(tree / "scoring/engine.py", "from scoring.variants import taroki\n")
    _plant(tree / "ledger/imports/sheet_reading.py", CIRCLE)
    (tree / "ledger/unplaced.py").write_text("")

    linted = subprocess.run([LINTER], cwd=tree, capture_output=True, text=True)

    assert linted.returncode == 1
    for broken in (
        "The ledger is built in layers, every module placed BROKEN",
        "No circle of imports, in any folder BROKEN",
        "The journal alone writes entries BROKEN",
        "Only the face of the rules knows a game by name BROKEN",
        "ledger.statistics is not allowed to import ledger.views",
        "ledger.views is not allowed to import ledger.journal.writer",
        "- ledger.unplaced",
    ):
        assert broken in linted.stdout


def _plant(module, line):
    future = "from __future__ import annotations\n"
    module.write_text(module.read_text().replace(future, future + line, 1))


DOCUMENT = (ROOT / "CONTRIBUTING.md").read_text()


@pytest.mark.parametrize("path", sorted(set(re.findall(r"`(\w+/[\w/.*]+)`", DOCUMENT))))
def test_a_path_that_contributing_names_is_there(path):
    assert list(ROOT.glob(path.rstrip("/")))
