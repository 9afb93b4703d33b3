"""Backups of the whole database: created while it is in use, restored, and verified.

SQLite by its online backup, PostgreSQL by pg_dump. A backup contains the names of its
migrations, which tell whether it is older or newer than this program.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit
from uuid import uuid4

from django.conf import settings
from django.contrib.contenttypes.models import ContentType
from django.core.management.base import CommandError
from django.db import DatabaseError, connection, connections
from django.db.backends.postgresql.client import DatabaseClient
from django.db.migrations.loader import MigrationLoader

from ledger.sqlite.base import DatabaseWrapper

SIGNATURES = {"sqlite": b"SQLite format 3\0", "postgresql": b"PGDMP"}
"""First bytes of a backup, by the vendor of its database."""

DRAFT_PREFIX = ".backup-"
"""Start of the name of a folder with a draft, beside the file that it becomes."""

MIGRATIONS = "SELECT app, name FROM django_migrations"

DROP_ALL = """DO $$ DECLARE what text; BEGIN
    FOR what IN SELECT quote_ident(tablename) FROM pg_tables
        WHERE schemaname = current_schema()
    LOOP EXECUTE 'DROP TABLE ' || what || ' CASCADE'; END LOOP;
    FOR what IN SELECT oid::regprocedure::text FROM pg_proc
        WHERE pronamespace = current_schema()::regnamespace
        AND prorettype = 'trigger'::regtype AND proowner = current_user::regrole
    LOOP EXECUTE 'DROP FUNCTION ' || what || ' CASCADE'; END LOOP;
END $$"""

Migration = tuple[str, str]


@dataclass(frozen=True, slots=True)
class BackupFit:
    """Difference between the migrations of a backup and of this program."""

    unknown: frozenset[Migration]
    """Only in the backup, which is of a newer program."""
    missing: frozenset[Migration]
    """Only in this program: to be run after a restore."""


def create(path: Path) -> None:
    """Write a backup of the database to *path*, atomically."""
    with atomic_file(path) as draft:
        if connection.vendor == "postgresql":
            _run_tool("pg_dump", "--format=custom", f"--file={draft}")
        else:
            _copy_sqlite(draft)


def restore(path: Path) -> None:
    """Replace the whole database by a backup, in one transaction."""
    if connection.vendor == "postgresql":
        _restore_dump(path)
    else:
        _restore_sqlite(path)
    ContentType.objects.clear_cache()


def verify(path: Path) -> str:
    """Restore a backup into an empty database and audit it there; return the output."""
    with empty_database_url() as url:
        done = subprocess.run(
            [sys.executable, "manage.py", "restore", "--migrate", path.resolve()],
            cwd=settings.BASE_DIR,
            env=os.environ | {"DATABASE_URL": url, "SECRET_KEY": "signs nothing"},
            capture_output=True,
            text=True,
        )
    if done.returncode:
        raise CommandError(f"{done.stdout}{done.stderr}".strip())
    return done.stdout.strip()


def fit_of(path: Path) -> BackupFit:
    """Compare the migrations of a backup. Raise `CommandError` on any other file."""
    _check_is_backup(path)
    theirs = frozenset(
        _dump_migrations(path) if _is_postgresql() else _sqlite_migrations(path)
    )
    ours = frozenset(MigrationLoader(None).disk_migrations)
    return BackupFit(unknown=theirs - ours, missing=ours - theirs)


def is_empty() -> bool:
    """Tell whether the database has neither users nor clubs."""
    tables = connection.introspection.table_names()
    with connection.cursor() as cursor:
        for table in {"ledger_user", "ledger_club"}.intersection(tables):
            cursor.execute(f"SELECT 1 FROM {table} LIMIT 1")
            if cursor.fetchone():
                return False
    return True


@contextmanager
def atomic_file(path: Path) -> Iterator[Path]:
    """Yield a draft, readable by its owner only, that then replaces *path*."""
    if not path.parent.is_dir():
        raise CommandError(f"There is no folder {path.parent}.")
    with _draft_folder(path.parent) as folder:
        draft = folder / "draft"
        draft.touch(0o600)
        yield draft
        _sync(draft)
        draft.replace(path)
    _sync(path.parent)


@contextmanager
def _draft_folder(beside: Path) -> Iterator[Path]:
    """Yield a locked folder for a draft; delete those of processes that were killed."""
    with ExitStack() as ours:
        with _locked(beside):
            for left in beside.glob(f"{DRAFT_PREFIX}*/"):
                with suppress(OSError), _locked(left, fcntl.LOCK_NB):
                    shutil.rmtree(left)
            name = ours.enter_context(
                TemporaryDirectory(prefix=DRAFT_PREFIX, dir=beside)
            )
            ours.enter_context(_locked(Path(name)))
        yield Path(name)


@contextmanager
def _locked(folder: Path, how: int = 0) -> Iterator[None]:
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | how)
        yield
    finally:
        os.close(handle)


def _sync(path: Path) -> None:
    """Flush a file or a folder to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _check_is_backup(path: Path) -> None:
    if not path.is_file():
        raise CommandError(f"There is no file {path}.")
    with path.open("rb") as file:
        begins = file.read(16)
    for vendor, mark in SIGNATURES.items():
        if begins.startswith(mark):
            if vendor != connection.vendor:
                raise CommandError(
                    f"{path} was made with {vendor}, and this ledger is kept in "
                    f"{connection.vendor}: set DATABASE_URL to a {vendor} database."
                )
            return
    raise CommandError(f"{path} is no backup of a ledger.")


