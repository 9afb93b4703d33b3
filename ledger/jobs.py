"""Jobs: long work in a worker process, while a page shows its progress.

A job is a folder in DATA_DIR, visible to the user who started it, deleted after a day.
It has these files: `job` (the values of `Job`), `alive` (exists since the start, locked
while it runs), `progress`, `result`, and `ended` (state and outcome).

One worker at a time runs the pending jobs, one after the other. It inherits the lock on
the queue and locks the job that it runs; the system releases both when it ends, however
it ends. A job that was started and has neither outcome nor lock is broken.
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

KEPT_FOR = timedelta(days=1)
MOST_PENDING = 20
"""Jobs pending or running."""
MOST_PENDING_EACH = 3
"""The same, of one user."""
MOST_ENDED_EACH = 10
"""Ended jobs of one user: older ones are deleted."""
MOST_BYTES_EACH = 200 << 20
"""Bytes of these together; the latest stays, however large."""


class JobStopped(Exception):
    """A job that cannot be done; the message, in the active language, says why."""


class TooManyJobs(Exception):
    """More jobs than may be pending; the message is in the active language."""


@dataclass(frozen=True, slots=True)
class JobOutcome:
    """Outcome of a job: a page to go on to, or a file to download."""

    page: str = ""
    """URL."""
    file: str = ""
    """Name of the download; its content is the job's `result`."""


Work = Callable[["Job"], JobOutcome]
"""A function at the top of a module: the worker imports it by name."""


class JobState(Enum):
    WAITING = "waiting"
    WORKING = "working"
    DONE = "done"
    STOPPED = "stopped"
    """With a reason in `why`."""
    BROKEN = "broken"
    """By an exception, or because the server stopped: it may be started again."""


@dataclass(frozen=True, slots=True)
class JobStatus:
    state: JobState
    done: int = 0
    total: int = 0
    outcome: JobOutcome = JobOutcome()
    why: str = ""

    @property
    def runs(self) -> bool:
        return self.state in (JobState.WAITING, JobState.WORKING)


@dataclass(frozen=True, slots=True)
class Job:
    id: UUID
    user: int
    club: int
    title: str
    """Title in the language of the user."""
    language: str
    work: str
    params: Mapping[str, Any]
    """Parameters of the work, in JSON's types."""

    @property
    def folder(self) -> Path:
        """Folder of the job, also for files of the work."""
        return _jobs_folder() / str(self.id)

    @property
    def alive(self) -> Path:
        """File that exists since the start, locked until the end."""
        return self.folder / "alive"

    @property
    def result(self) -> Path:
        """File to download, written by the work."""
        return self.folder / "result"

    def report_progress(self, done: int, total: int) -> None:
        """Write the progress, some times a second at most."""
        _write_json(self.folder / "progress", [done, total])


def start(
    work: Work, *, title: str, user: User, club: Club, params: Mapping[str, Any]
) -> Job:
    """Start a job, or return the pending one with the same work and parameters.

    Raise `TooManyJobs`.
    """
    name = f"{work.__module__}.{work.__qualname__}"
    language = translation.get_language() or "en"
    job = Job(uuid4(), user.pk, club.pk, title, language, name, params)
    with _queue_lock():
        _delete_old()
        under_way = [other for other in _all_jobs() if _read_status(other).runs]
        for other in under_way:
            if replace(other, id=job.id, title=job.title) == job:
                return other
        _check_limits(job, under_way)
        job.folder.mkdir(mode=0o700)
        _write_json(job.folder / "job", asdict(job) | {"id": str(job.id)})
    if settings.JOBS_APART:
        start_worker()
    else:
        run_jobs()
    return job


def get(id: UUID) -> Job:
    job = _read_job(_jobs_folder() / str(id))
    if job is None:
        raise LookupError(f"no job {id}")
    return job


def status(job: Job) -> JobStatus:
    """Return the status of *job*; start a worker where it is pending without one."""
    found = _read_status(job)
    if found.state is JobState.WAITING and settings.JOBS_APART:
        start_worker()
    return found


def _read_status(job: Job) -> JobStatus:
    begun, alive = job.alive.exists(), _is_locked(job.alive)
    if ended := _load_json(job.folder / "ended"):  # last: an end writes it
        outcome = JobOutcome(**ended["outcome"])
        return JobStatus(JobState(ended["state"]), outcome=outcome, why=ended["why"])
    if not begun:
        return JobStatus(JobState.WAITING)
    if not alive:
        return JobStatus(JobState.BROKEN)
    done, total = _load_json(job.folder / "progress") or (0, 0)
    return JobStatus(JobState.WORKING, done, total)


# The queue


def start_worker() -> None:
    """Start a worker if jobs are pending and none is running."""
    with _queue_lock(), _worker_lock() as lock:
        if lock is None or _next_job() is None:
            return
        process = subprocess.Popen(
            [sys.executable, settings.BASE_DIR / "manage.py", "jobs", str(lock)],
            cwd=settings.BASE_DIR,
            stdin=subprocess.DEVNULL,
            pass_fds=[lock],  # the lock stays with it when this process ends
            start_new_session=True,
        )
    Thread(target=_wait_for_worker, args=[process], daemon=True).start()


