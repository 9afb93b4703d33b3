"""Write-ahead logs: read into their own file only."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from tests.support.sqlite_file import make, record, recorded


def test_the_log_of_a_killed_server_is_not_read_into_another_file(
    file, connect, tmp_path
):
    child = os.fork()
    if not child:
        record("old")
        os._exit(0)
    os.waitpid(child, 0)
    make(tmp_path / "new", *map(str, range(1000)))

    os.replace(tmp_path / "new", file)

    assert recorded() == [*map(str, range(1000))]
    assert b"old" in Path(f"{file}-wal.before").read_bytes()


def test_the_log_of_a_killed_server_is_read_where_all_was_moved(
    file, connect, tmp_path
):
    child = os.fork()
    if not child:
        record("last")
        os._exit(0)
    os.waitpid(child, 0)
    files = sorted(tmp_path.glob("db.sqlite3*"))

    for each in files:
        shutil.copy(each, tmp_path / f"copy-{each.name}")
        os.replace(tmp_path / f"copy-{each.name}", each)

    assert f"{file}-wal" in map(str, files)
    assert recorded() == ["last"]
