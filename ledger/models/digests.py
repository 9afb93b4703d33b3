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
        indexes = [
            models.Index(
                fields=["format", "number", "evening"], name="ledger_digest_kept"
            )
        ]

    def __str__(self) -> str:
        return f"{self.evening} · {self.number}"


class SeasonDigest(models.Model):
    """Digests of a season put together: those of one game and table number."""

    class Span(models.TextChoices):
        MONTH = "month", "month"
        YEAR = "year", "year"
        SEASON = "season", "season"

    season = models.ForeignKey(Season, models.PROTECT, related_name="digests")
    span = models.CharField(max_length=6, choices=Span.choices)
    first = models.DateField(null=True, blank=True)
    """The first day of the month or year; None is the whole season."""
    number = models.PositiveSmallIntegerField()
    """The table's; 0 is all of them."""
    variant = models.CharField(max_length=40, blank=True)
    """The game; "" is all of them."""
    format = models.PositiveSmallIntegerField()
    data = models.JSONField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["season", "span", "first", "number", "variant"],
                name="ledger_digest_once_per_span",
            ),
            models.UniqueConstraint(
                fields=["season", "number", "variant"],
                condition=Q(first__isnull=True),
                name="ledger_digest_once_per_season",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.season} · {self.first or ''} · {self.number}"


class EveningRating(models.Model):
    """Who won against whom at a closed evening, and how strong all were held then."""

    evening = models.OneToOneField(Evening, models.PROTECT, related_name="rating")
    format = models.PositiveSmallIntegerField()
    games = models.JSONField()
    """In order: the declarer's side, the defenders, and 1, 0 or -1 by who gained."""
    state = models.JSONField(null=True)
    """By player after the evening: strength, uncertainty, hands; None where the club
    wants no rating."""

    def __str__(self) -> str:
        return str(self.evening)
