"""What is corrected of an evening or a club is told in one way; an evening can go.

A changed stake was told in columns of its own. SQLite makes guarded tables anew, which
drops their triggers: the guards are taken off first; the last migration puts them on
again.
"""

from __future__ import annotations

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

import ledger.days
from ledger import guards

KINDS = [
    ("record", "Hand recorded"),
    ("correct", "Hand corrected"),
    ("void", "Hand taken back"),
    ("restore", "Hand restored"),
    ("insert", "Hand inserted"),
    ("reorder", "Order of two hands changed"),
    ("swap_sides", "Sides of a hand swapped"),
    ("reseat", "Two seats corrected"),
    ("lineup", "People came or went"),
    ("adjust", "Adjustment"),
    ("close", "Closed"),
    ("reopen", "Reopened"),
    ("undo", "Undone"),
    ("pay", "Payment"),
    ("settle", "Settled"),
    ("fee", "Fee or fine"),
    ("prize", "Prize"),
    ("carry", "Carried over"),
    ("amend", "Evening or club corrected"),
    ("import", "Old scores imported"),
]


def forwards(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """Tell what a point was worth before and after by name."""
    actions = apps.get_model("ledger", "Action").objects
    changed = actions.exclude(stake_before=[])
    for action in changed.iterator(chunk_size=500):
        before, after = action.stake_before, action.stake_after
        actions.filter(pk=action.pk).update(
            before=dict(zip(("currency", "stake"), before, strict=True)),
            after=dict(zip(("currency", "stake"), after, strict=True)),
        )
    actions.filter(kind="restake").update(kind="amend")
    _check(editor)


def backwards(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """Tell stakes as before; what else was corrected stays so, and is told no more."""
    actions = apps.get_model("ledger", "Action").objects
    for action in actions.exclude(before={}).iterator(chunk_size=500):
        if "stake" in action.before:
            actions.filter(pk=action.pk).update(
                stake_before=[action.before["currency"], action.before["stake"]],
                stake_after=[action.after["currency"], action.after["stake"]],
            )
    actions.filter(kind="amend").update(kind="restake")
    _check(editor)


def _check(editor: BaseDatabaseSchemaEditor) -> None:
    """PostgreSQL alters no table of which changed rows are still to be checked."""
    editor.connection.check_constraints()


def remove(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    guards.remove(editor.connection)


def nothing(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """The guards of today would ask for columns that are not there."""


class Migration(migrations.Migration):
    dependencies = [("ledger", "0015_day_of_a_payment")]

    operations = [
        migrations.RunPython(remove, nothing),
        migrations.AddField(
            model_name="action",
            name="before",
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.AddField(
            model_name="action",
            name="after",
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.AddField(
            model_name="evening",
            name="removed",
            field=models.BooleanField(default=False),
        ),
        migrations.AlterField(
            model_name="season",
            name="starts",
            field=models.DateField(validators=[ledger.days.likely]),
        ),
        migrations.AlterField(
            model_name="action",
            name="kind",
            field=models.CharField(choices=KINDS, max_length=10),
        ),
        migrations.RunPython(forwards, backwards),
        migrations.RemoveField(model_name="action", name="stake_before"),
        migrations.RemoveField(model_name="action", name="stake_after"),
        migrations.RunPython(nothing, remove),
    ]
