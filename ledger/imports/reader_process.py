"""Start of the reader of workbooks: a process with limits, `READERS` at a time.

A hostile file occupies one reader for some seconds; an upload that finds all of them
busy is refused at once.
"""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

from django.conf import settings

from ledger.file_locks import try_lock
from ledger.imports import bounds
from ledger.imports.bounds import SheetRefused
from ledger.imports.grid import SheetGrid

READERS = 2
"""Readers on this host at the same time."""
TIMEOUT = 60
"""Seconds by the clock: a busy host gives a reader little of its processor."""


logger = logging.getLogger(__name__)
COMMAND = [sys.executable, "-m", "ledger.imports.reader"]
ENVIRONMENT = {"OPENPYXL_LXML": "False"}
"""Not the environment of the site, which holds secrets."""


class ReadersBusy(Exception):
    """All readers are at work."""


def read_sheets(data: bytes) -> list[SheetGrid]:
    """Return the sheets of an XLSX. Raise `SheetRefused` or `ReadersBusy`."""
    with _reader_slot(), TemporaryFile() as file, TemporaryFile() as answer:
        file.write(data)
        file.seek(0)
        if ended := _run_reader(file, answer):
            logger.warning("The reader of a workbook ended with %s.", ended)
            raise SheetRefused(bounds.TOO_MUCH)  # most likely it was stopped by a limit
        answer.seek(0)
        return _load_answer(json.load(answer))


def _load_answer(answer: dict[str, Any]) -> list[SheetGrid]:
    if "refused" in answer:
        raise SheetRefused(answer["refused"], answer["row"])
    return [SheetGrid.load(sheet) for sheet in answer["sheets"]]


def _run_reader(file: IO[bytes], answer: IO[bytes]) -> int:
    """Run the reader with a timeout; return its exit status."""
    process = subprocess.Popen(
        COMMAND,
        cwd=settings.BASE_DIR,
        env=ENVIRONMENT,
        stdin=file,
        stdout=answer,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        return process.wait(TIMEOUT)
    except subprocess.TimeoutExpired:
        return 1
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@contextmanager
def _reader_slot() -> Iterator[None]:
    """Lock one of the files that count the readers. Raise `ReadersBusy`."""
    folder = Path(settings.DATA_DIR) / "readers"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for number in range(READERS):
        with (folder / str(number)).open("w") as slot:
            if try_lock(slot):
                yield
                return
    raise ReadersBusy
