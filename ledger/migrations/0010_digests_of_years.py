"""Digests of years between those of months and of seasons.

What was kept is dropped, and counts from the hands until it is kept anew.
"""

from __future__ import annotations

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def drop(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    for name in ("TableDigest", "SeasonDigest"):
        apps.get_model("ledger", name).objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [("ledger", "0009_entries_of_a_kind")]

    operations = [
        migrations.RunPython(drop, drop),
        migrations.RemoveConstraint("seasondigest", "ledger_digest_once_per_month"),
        migrations.RemoveConstraint("seasondigest", "ledger_digest_once_per_season"),
        migrations.RenameField("seasondigest", "month", "first"),
        migrations.AddField(
            "seasondigest",
            "span",
            models.CharField(
                choices=[("month", "month"), ("year", "year"), ("season", "season")],
                default="month",
                max_length=6,
            ),
            preserve_default=False,
        ),
        migrations.AlterField(
            "seasondigest", "variant", models.CharField(blank=True, max_length=40)
        ),
        migrations.AddConstraint(
            "seasondigest",
            models.UniqueConstraint(
                fields=("season", "span", "first", "number", "variant"),
                name="ledger_digest_once_per_span",
            ),
        ),
        migrations.AddConstraint(
            "seasondigest",
            models.UniqueConstraint(
                condition=models.Q(("first__isnull", True)),
                fields=("season", "number", "variant"),
                name="ledger_digest_once_per_season",
            ),
        ),
        migrations.RunPython(drop, drop),
    ]
