"""What the hands of closed evenings come to, kept so that nobody adds it up again.

None of it is told by anybody: it follows from the hands, `manage.py statistics` makes
it anew, and `manage.py audit` compares it with them. An evening that has no digest is
read from its hands.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from ledger.models.clubs import Season
from ledger.models.evenings import Evening


class TableDigest(models.Model):
    """What one table of a closed evening comes to; there is one as long as it is."""

    evening = models.ForeignKey(Evening, models.PROTECT, related_name="digests")
    number = models.PositiveSmallIntegerField()
    """The table's; 0 is what belongs to no table, and is there for every evening."""
    variant = models.CharField(max_length=40)
    format = models.PositiveSmallIntegerField()
    """What is counted, and how; another one is as if it were not there."""
    data = models.JSONField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["evening", "number"], name="ledger_digest_once_per_table"
            )
        ]

    def __str__(self) -> str:
        return f"{self.evening} · {self.number}"


class SeasonDigest(models.Model):
    """The digests of a season put together: those of one game and table number."""

    season = models.ForeignKey(Season, models.PROTECT, related_name="digests")
    month = models.DateField(null=True, blank=True)
    """Its first day; None is the whole season."""
    number = models.PositiveSmallIntegerField()
    variant = models.CharField(max_length=40)
    format = models.PositiveSmallIntegerField()
    data = models.JSONField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["season", "month", "number", "variant"],
                name="ledger_digest_once_per_month",
            ),
            models.UniqueConstraint(
                fields=["season", "number", "variant"],
                condition=Q(month__isnull=True),
                name="ledger_digest_once_per_season",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.season} · {self.month or ''} · {self.number}"
