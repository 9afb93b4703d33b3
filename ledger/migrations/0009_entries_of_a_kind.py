"""Find what moved money without a hand without reading all the hands."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ledger", "0008_old_sheets"),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name="entry",
            name="ledger_entry_currency",
        ),
        migrations.AddIndex(
            model_name="entry",
            index=models.Index(
                fields=["club", "currency", "kind", "evening"],
                name="ledger_entry_of_kind",
            ),
        ),
    ]
