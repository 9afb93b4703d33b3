"""An index by which the evenings are found that are not kept yet."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ledger", "0012_pair_sums")]

    operations = [
        migrations.AddIndex(
            model_name="tabledigest",
            index=models.Index(
                fields=["format", "number", "evening"], name="ledger_digest_kept"
            ),
        ),
    ]
