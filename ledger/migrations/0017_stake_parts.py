"""A point that is worth a fraction of the smallest coin, and what rounding it moves.

SQLite makes guarded tables anew, which drops their triggers: the guards are taken off
first; the last migration puts them on again.
"""

from __future__ import annotations

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

from ledger import guards


def remove(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    guards.remove(editor.connection)


def nothing(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """The guards of today would ask for columns that are not there."""


class Migration(migrations.Migration):
    dependencies = [("ledger", "0016_corrections")]

    operations = [
        migrations.RunPython(remove, nothing),
        migrations.AddField(
            model_name="evening",
            name="stake_parts",
            field=models.PositiveSmallIntegerField(default=1),
        ),
        migrations.AddConstraint(
            model_name="evening",
            constraint=models.CheckConstraint(
                condition=models.Q(("stake_parts__gte", 1), ("stake_parts__lte", 1000)),
                name="ledger_evening_stake_in_few_parts",
            ),
        ),
        migrations.AlterField(
            model_name="entry",
            name="kind",
            field=models.CharField(
                choices=[
                    ("hand", "Hand"),
                    ("reversal", "Reversal"),
                    ("adjustment", "Adjustment"),
                    ("payment", "Payment"),
                    ("fee", "Fee or fine"),
                    ("prize", "Prize"),
                    ("carry", "Carried over"),
                    ("sheet", "From an old sheet"),
                    ("rounding", "Rounded"),
                ],
                max_length=10,
            ),
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind", "rounding"), _negated=True),
                    models.Q(("action__isnull", False), ("evening__isnull", False)),
                    _connector="OR",
                ),
                name="ledger_entry_rounding_has_an_evening",
            ),
        ),
        migrations.RunPython(nothing, remove),
    ]
