"""What tells a sheet again, in whatever file it comes.

Files that wait to be confirmed, a day at most, are forgotten: they are kept otherwise
from now on. SQLite makes the table anew, which drops its triggers: the guards are taken
off first; the last migration puts them on again.
"""

from __future__ import annotations

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

from ledger import guards


def remove(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    guards.remove(editor.connection)


def forget(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    apps.get_model("ledger", "OldSheet").objects.filter(action=None).delete()


class Migration(migrations.Migration):
    dependencies = [("ledger", "0017_stake_parts")]

    operations = [
        migrations.RunPython(remove, remove),
        migrations.AddField(
            model_name="oldsheet",
            name="fingerprints",
            field=models.JSONField(default=list),
        ),
        migrations.RunPython(forget, forget),
    ]
