"""A payment has a day of its own, beside the day it counts for."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ledger", "0014_made_once")]

    operations = [
        migrations.AddField(
            model_name="entry",
            name="paid_on",
            field=models.DateField(blank=True, null=True),
        ),
    ]
