"""Copies of the whole ledger: made while it is in use, put back whole, and proved.

SQLite is copied by its online backup, PostgreSQL by pg_dump. A copy holds the names
of its migrations, and by these it is older, newer or just right for this program.
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

BEGINS = {"sqlite": b"SQLite format 3\0", "postgresql": b"PGDMP"}
"""How a copy begins, by the database that made it."""

DRAFTS = ".backup-"
"""How the folder of a copy that is not whole yet begins, beside where it will lie."""

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
class Fit:
    """What a copy and this program don't both know."""

    unknown: frozenset[Migration]
    """Migrations of the copy that a newer program made."""
    missing: frozenset[Migration]
    """Migrations of this program that the copy has yet to see."""


def make(path: Path) -> None:
    """Write a copy of the ledger as it is at this moment, whole or not at all."""
    with beside(path) as draft:
        if connection.vendor == "postgresql":
            _run("pg_dump", "--format=custom", f"--file={draft}")
        else:
            _copy(draft)


def restore(path: Path) -> None:
    """Put the copy in the place of everything that is there, all at once."""
    if connection.vendor == "postgresql":
        _replay(path)
    else:
        _copy_back(path)
    ContentType.objects.clear_cache()


def verify(path: Path) -> str:
    """Restore the copy into an empty place, audit it there; return what was said."""
    with _empty_place() as url:
        said = subprocess.run(
            [sys.executable, "manage.py", "restore", "--migrate", path.resolve()],
            cwd=settings.BASE_DIR,
            env=os.environ | {"DATABASE_URL": url, "SECRET_KEY": "signs nothing"},
            capture_output=True,
            text=True,
        )
    if said.returncode:
        raise CommandError(f"{said.stdout}{said.stderr}".strip())
    return said.stdout.strip()


def fit(path: Path) -> Fit:
    """Return how the copy fits this program; raise on what is no copy for it."""
    _expect(path)
    theirs = frozenset(_dumped(path) if _is_dump() else _kept(path))
    ours = frozenset(MigrationLoader(None).disk_migrations)
    return Fit(unknown=theirs - ours, missing=ours - theirs)


def is_empty() -> bool:
    """Whether the database has nobody and no club in it."""
    tables = connection.introspection.table_names()
    with connection.cursor() as cursor:
        for table in {"ledger_user", "ledger_club"}.intersection(tables):
            cursor.execute(f"SELECT 1 FROM {table} LIMIT 1")
            if cursor.fetchone():
                return False
    return True


@contextmanager
def beside(path: Path) -> Iterator[Path]:
    """Yield a file beside *path*, for the owner only, that then takes its place."""
    if not path.parent.is_dir():
        raise CommandError(f"There is no folder {path.parent}.")
    with _draft_folder(path.parent) as folder:
        draft = folder / "draft"
        draft.touch(0o600)
        yield draft
        _flush(draft)
        draft.replace(path)
    _flush(path.parent)


@contextmanager
def _draft_folder(beside: Path) -> Iterator[Path]:
    """Yield a folder for a draft, locked; what others left who were killed goes."""
    with ExitStack() as ours:
        with _locked(beside):
            for left in beside.glob(f"{DRAFTS}*/"):
                with suppress(OSError), _locked(left, fcntl.LOCK_NB):
                    shutil.rmtree(left)
            name = ours.enter_context(TemporaryDirectory(prefix=DRAFTS, dir=beside))
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


def _flush(path: Path) -> None:
    """Have what was written on the disk, not on its way there."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _expect(path: Path) -> None:
    if not path.is_file():
        raise CommandError(f"There is no file {path}.")
    with path.open("rb") as file:
        begins = file.read(16)
    for vendor, mark in BEGINS.items():
        if begins.startswith(mark):
            if vendor != connection.vendor:
                raise CommandError(
                    f"{path} was made with {vendor}, and this ledger is kept in "
                    f"{connection.vendor}: set DATABASE_URL to a {vendor} database."
                )
            return
    raise CommandError(f"{path} is no backup of a ledger.")


# SQLite


def _copy(draft: Path) -> None:
    """In one step, during which phones go on writing."""
    connection.ensure_connection()
    try:
        with closing(sqlite3.connect(draft)) as copy:
            connection.connection.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")  # one file, nothing beside it
            _check(copy)
    except sqlite3.Error as error:
        raise CommandError(f"The copy failed and was thrown away: {error}.") from None


def _copy_back(path: Path) -> None:
    """In one transaction: whoever reads meanwhile sees the old ledger or the new."""
    try:
        connection.ensure_connection()
        with closing(_opened(path)) as copy, _turn():
            _check(copy)
            copy.backup(connection.connection)
    except (sqlite3.Error, DatabaseError) as error:
        name = connection.settings_dict["NAME"]
        raise CommandError(
            f"Nothing was restored: {error}. If it is the old database that cannot "
            f"be read, stop the server, move {name} away and restore again."
        ) from None


@contextmanager
def _turn() -> Iterator[None]:
    """Wait in the queue of those who write."""
    ours = connections[connection.alias]
    assert isinstance(ours, DatabaseWrapper)
    with ours.turn():
        yield


def _opened(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)


def _check(copy: sqlite3.Connection) -> None:
    """Raise unless every page is sound and every row points to one that is there."""
    said = [row[0] for row in copy.execute("PRAGMA integrity_check")]
    if said != ["ok"]:
        raise CommandError(f"The copy is damaged: {'; '.join(said)}.")
    if strays := copy.execute("PRAGMA foreign_key_check").fetchall():
        raise CommandError(f"The copy has rows that point nowhere: {strays[:5]}.")


def _kept(path: Path) -> list[Migration]:
    try:
        with closing(_opened(path)) as copy:
            return copy.execute(MIGRATIONS).fetchall()
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise CommandError(f"{path} cannot be read: {error}.") from None


# PostgreSQL


def _is_dump() -> bool:
    return bool(connection.vendor == "postgresql")


def _replay(path: Path) -> None:
    with TemporaryDirectory() as folder:
        script = f"{folder}/script"
        _run(
            "pg_restore",
            *("--no-owner", "--no-privileges", f"--file={script}", str(path)),
            connects=False,
        )
        connection.close()  # it would wait for itself
        _run(
            "psql",
            *("--quiet", "--no-psqlrc", "--output=/dev/null", "--single-transaction"),
            *("--set=ON_ERROR_STOP=1", f"--command={DROP_ALL}", f"--file={script}"),
        )


def _dumped(path: Path) -> Iterator[Migration]:
    """Yield the migrations that the dump has as tab-separated rows."""
    only = ("--data-only", "--table=django_migrations", "--file=-")
    for line in _run("pg_restore", *only, str(path), connects=False).splitlines():
        cells = line.split("\t")
        if len(cells) == 4:
            yield cells[1], cells[2]


def _run(tool: str, *options: str, connects: bool = True) -> str:
    """Run one of PostgreSQL's own tools, on our database if it *connects*."""
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


# An empty place


@contextmanager
def _empty_place() -> Iterator[str]:
    """Yield the address of a database for this alone, gone afterwards."""
    if _is_dump():
        with _empty_database() as url:
            yield url
    else:
        with TemporaryDirectory() as folder:
            yield f"sqlite:///{folder}/db.sqlite3"


@contextmanager
def _empty_database() -> Iterator[str]:
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
