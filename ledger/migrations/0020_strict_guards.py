"""Nothing in SQLite is written over, or of another kind than its column."""

from __future__ import annotations

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

from ledger import guards


def install(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    guards.install(editor.connection)


def remove(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    guards.remove(editor.connection)


class Migration(migrations.Migration):
    dependencies = [("ledger", "0019_counts")]

    operations = [migrations.RunPython(install, remove)]
