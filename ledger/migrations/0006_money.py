"""Payments, fees and what is carried over; the pot; links that show a plan.

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
        ("ledger", "0005_actions_of_before"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunPython(remove, nothing),
        migrations.CreateModel(
            name="ShareLink",
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
                (
                    "method",
                    models.CharField(
                        choices=[
                            ("fewest", "Fewest payments"),
                            ("treasurer", "Through the treasurer"),
                            ("pot", "Through the pot"),
                            ("hands", "Cash after each hand"),
                            ("carry", "Carried over to the next evening"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "digest",
                    models.CharField(editable=False, max_length=64, unique=True),
                ),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("expires_at", models.DateTimeField()),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.RemoveConstraint(
            model_name="action",
            name="ledger_action_of_evening_or_season",
        ),
        migrations.AddField(
            model_name="action",
            name="club",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="actions",
                to="ledger.club",
            ),
        ),
        migrations.AddField(
            model_name="action",
            name="stake_after",
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.AddField(
            model_name="action",
            name="stake_before",
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.AddField(
            model_name="club",
            name="method",
            field=models.CharField(
                choices=[
                    ("fewest", "Fewest payments"),
                    ("treasurer", "Through the treasurer"),
                    ("pot", "Through the pot"),
                    ("hands", "Cash after each hand"),
                    ("carry", "Carried over to the next evening"),
                ],
                default="fewest",
                max_length=10,
            ),
        ),
        migrations.AddField(
            model_name="club",
            name="treasurer",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="ledger.player",
            ),
        ),
        migrations.AddField(
            model_name="entry",
            name="action",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="entries",
                to="ledger.action",
            ),
        ),
        migrations.AddField(
            model_name="entry",
            name="date",
            field=models.DateField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="entry",
            name="method",
            field=models.CharField(blank=True, default="", max_length=40),
        ),
        migrations.AddField(
            model_name="entry",
            name="season",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="entries",
                to="ledger.season",
            ),
        ),
        migrations.AddField(
            model_name="player",
            name="kind",
            field=models.CharField(
                choices=[("person", "Player"), ("pot", "Pot")],
                default="person",
                editable=False,
                max_length=6,
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
                ],
                max_length=10,
            ),
        ),
        migrations.AddIndex(
            model_name="entry",
            index=models.Index(
                condition=models.Q(("action__isnull", False)),
                fields=["action"],
                name="ledger_entry_of_action",
            ),
        ),
        migrations.AddIndex(
            model_name="entry",
            index=models.Index(
                fields=["club", "currency"], name="ledger_entry_currency"
            ),
        ),
        migrations.AddConstraint(
            model_name="action",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("club__isnull", True),
                        ("evening__isnull", False),
                        ("season__isnull", True),
                    ),
                    models.Q(
                        ("club__isnull", True),
                        ("evening__isnull", True),
                        ("season__isnull", False),
                        ("table__isnull", True),
                    ),
                    models.Q(
                        ("club__isnull", False),
                        ("evening__isnull", True),
                        ("season__isnull", True),
                        ("table__isnull", True),
                    ),
                    _connector="OR",
                ),
                name="ledger_action_of_one_book",
            ),
        ),
        migrations.AddConstraint(
            model_name="action",
            constraint=models.UniqueConstraint(
                fields=("club", "number"), name="ledger_action_number_once_club"
            ),
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("evening", None), ("season", None), _connector="OR"
                ),
                name="ledger_entry_of_one_book",
            ),
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("evening__isnull", False), ("date__isnull", False), _connector="OR"
                ),
                name="ledger_entry_outside_has_a_date",
            ),
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("action__isnull", False),
                    models.Q(
                        ("kind__in", ["payment", "fee", "prize", "carry"]),
                        _negated=True,
                    ),
                    _connector="OR",
                ),
                name="ledger_entry_of_money_has_an_action",
            ),
        ),
        migrations.AddConstraint(
            model_name="player",
            constraint=models.UniqueConstraint(
                condition=models.Q(("kind", "pot")),
                fields=("club",),
                name="ledger_player_one_pot",
            ),
        ),
        migrations.AddField(
            model_name="sharelink",
            name="created_by",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="sharelink",
            name="evening",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="share_links",
                to="ledger.evening",
            ),
        ),
        migrations.RunPython(nothing, remove),
    ]
