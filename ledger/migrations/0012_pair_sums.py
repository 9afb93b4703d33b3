"""Keep who owes whom by the hands of closed evenings."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ledger", "0011_rating"),
    ]

    operations = [
        migrations.CreateModel(
            name="PairSum",
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
                ("amount", models.BigIntegerField()),
                (
                    "evening",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="pair_sums",
                        to="ledger.evening",
                    ),
                ),
                (
                    "one",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="ledger.player",
                    ),
                ),
                (
                    "other",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="ledger.player",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        fields=["one", "other", "evening", "amount"],
                        name="ledger_pair_sum",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("evening", "one", "other"),
                        name="ledger_pair_once_an_evening",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("one__lt", models.F("other"))),
                        name="ledger_pair_in_order",
                    ),
                ],
            },
        ),
    ]
