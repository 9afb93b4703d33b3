"""The database guards the journal by itself: from the last migration on.

Guards name tables and columns of today; put up here they would ask for what is not
there yet.
"""

from __future__ import annotations

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

from ledger import guards


def nothing(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """The guards are installed behind the last migration."""


def remove(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    guards.remove(editor.connection)


class Migration(migrations.Migration):
    dependencies = [("ledger", "0001_initial")]

    operations = [migrations.RunPython(nothing, remove)]
