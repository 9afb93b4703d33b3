"""Where PostgreSQL keeps ledger/counts.py; SQLite has a file for it beside the ledger.

The table is written without a log: nobody waits for the disk, and after a crash it is
empty. What django-axes kept of wrong passwords before, requests and all, is thrown away.
"""

from __future__ import annotations

from django.conf import settings
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

OLD = {"axes_accessattempt", "axes_accessattemptexpiration", "axes_accessfailurelog"}


def make(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    if editor.connection.vendor == "postgresql":
        table = settings.COUNTS_TABLE
        editor.execute(table.replace("CREATE TABLE", "CREATE UNLOGGED TABLE"))


def drop(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    if editor.connection.vendor == "postgresql":
        editor.execute("DROP TABLE kontra_counts")


def forget(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    there = OLD.intersection(editor.connection.introspection.table_names())
    for table in sorted(there, reverse=True):  # an expiration before its attempt
        editor.execute(f"DELETE FROM {table}")


class Migration(migrations.Migration):
    dependencies = [("ledger", "0018_sheet_fingerprints")]

    operations = [
        migrations.RunPython(make, drop),
        migrations.RunPython(forget, migrations.RunPython.noop),
    ]
