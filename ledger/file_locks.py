"""Locks on files. The system releases them when their process ends."""

from __future__ import annotations

import fcntl
from typing import IO, Any


def try_lock(file: IO[Any], *, shared: bool = False) -> bool:
    """Lock *file* until it is closed; return False at once where another has it."""
    how = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
    try:
        fcntl.flock(file, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
