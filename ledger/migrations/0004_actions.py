"""What is done is kept as actions with their steps."""

from __future__ import annotations

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ledger", "0003_tokens"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Action",
            fields=[
                ("id", models.UUIDField(primary_key=True, serialize=False)),
                ("number", models.PositiveIntegerField()),
                (
                    "kind",
                    models.CharField(
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
                        ],
                        max_length=10,
                    ),
                ),
                ("seating_before", models.JSONField(blank=True, default=dict)),
                ("seating_after", models.JSONField(blank=True, default=dict)),
                ("reason", models.CharField(blank=True, default="", max_length=200)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "evening",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="actions",
                        to="ledger.evening",
                    ),
                ),
                (
                    "other_table",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="ledger.table",
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="actions",
                        to="ledger.season",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="actions",
                        to="ledger.table",
                    ),
                ),
                (
                    "undoes",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="undone_by",
                        to="ledger.action",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Step",
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
                ("before_number", models.PositiveIntegerField(blank=True, null=True)),
                ("after_number", models.PositiveIntegerField()),
                (
                    "action",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="steps",
                        to="ledger.action",
                    ),
                ),
                (
                    "after",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="ledger.version",
                    ),
                ),
                (
                    "before",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="ledger.version",
                    ),
                ),
                (
                    "hand",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="steps",
                        to="ledger.hand",
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="action",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("evening__isnull", False), ("season__isnull", True)),
                    models.Q(
                        ("evening__isnull", True),
                        ("season__isnull", False),
                        ("table__isnull", True),
                    ),
                    _connector="OR",
                ),
                name="ledger_action_of_evening_or_season",
            ),
        ),
        migrations.AddConstraint(
            model_name="action",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind", "undo"), ("undoes__isnull", False)),
                    models.Q(
                        models.Q(("kind", "undo"), _negated=True),
                        ("undoes__isnull", True),
                    ),
                    _connector="OR",
                ),
                name="ledger_action_undo_undoes",
            ),
        ),
        migrations.AddConstraint(
            model_name="action",
            constraint=models.UniqueConstraint(
                fields=("evening", "number"), name="ledger_action_number_once_evening"
            ),
        ),
        migrations.AddConstraint(
            model_name="action",
            constraint=models.UniqueConstraint(
                fields=("season", "number"), name="ledger_action_number_once_season"
            ),
        ),
        migrations.AddConstraint(
            model_name="step",
            constraint=models.UniqueConstraint(
                fields=("action", "hand"), name="ledger_step_once_per_hand"
            ),
        ),
    ]
