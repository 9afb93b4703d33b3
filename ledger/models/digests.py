"""Digests: cached statistics of closed evenings, and of their seasons.

They are derived from the hands: `manage.py statistics` rebuilds them, and
`manage.py audit` compares them. An evening without digests is read from its hands.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from ledger.models.clubs import Season
from ledger.models.evenings import Evening


class TableDigest(models.Model):
    """Digest of one table of a closed evening, for as long as it is closed."""

    evening = models.ForeignKey(Evening, models.PROTECT, related_name="digests")
    number = models.PositiveSmallIntegerField()
    """Number of the table; 0 is what belongs to no table, and every evening has it."""
    variant = models.CharField(max_length=40)
    format = models.PositiveSmallIntegerField()
    """Version of the format; a digest of another one is ignored."""
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
    """Merged digests of a season, for one game and one table number."""

    class Span(models.TextChoices):
        MONTH = "month", "month"
        YEAR = "year", "year"
        SEASON = "season", "season"

    season = models.ForeignKey(Season, models.PROTECT, related_name="digests")
    span = models.CharField(max_length=6, choices=Span.choices)
    first = models.DateField(null=True, blank=True)
    """First day of the month or year; None for the whole season."""
    number = models.PositiveSmallIntegerField()
    """Number of the table; 0 for all."""
    variant = models.CharField(max_length=40, blank=True)
    """Variant; "" for all."""
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
    """Games of a closed evening for the rating, and everybody's rating after it."""

    evening = models.OneToOneField(Evening, models.PROTECT, related_name="rating")
    format = models.PositiveSmallIntegerField()
    games = models.JSONField()
    """In order: player ids of the declarer's side, of the defenders, and 1, 0 or -1."""
    state = models.JSONField(null=True)
    """By player id, after the evening: strength, uncertainty, hands; None in clubs
    without a rating."""

    def __str__(self) -> str:
        return str(self.evening)
