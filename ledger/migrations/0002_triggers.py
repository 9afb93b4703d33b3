"""Triggers that guard the journal, on both engines; on PostgreSQL the counts' table.

SQLite has a file beside the ledger for `ledger/counts.py`. On PostgreSQL its table is
unlogged: nobody waits for the disk, and after a crash it is empty.
"""

from __future__ import annotations

from django.conf import settings
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

from ledger.models import triggers


def install(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    triggers.install(editor.connection)


def remove(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    triggers.remove(editor.connection)


def make_counts(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    if editor.connection.vendor == "postgresql":
        table = settings.COUNTS_TABLE
        editor.execute(table.replace("CREATE TABLE", "CREATE UNLOGGED TABLE"))


def drop_counts(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    if editor.connection.vendor == "postgresql":
        editor.execute("DROP TABLE kontra_counts")


class Migration(migrations.Migration):
    dependencies = [("ledger", "0001_initial")]

    operations = [
        migrations.RunPython(install, remove),
        migrations.RunPython(make_counts, drop_counts),
    ]
