"""What old sheets tell: entries of their own, the evenings they make, the files.

SQLite makes guarded tables anew, which drops their triggers: the guards are taken off
first; the last migration puts them on again.
"""

from __future__ import annotations

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

from ledger import guards


def remove(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    guards.remove(editor.connection)


def nothing(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """The guards of today would ask for columns that are not there."""


class Migration(migrations.Migration):
    dependencies = [
        ("ledger", "0007_statistics"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunPython(remove, nothing),
        migrations.CreateModel(
            name="OldSheet",
            fields=[
                ("id", models.UUIDField(primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=200)),
                ("digest", models.CharField(max_length=64)),
                ("content", models.BinaryField()),
                ("choices", models.JSONField(default=dict)),
                ("players_made", models.JSONField(default=list)),
                (
                    "uploaded_at",
                    models.DateTimeField(default=django.utils.timezone.now),
                ),
            ],
        ),
        migrations.AddField(
            model_name="entry",
            name="sheet_hand",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="evening",
            name="imported",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="evenings_made",
                to="ledger.action",
            ),
        ),
        migrations.AlterField(
            model_name="action",
            name="kind",
            field=models.CharField(
                choices=[
                    ("record", "Hand recorded"),
                    ("correct", "Hand corrected"),
                    ("void", "Hand taken back"),
                    ("restore", "Hand restored"),
                    ("insert", "Hand inserted"),
                    ("reorder", "Order of two hands changed"),
                    ("swap_sides", "Sides of a hand swapped"),
                    ("reseat", "Two seats put right"),
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
                    ("restake", "Stake changed"),
                    ("import", "Old sheets brought in"),
                ],
                max_length=10,
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
                ],
                max_length=10,
            ),
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("action__isnull", False),
                        ("evening__isnull", False),
                        ("kind", "sheet"),
                    ),
                    models.Q(
                        models.Q(("kind", "sheet"), _negated=True),
                        ("sheet_hand__isnull", True),
                    ),
                    _connector="OR",
                ),
                name="ledger_entry_of_a_sheet_has_an_evening",
            ),
        ),
        migrations.AddField(
            model_name="oldsheet",
            name="action",
            field=models.OneToOneField(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="sheet",
                to="ledger.action",
            ),
        ),
        migrations.AddField(
            model_name="oldsheet",
            name="club",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="sheets",
                to="ledger.club",
            ),
        ),
        migrations.AddField(
            model_name="oldsheet",
            name="uploaded_by",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddIndex(
            model_name="oldsheet",
            index=models.Index(fields=["club", "digest"], name="ledger_sheet_digest"),
        ),
        migrations.RunPython(nothing, remove),
    ]
