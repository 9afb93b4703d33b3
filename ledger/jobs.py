"""Long work: done by a process of its own, while a page says how far it is.

A job is a folder in DATA_DIR, for who started it only, and gone after a day. It lies
beside the database, not in it: work that writes in one transaction could not tell
there how far it is, nor could a copy of the ledger use what is half done.

One job works at a time, so that the tables never wait for the books. Its process
holds a lock on a file of the folder until it ends, however it ends: a job without
outcome and without lock was cut short.
"""

from __future__ import annotations

import fcntl
import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from enum import Enum
from pathlib import Path
from threading import Thread
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.contrib.auth.models import User
from django.utils import translation
from django.utils.module_loading import import_string

from ledger.models import Club

KEPT = timedelta(days=1)


class Stopped(Exception):
    """Work that cannot be done; the sentence, in the active language, says why."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is there when the work is done: a page to go on to, or a file to fetch."""

    page: str = ""
    """Its address."""
    file: str = ""
    """The name to save the job's *result* under."""


Work = Callable[["Job"], Outcome]
"""A function at the top of a module, which the process can find by its name."""


class State(Enum):
    WAITING = "waiting"
    WORKING = "working"
    DONE = "done"
    STOPPED = "stopped"
    """By a reason that *why* gives."""
    BROKEN = "broken"
    """By a fault of ours, or since the server was stopped: it may be started again."""


@dataclass(frozen=True, slots=True)
class Status:
    state: State
    done: int = 0
    total: int = 0
    outcome: Outcome = Outcome()
    why: str = ""

    @property
    def runs(self) -> bool:
        return self.state in (State.WAITING, State.WORKING)


@dataclass(frozen=True, slots=True)
class Job:
    id: UUID
    user: int
    club: int
    title: str
    """What is being made, in the words and language of who started it."""
    language: str
    work: str
    asked: Mapping[str, Any]
    """What the work needs to know; as JSON keeps it."""

    @property
    def folder(self) -> Path:
        """Where the work may put files of its own."""
        return _jobs() / str(self.id)

    @property
    def result(self) -> Path:
        """Where the work puts the file that is to be fetched."""
        return self.folder / "result"

    def tell(self, done: int, total: int) -> None:
        """Say how far the work is: some times a second is often enough."""
        _write(self.folder / "progress", [done, total])


def start(
    work: Work, *, title: str, user: User, club: Club, asked: Mapping[str, Any]
) -> Job:
    """Have *work* done; asked for twice while it is under way, it is done once."""
    _sweep()
    name = f"{work.__module__}.{work.__qualname__}"
    language = translation.get_language() or "en"
    job = Job(uuid4(), user.pk, club.pk, title, language, name, asked)
    if running := _under_way(job):
        return running
    job.folder.mkdir(mode=0o700, parents=True)
    _write(job.folder / "job", asdict(job) | {"id": str(job.id)})
    if settings.JOBS_APART:
        _set_off(job)
    else:
        do(job)
    return job


def get(id: UUID) -> Job:
    job = _read(_jobs() / str(id))
    if job is None:
        raise LookupError(f"no job {id}")
    return job


def status(job: Job) -> Status:
    """Return how far *job* is."""
    alive = _is_locked(job.folder / "alive")  # first: who ends leaves an outcome
    if ended := _load(job.folder / "ended"):
        outcome = Outcome(**ended["outcome"])
        return Status(State(ended["state"]), outcome=outcome, why=ended["why"])
    if not alive:
        return Status(State.BROKEN)
    if progress := _load(job.folder / "progress"):
        done, total = progress
        return Status(State.WORKING, done, total)
    return Status(State.WAITING)


def do(job: Job) -> None:
    """Do the work of *job*, and leave there how it ended."""
    ended = Status(State.BROKEN)
    try:
        with translation.override(job.language), _turn():
            job.tell(0, 0)
            ended = Status(State.DONE, outcome=import_string(job.work)(job))
    except Stopped as why:
        ended = Status(State.STOPPED, why=str(why))
    finally:
        _write(
            job.folder / "ended",
            {
                "state": ended.state.value,
                "outcome": asdict(ended.outcome),
                "why": ended.why,
            },
        )


def _under_way(job: Job) -> Job | None:
    """Return the job that does already what *job* would."""
    for other in _all():
        if replace(other, id=job.id, title=job.title) == job and status(other).runs:
            return other
    return None


def _set_off(job: Job) -> None:
    """Start the process that does *job*: it inherits the lock, and outlives us."""
    with (job.folder / "alive").open("w") as alive:
        fcntl.flock(alive, fcntl.LOCK_EX)
        process = subprocess.Popen(
            [sys.executable, settings.BASE_DIR / "manage.py", "job", str(job.id)],
            cwd=settings.BASE_DIR,
            stdin=subprocess.DEVNULL,
            pass_fds=[alive.fileno()],
            start_new_session=True,
        )
    Thread(target=process.wait, daemon=True).start()  # no zombie stays behind


@contextmanager
def _turn() -> Iterator[None]:
    """Wait until no other job works."""
    with (_jobs() / "turn").open("w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        yield


def _is_locked(path: Path) -> bool:
    with suppress(FileNotFoundError), path.open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


# The folders


def _jobs() -> Path:
    return Path(settings.DATA_DIR) / "jobs"


def _all() -> Iterator[Job]:
    for folder in _jobs().glob("*/"):
        if job := _read(folder):
            yield job


def _read(folder: Path) -> Job | None:
    said = _load(folder / "job")
    return Job(**said | {"id": UUID(said["id"])}) if said else None


def _sweep() -> None:
    """Throw away what was left alone for a day."""
    for folder in _jobs().glob("*/"):
        with suppress(FileNotFoundError):  # another request sweeps too
            old = time.time() - folder.stat().st_mtime > KEPT.total_seconds()
            if old and not _is_locked(folder / "alive"):
                shutil.rmtree(folder, ignore_errors=True)


def _write(path: Path, said: object) -> None:
    """Write whole or not at all: the page reads it meanwhile."""
    draft = path.with_suffix(".draft")
    draft.write_text(json.dumps(said))
    draft.replace(path)


def _load(path: Path) -> Any:
    try:
        return json.loads(path.read_text())
    except FileNotFoundError:
        return None