def _wait_for_worker(process: subprocess.Popen[bytes]) -> None:
    """Reap the worker, and start another where it left pending jobs."""
    process.wait()
    start_worker()


def run_jobs(lock: int | None = None) -> None:
    """Run the pending jobs, one after the other, then release the worker's *lock*."""
    while taken := _take_next(lock):
        job, alive = taken
        try:
            _run(job)
        finally:
            os.close(alive)


def _take_next(lock: int | None) -> tuple[Job, int] | None:
    """Return the next job and its lock; where none is pending, release *lock*."""
    with _queue_lock():
        if job := _next_job():
            draft = job.folder / "alive.draft"
            alive = os.open(draft, os.O_CREAT | os.O_RDWR, 0o600)
            fcntl.flock(alive, fcntl.LOCK_EX)
            draft.replace(job.alive)  # it exists and is locked at once
            return job, alive
        if lock is not None:
            os.close(lock)
    return None


def _next_job() -> Job | None:
    """Return the oldest job of the user whose last job started longest ago."""
    served: dict[int, int] = {}
    waiting: list[Job] = []
    for job in _all_jobs():
        if job.alive.exists():
            served[job.user] = max(served.get(job.user, 0), _modified_at(job.alive))
        else:
            waiting.append(job)
    order = sorted(
        waiting,
        key=lambda job: (served.get(job.user, 0), _modified_at(job.folder / "job")),
    )
    return next(iter(order), None)


def _run(job: Job) -> None:
    """Run *job* and write its outcome."""
    ended = JobStatus(JobState.BROKEN)
    try:
        with translation.override(job.language):
            ended = JobStatus(JobState.DONE, outcome=_outcome(job))
    except JobStopped as why:
        ended = JobStatus(JobState.STOPPED, why=str(why))
    finally:
        _write_json(
            job.folder / "ended",
            {
                "state": ended.state.value,
                "outcome": asdict(ended.outcome),
                "why": ended.why,
            },
        )


def _outcome(job: Job) -> JobOutcome:
    try:
        outcome: JobOutcome = import_string(job.work)(job)
    except OSError as error:
        if problem := problem_of(error):
            raise JobStopped(_(problem.says)) from error
        raise
    return outcome


def _check_limits(job: Job, under_way: Sequence[Job]) -> None:
    mine = sum(other.user == job.user for other in under_way)
    if mine >= MOST_PENDING_EACH:
        sentence = ngettext(
            "You have {n} job waiting: wait until it is done.",
            "You have {n} jobs waiting: wait until one is done.",
            mine,
        )
        raise TooManyJobs(sentence.format(n=mine))
    if len(under_way) >= MOST_PENDING:
        raise TooManyJobs(
            _("Too much work is already waiting: try again in a few minutes.")
        )


@contextmanager
def _queue_lock() -> Iterator[None]:
    """Lock the queue, against all processes, to read and change it."""
    _jobs_folder().mkdir(mode=0o700, parents=True, exist_ok=True)
    with (_jobs_folder() / "queue.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextmanager
def _worker_lock() -> Iterator[int | None]:
    """Yield the worker's lock; None where a worker has it."""
    with (_jobs_folder() / "worker.lock").open("w") as file:
        yield file.fileno() if try_lock(file) else None


def _is_locked(path: Path) -> bool:
    with suppress(FileNotFoundError), path.open() as file:
        return not try_lock(file, shared=True)
    return False


# The folders


def _jobs_folder() -> Path:
    return Path(settings.DATA_DIR) / "jobs"


def _all_jobs() -> Iterator[Job]:
    for folder in _jobs_folder().glob("*/"):
        if job := _read_job(folder):
            yield job


def _read_job(folder: Path) -> Job | None:
    data = _load_json(folder / "job")
    return Job(**data | {"id": UUID(data["id"])}) if data else None


def _delete_old() -> None:
    """Delete jobs older than a day, and ended ones beyond each user's limits."""
    held: dict[int, list[int]] = defaultdict(list)
    for folder in sorted(_jobs_folder().glob("*/"), key=_modified_at, reverse=True):
        job = _read_job(folder)
        if job and _read_status(job).state is JobState.WORKING:
            continue
        old = time.time() - folder.stat().st_mtime > KEPT_FOR.total_seconds()
        if old or job is None or (job.alive.exists() and _is_beyond_limits(job, held)):
            shutil.rmtree(folder, ignore_errors=True)


def _is_beyond_limits(job: Job, held: Mapping[int, list[int]]) -> bool:
    mine = held[job.user]
    mine.append(sum(file.stat().st_size for file in job.folder.rglob("*")))
    return len(mine) > 1 and (
        len(mine) > MOST_ENDED_EACH or sum(mine) > MOST_BYTES_EACH
    )


def _modified_at(path: Path) -> int:
    return path.stat().st_mtime_ns


def _write_json(path: Path, data: object) -> None:
    """Write atomically: a page may read the file meanwhile."""
    draft = path.with_suffix(".draft")
    draft.write_text(json.dumps(data))
    draft.replace(path)


def _load_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text())
    except FileNotFoundError:
        return None
