"""What closed evenings come to, kept; and whether a club wants to see a rating.

SQLite makes the table of clubs anew, which drops its triggers: the guards are taken
off first, and put on again behind everything.
"""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

from ledger import guards


def remove(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    guards.remove(editor.connection)


def nothing(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """The guards of today would ask for columns that are not there."""


class Migration(migrations.Migration):
    dependencies = [("ledger", "0006_money")]

    operations = [
        migrations.RunPython(remove, nothing),
        migrations.AddField(
            model_name="club",
            name="rating",
            field=models.BooleanField(default=False),
        ),
        migrations.CreateModel(
            name="SeasonDigest",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True,
                        primary_key=True,
                        serialize=False,
                        verbose_name="ID",
                    ),
                ),
                ("month", models.DateField(blank=True, null=True)),
                ("number", models.PositiveSmallIntegerField()),
                ("variant", models.CharField(max_length=40)),
                ("format", models.PositiveSmallIntegerField()),
                ("data", models.JSONField()),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="digests",
                        to="ledger.season",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("season", "month", "number", "variant"),
                        name="ledger_digest_once_per_month",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("month__isnull", True)),
                        fields=("season", "number", "variant"),
                        name="ledger_digest_once_per_season",
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            name="TableDigest",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True,
                        primary_key=True,
                        serialize=False,
                        verbose_name="ID",
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("variant", models.CharField(max_length=40)),
                ("format", models.PositiveSmallIntegerField()),
                ("data", models.JSONField()),
                (
                    "evening",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="digests",
                        to="ledger.evening",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("evening", "number"),
                        name="ledger_digest_once_per_table",
                    )
                ]
            },
        ),
        migrations.RunPython(nothing, remove),
    ]