# SQLite


def _copy_sqlite(draft: Path) -> None:
    """Copy the database to *draft* while others go on writing."""
    connection.ensure_connection()
    try:
        with closing(sqlite3.connect(draft)) as copy:
            connection.connection.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")  # one file, nothing beside it
            _check_integrity(copy)
    except sqlite3.Error as error:
        raise CommandError(f"The copy failed and was thrown away: {error}.") from None


def _restore_sqlite(path: Path) -> None:
    """Replace the database by a copy: readers see the old one or the new one."""
    try:
        connection.ensure_connection()
        with closing(_open_read_only(path)) as copy, _write_turn():
            _check_integrity(copy)
            copy.backup(connection.connection)
    except (sqlite3.Error, DatabaseError) as error:
        name = connection.settings_dict["NAME"]
        raise CommandError(
            f"Nothing was restored: {error}. If it is the old database that cannot "
            f"be read, stop the server, move {name} away and restore again."
        ) from None


@contextmanager
def _write_turn() -> Iterator[None]:
    """Wait in the queue of writers."""
    ours = connections[connection.alias]
    assert isinstance(ours, DatabaseWrapper)
    with ours.turn():
        yield


def _open_read_only(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)


def _check_integrity(copy: sqlite3.Connection) -> None:
    """Raise `CommandError` on damaged pages and broken foreign keys."""
    faults = [row[0] for row in copy.execute("PRAGMA integrity_check")]
    if faults != ["ok"]:
        raise CommandError(f"The copy is damaged: {'; '.join(faults)}.")
    if strays := copy.execute("PRAGMA foreign_key_check").fetchall():
        raise CommandError(f"The copy has rows that point nowhere: {strays[:5]}.")


def _sqlite_migrations(path: Path) -> list[Migration]:
    try:
        with closing(_open_read_only(path)) as copy:
            return copy.execute(MIGRATIONS).fetchall()
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise CommandError(f"{path} cannot be read: {error}.") from None


# PostgreSQL


def _is_postgresql() -> bool:
    return bool(connection.vendor == "postgresql")


def _restore_dump(path: Path) -> None:
    with TemporaryDirectory() as folder:
        script = f"{folder}/script"
        _run_tool(
            "pg_restore",
            *("--no-owner", "--no-privileges", f"--file={script}", str(path)),
            connects=False,
        )
        connection.close()  # the tools would wait for it
        _run_tool(
            "psql",
            *("--quiet", "--no-psqlrc", "--output=/dev/null", "--single-transaction"),
            *("--set=ON_ERROR_STOP=1", f"--command={DROP_ALL}", f"--file={script}"),
        )


def _dump_migrations(path: Path) -> Iterator[Migration]:
    """Yield the migrations in the tab-separated rows of a dump."""
    only = ("--data-only", "--table=django_migrations", "--file=-")
    for line in _run_tool("pg_restore", *only, str(path), connects=False).splitlines():
        cells = line.split("\t")
        if len(cells) == 4:
            yield cells[1], cells[2]


def _run_tool(tool: str, *options: str, connects: bool = True) -> str:
    """Run a tool of PostgreSQL and return its output; on our database if *connects*."""
    if not shutil.which(tool):
        raise CommandError(
            f"{tool} is missing: install the client tools of PostgreSQL "
            "(on Debian: apt install postgresql-client)."
        )
    command, env = [tool, *options], os.environ.copy()
    if connects:
        settings_of = DatabaseClient.settings_to_cmd_args_env
        (_psql, *to), more = settings_of(connection.settings_dict, [])
        command, env = [*command, *to], env | (more or {})
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    if done.returncode:
        raise CommandError(f"Nothing was changed. {done.stderr.strip()}")
    return done.stdout


# An empty database


@contextmanager
def empty_database_url() -> Iterator[str]:
    """Yield the URL of a temporary database."""
    if _is_postgresql():
        with _empty_postgresql() as url:
            yield url
    else:
        with TemporaryDirectory() as folder:
            yield f"sqlite:///{folder}/db.sqlite3"


@contextmanager
def _empty_postgresql() -> Iterator[str]:
    name = f"kontra_verify_{uuid4().hex[:8]}"
    with connection.cursor() as cursor:
        try:
            cursor.execute(f"CREATE DATABASE {name} TEMPLATE template0")
        except DatabaseError as error:
            raise CommandError(
                f"Verifying needs a database of its own: {error}"
            ) from None
        try:
            ours = urlsplit(os.environ["DATABASE_URL"])
            path = f"{ours.path.rpartition('/')[0]}/{name}"
            yield ours._replace(path=path).geturl()
        finally:
            cursor.execute(f"DROP DATABASE {name} WITH (FORCE)")
