"""A workbook read apart: by a process with limits, few of them at once.

Who sends a file that takes all it can get has one process, for some seconds; whoever
comes while every place is taken is told to try again.
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
"""So many read on this host at the same time."""
TIMEOUT = 60
"""By the clock: a host that has much to do gives it a share of the processor only."""


logger = logging.getLogger(__name__)
COMMAND = [sys.executable, "-m", "ledger.imports.reader"]
ENVIRONMENT = {"OPENPYXL_LXML": "False"}
"""Nothing of ours: it holds secrets."""


class ReadersBusy(Exception):
    """Every place to read at is taken."""


def read_sheets(data: bytes) -> list[SheetGrid]:
    """Return the sheets of an XLSX. Raise `Refused`, or `Busy`."""
    with _reader_slot(), TemporaryFile() as file, TemporaryFile() as answer:
        file.write(data)
        file.seek(0)
        if ended := _run_reader(file, answer):
            logger.warning("The reader of a workbook ended with %s.", ended)
            raise SheetRefused(bounds.TOO_MUCH)  # most likely it was stopped by a limit
        answer.seek(0)
        return _load_answer(json.load(answer))


def _load_answer(said: dict[str, Any]) -> list[SheetGrid]:
    if "refused" in said:
        raise SheetRefused(said["refused"], said["row"])
    return [SheetGrid.of(one) for one in said["sheets"]]


def _run_reader(file: IO[bytes], answer: IO[bytes]) -> int:
    """Let the reader read *file*, for a while; return how it ended."""
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
    """Hold one of the places to read at. Raise `Busy` where all are taken."""
    folder = Path(settings.DATA_DIR) / "readers"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for number in range(READERS):
        with (folder / str(number)).open("w") as place:
            if try_lock(place):
                yield
                return
    raise ReadersBusy
