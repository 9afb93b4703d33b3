"""Long work: done by a process of its own, while a page says how far it is.

A job is a folder in DATA_DIR, for who started it only, and gone after a day. It lies
beside the database, not in it: work that writes in one transaction could not tell
there how far it is, nor could a copy of the ledger use what is half done.

One process at a time takes the jobs that wait, one after the other, so that the tables
never wait for the books. It holds a lock on the queue, and on the job that it does,
until it ends, however it ends: a job that was begun and has neither outcome nor lock
was cut short.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from enum import Enum
from pathlib import Path
from threading import Thread
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.utils import translation
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ledger.database_errors import problem_of
from ledger.file_locks import try_lock
from ledger.models import Club, User

KEPT = timedelta(days=1)
MOST = 20
"""So many jobs wait or work."""
MOST_EACH = 3
"""So many of one person's."""
KEPT_EACH = 10
"""So many of one person's jobs are kept when they have ended, the latest."""
BYTES_EACH = 200 << 20
"""So much they hold together; the latest is kept whatever it holds."""


class Stopped(Exception):
    """Work that cannot be done; the sentence, in the active language, says why."""


class TooMany(Exception):
    """More work than may wait; the sentence, in the active language, says so."""


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
    def alive(self) -> Path:
        """The file that is there since it was begun, locked until it ended."""
        return self.folder / "alive"

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
    name = f"{work.__module__}.{work.__qualname__}"
    language = translation.get_language() or "en"
    job = Job(uuid4(), user.pk, club.pk, title, language, name, asked)
    with _door():
        _sweep()
        under_way = [other for other in _all() if _status(other).runs]
        for other in under_way:
            if replace(other, id=job.id, title=job.title) == job:
                return other
        _expect_room(job, under_way)
        job.folder.mkdir(mode=0o700)
        _write(job.folder / "job", asdict(job) | {"id": str(job.id)})
    if settings.JOBS_APART:
        go_on()
    else:
        work_off()
    return job


def get(id: UUID) -> Job:
    job = _read(_jobs() / str(id))
    if job is None:
        raise LookupError(f"no job {id}")
    return job


def status(job: Job) -> Status:
    """Return how far *job* is; one that waits for nobody gets somebody."""
    found = _status(job)
    if found.state is State.WAITING and settings.JOBS_APART:
        go_on()
    return found


def _status(job: Job) -> Status:
    begun, alive = job.alive.exists(), _is_locked(job.alive)
    if ended := _load(job.folder / "ended"):  # last: who ends leaves an outcome
        outcome = Outcome(**ended["outcome"])
        return Status(State(ended["state"]), outcome=outcome, why=ended["why"])
    if not begun:
        return Status(State.WAITING)
    if not alive:
        return Status(State.BROKEN)
    done, total = _load(job.folder / "progress") or (0, 0)
    return Status(State.WORKING, done, total)


# The queue


def go_on() -> None:
    """Start the process that works off the queue, if jobs wait and none does yet."""
    with _door(), _turn() as turn:
        if turn is None or _next() is None:
            return
        process = subprocess.Popen(
            [sys.executable, settings.BASE_DIR / "manage.py", "jobs", str(turn)],
            cwd=settings.BASE_DIR,
            stdin=subprocess.DEVNULL,
            pass_fds=[turn],  # it inherits the lock, and outlives us
            start_new_session=True,
        )
    Thread(target=_see_off, args=[process], daemon=True).start()


def _see_off(process: subprocess.Popen[bytes]) -> None:
    """Leave no zombie behind, nor a job that waits for who was killed."""
    process.wait()
    go_on()


def work_off(turn: int | None = None) -> None:
    """Do the jobs that wait, one after the other, and give the *turn* back."""
    while taken := _taken(turn):
        job, alive = taken
        try:
            _do(job)
        finally:
            os.close(alive)


def _taken(turn: int | None) -> tuple[Job, int] | None:
    """Return the next job and its lock; without one nobody has the turn any more."""
    with _door():
        if job := _next():
            draft = job.folder / "alive.draft"
            alive = os.open(draft, os.O_CREAT | os.O_RDWR, 0o600)
            fcntl.flock(alive, fcntl.LOCK_EX)
            draft.replace(job.alive)  # it is begun and locked at once
            return job, alive
        if turn is not None:
            os.close(turn)
    return None


def _next() -> Job | None:
    """Return whose turn it is: of who was served longest ago, the first that came."""
    served: dict[int, int] = {}
    waiting: list[Job] = []
    for job in _all():
        if job.alive.exists():
            served[job.user] = max(served.get(job.user, 0), _time(job.alive))
        else:
            waiting.append(job)
    order = sorted(
        waiting, key=lambda job: (served.get(job.user, 0), _time(job.folder / "job"))
    )
    return next(iter(order), None)


def _do(job: Job) -> None:
    """Do the work of *job*, and leave there how it ended."""
    ended = Status(State.BROKEN)
    try:
        with translation.override(job.language):
            ended = Status(State.DONE, outcome=_outcome(job))
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


def _outcome(job: Job) -> Outcome:
    try:
        outcome: Outcome = import_string(job.work)(job)
    except OSError as error:
        if trouble := problem_of(error):
            raise Stopped(_(trouble.says)) from error
        raise
    return outcome


def _expect_room(job: Job, under_way: Sequence[Job]) -> None:
    mine = sum(other.user == job.user for other in under_way)
    if mine >= MOST_EACH:
        sentence = ngettext(
            "You have {n} job waiting: wait until it is done.",
            "You have {n} jobs waiting: wait until one is done.",
            mine,
        )
        raise TooMany(sentence.format(n=mine))
    if len(under_way) >= MOST:
        raise TooMany(
            _("Too much work is already waiting: try again in a few minutes.")
        )


@contextmanager
def _door() -> Iterator[None]:
    """Let one request or process at a time look at the queue and change it."""
    _jobs().mkdir(mode=0o700, parents=True, exist_ok=True)
    with (_jobs() / "door").open("w") as door:
        fcntl.flock(door, fcntl.LOCK_EX)
        yield


@contextmanager
def _turn() -> Iterator[int | None]:
    """Yield the lock of who works off the queue; None where somebody does."""
    with (_jobs() / "turn").open("w") as turn:
        yield turn.fileno() if try_lock(turn) else None


def _is_locked(path: Path) -> bool:
    with suppress(FileNotFoundError), path.open() as file:
        return not try_lock(file, shared=True)
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
    """Throw away what is left of a day ago, and of each person's more than is kept."""
    held: dict[int, list[int]] = defaultdict(list)
    for folder in sorted(_jobs().glob("*/"), key=_time, reverse=True):
        job = _read(folder)
        if job and _status(job).state is State.WORKING:
            continue
        old = time.time() - folder.stat().st_mtime > KEPT.total_seconds()
        if old or job is None or (job.alive.exists() and _too_many(job, held)):
            shutil.rmtree(folder, ignore_errors=True)


def _too_many(job: Job, held: Mapping[int, list[int]]) -> bool:
    mine = held[job.user]
    mine.append(sum(file.stat().st_size for file in job.folder.rglob("*")))
    return len(mine) > 1 and (len(mine) > KEPT_EACH or sum(mine) > BYTES_EACH)


def _time(path: Path) -> int:
    return path.stat().st_mtime_ns


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
