"""How strong players are held to be, kept with each closed evening."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ledger", "0010_digests_of_years"),
    ]

    operations = [
        migrations.CreateModel(
            name="EveningRating",
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
                ("format", models.PositiveSmallIntegerField()),
                ("games", models.JSONField()),
                ("state", models.JSONField(null=True)),
                (
                    "evening",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rating",
                        to="ledger.evening",
                    ),
                ),
            ],
        ),
    ]
