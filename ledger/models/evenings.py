"""Evenings of a club, their tables, and the line-ups of these."""

from __future__ import annotations

from fractions import Fraction

from django.conf import settings
from django.db import models
from django.utils import timezone

from ledger.models.clubs import Club, Edition, Player, Season
from ledger.text.amounts import FINEST


class EveningQuerySet(models.QuerySet["Evening"]):
    def not_removed(self) -> EveningQuerySet:
        """Return all but the removed evenings, in which nothing counts."""
        return self.filter(removed=False)

    def shown(self) -> EveningQuerySet:
        """Return those that are listed: not removed, nor of an import since undone."""
        return self.not_removed().filter(imported__undone_by=None)


class Evening(models.Model):
    club = models.ForeignKey(Club, models.PROTECT, related_name="evenings")
    season = models.ForeignKey(Season, models.PROTECT, related_name="evenings")
    name = models.CharField(max_length=80)
    date = models.DateField()
    edition = models.ForeignKey(Edition, models.PROTECT, related_name="+")
    currency = models.CharField(max_length=3, blank=True, default="")
    stake = models.PositiveIntegerField(default=0)
    """Worth of `stake_parts` points in minor units; 0 when played for points only."""
    stake_parts = models.PositiveSmallIntegerField(default=1)
    """Points that are worth the stake; above 1, a point is a fraction of a coin."""
    opened_at = models.DateTimeField(default=timezone.now)
    closed_at = models.DateTimeField(null=True, blank=True)
    removed = models.BooleanField(default=False)
    """Hidden, as begun by mistake, until that is undone."""
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+"
    )
    imported = models.ForeignKey(
        "Action", models.PROTECT, null=True, blank=True, related_name="evenings_made"
    )
    """The import that wrote it, where it was copied from an old sheet."""

    objects = EveningQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(currency="", stake=0)
                | ~models.Q(currency="") & models.Q(stake__gt=0),
                name="ledger_evening_stake_has_currency",
            ),
            models.CheckConstraint(
                condition=models.Q(stake_parts__gte=1, stake_parts__lte=FINEST),
                name="ledger_evening_stake_in_few_parts",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def full_name(self) -> str:
        """Return club, evening and day, as the audit names it."""
        return f"{self.club}, {self} ({self.date})"

    @property
    def per_point(self) -> Fraction:
        """Return what a point is worth, in minor units."""
        return Fraction(self.stake, self.stake_parts)


class Table(models.Model):
    evening = models.ForeignKey(Evening, models.PROTECT, related_name="tables")
    number = models.PositiveSmallIntegerField(default=1)
    edition = models.ForeignKey(Edition, models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["evening", "number"], name="ledger_table_number_once_an_evening"
            )
        ]

    def __str__(self) -> str:
        return f"{self.evening} · {self.number}"


class LineUp(models.Model):
    """Players seated at a table from a hand on, and the dealer of that hand.

    Without a dealer the deal rotates as before.
    """

    table = models.ForeignKey(Table, models.PROTECT, related_name="lineups")
    from_hand = models.PositiveIntegerField(default=1)
    dealer = models.ForeignKey(
        Player, models.PROTECT, null=True, blank=True, related_name="+"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["table", "from_hand"], name="ledger_lineup_once_per_hand"
            )
        ]

    def __str__(self) -> str:
        return f"{self.table} · {self.from_hand}"


class Seat(models.Model):
    """A player's place in a line-up; *position* counts anticlockwise, as the deal goes.

    A player who is *resting* is on a break: he keeps his seat, and neither plays nor
    deals.
    """

    lineup = models.ForeignKey(LineUp, models.PROTECT, related_name="seats")
    position = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, models.PROTECT, related_name="seats")
    resting = models.BooleanField(default=False)

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(
                fields=["lineup", "position"], name="ledger_seat_position_once"
            ),
            models.UniqueConstraint(
                fields=["lineup", "player"], name="ledger_seat_player_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.position} {self.player}"
