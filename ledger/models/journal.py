"""Journal: hands, their versions as entered, scored lines, and balanced entries.

Versions, lines, entries and postings are only ever added (see models/guards.py): a
mistake is reversed by an entry of its own, and both stay visible. Postings are inserted
before their entry, whose insert checks their sum; the foreign key is deferred.
"""

from __future__ import annotations

import datetime
from uuid import UUID, uuid5

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Cast
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ledger.models.clubs import Club, Edition, Player, Season
from ledger.models.evenings import Evening, Table


def id_text(path: str) -> Cast:
    """Return the id at *path* as text: no UUID object is made of each."""
    return Cast(path, models.TextField())


class Hand(models.Model):
    """A hand played at a table; its facts are in its latest version."""

    id = models.UUIDField(primary_key=True)  # made by the phone
    table = models.ForeignKey(Table, models.PROTECT, related_name="hands")
    number = models.PositiveIntegerField()
    voided = models.BooleanField(default=False)
    played_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["table", "number"],
                condition=Q(voided=False),
                name="ledger_hand_number_once_at_table",
            )
        ]
        indexes = [models.Index(fields=["table", "number"], name="ledger_hand_number")]

    def __str__(self) -> str:
        return f"{self.table} · {self.number}"


class VersionQuerySet(models.QuerySet["Version"]):
    def in_force(self) -> VersionQuerySet:
        """Return the versions in force: their entry is not reversed."""
        return self.filter(entries__isnull=False, entries__reversal__isnull=True)


class Version(models.Model):
    """A hand as entered at one time, with the tariff it was scored by."""

    id = models.UUIDField(primary_key=True)
    hand = models.ForeignKey(Hand, models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField(default=1)
    edition = models.ForeignKey(Edition, models.PROTECT, related_name="+")
    record = models.JSONField()
    dealer = models.ForeignKey(Player, models.PROTECT, related_name="+")
    dealer_set = models.BooleanField(default=False)
    """Whether the scorer chose another dealer than was due."""
    players = models.JSONField()
    """Ids of those who played, from forehand on."""
    resting = models.JSONField()
    """Ids of those present who sat out."""
    resting_set = models.BooleanField(default=False)
    """Whether the scorer chose others to sit out than were due."""
    multiplier = models.PositiveIntegerField(default=1)
    units = models.BigIntegerField(default=0)
    thrown_in = models.BooleanField(default=False)
    xxi_lost_by = models.ForeignKey(
        Player,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
    )
    recorded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+"
    )
    recorded_at = models.DateTimeField(default=timezone.now)

    objects = VersionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["hand", "number"], name="ledger_version_number_once"
            )
        ]
        indexes = [
            models.Index(
                fields=["xxi_lost_by"],
                condition=Q(xxi_lost_by__isnull=False),
                name="ledger_version_xxi_lost",
            )
        ]

    def __str__(self) -> str:
        return f"{self.hand} · {self.number}"


class Line(models.Model):
    """One line of a hand's explanation, stored so that statistics are plain SQL."""

    version = models.ForeignKey(Version, models.PROTECT, related_name="lines")
    position = models.PositiveSmallIntegerField()
    item = models.CharField(max_length=40)
    kind = models.CharField(max_length=10)
    side = models.CharField(max_length=10, blank=True, default="")
    player = models.ForeignKey(
        Player, models.PROTECT, null=True, blank=True, related_name="+"
    )
    announced = models.BooleanField(default=False)
    made = models.BooleanField(null=True, blank=True)
    contra = models.PositiveSmallIntegerField(default=0)
    factor = models.PositiveIntegerField(default=1)
    base = models.BigIntegerField(default=0)
    points = models.BigIntegerField(default=0)
    personal = models.BigIntegerField(default=0)

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(
                fields=["version", "position"], name="ledger_line_position_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.item} {self.points}"


class Entry(models.Model):
    """A balanced entry: its postings sum to 0."""

    class Kind(models.TextChoices):
        HAND = "hand", _("Hand")
        REVERSAL = "reversal", _("Reversal")
        ADJUSTMENT = "adjustment", _("Adjustment")
        PAYMENT = "payment", _("Payment")
        FEE = "fee", _("Fee or fine")
        PRIZE = "prize", _("Prize")
        CARRY = "carry", _("Carried over")
        SHEET = "sheet", _("From an old sheet")
        ROUNDING = "rounding", _("Rounded")

    AFTER_CLOSING = (Kind.PAYMENT, Kind.CARRY)
    """Written in closed evenings too; triggers refuse all other kinds there."""

    id = models.UUIDField(primary_key=True)
    club = models.ForeignKey(Club, models.PROTECT, related_name="entries")
    evening = models.ForeignKey(
        Evening, models.PROTECT, null=True, blank=True, related_name="entries"
    )
    season = models.ForeignKey(
        Season, models.PROTECT, null=True, blank=True, related_name="entries"
    )
    """Set where a season is settled as one; without evening and season, the club is."""
    action = models.ForeignKey(
        "Action",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="entries",
        db_index=False,
    )
    kind = models.CharField(max_length=10, choices=Kind.choices)
    method = models.CharField(max_length=40, blank=True, default="")
    """How it was paid: "cash", "transfer", other words."""
    date = models.DateField(null=True, blank=True)
    """The day it counts for; that of an evening's entries is the evening's."""
    paid_on = models.DateField(null=True, blank=True)
    """The day of a payment: the day it counts for may be long before."""
    version = models.ForeignKey(
        Version, models.PROTECT, null=True, blank=True, related_name="entries"
    )
    reverses = models.OneToOneField(
        "self", models.PROTECT, null=True, blank=True, related_name="reversal"
    )
    sheet_hand = models.PositiveIntegerField(null=True, blank=True)
    """Number of the hand in its evening, where an old sheet has hands one by one."""
    currency = models.CharField(max_length=3, blank=True, default="")
    note = models.CharField(max_length=200, blank=True, default="")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name_plural = "entries"
        constraints = [
            models.CheckConstraint(
                condition=Q(kind="hand", version__isnull=False)
                | ~Q(kind="hand") & Q(version__isnull=True),
                name="ledger_entry_of_a_hand_has_a_version",
            ),
            models.CheckConstraint(
                condition=Q(kind="reversal", reverses__isnull=False)
                | ~Q(kind="reversal") & Q(reverses__isnull=True),
                name="ledger_entry_reversal_reverses",
            ),
            models.CheckConstraint(
                condition=~Q(reverses=F("id")), name="ledger_entry_not_its_own_reversal"
            ),
            models.CheckConstraint(
                condition=Q(evening=None) | Q(season=None),
                name="ledger_entry_of_one_book",
            ),
            models.CheckConstraint(
                condition=Q(evening__isnull=False) | Q(date__isnull=False),
                name="ledger_entry_outside_has_a_date",
            ),
            models.CheckConstraint(
                condition=Q(action__isnull=False)
                | ~Q(kind__in=["payment", "fee", "prize", "carry"]),
                name="ledger_entry_of_money_has_an_action",
            ),
            models.CheckConstraint(
                condition=Q(kind="sheet", evening__isnull=False, action__isnull=False)
                | ~Q(kind="sheet") & Q(sheet_hand__isnull=True),
                name="ledger_entry_of_a_sheet_has_an_evening",
            ),
            models.CheckConstraint(
                condition=~Q(kind="rounding")
                | Q(evening__isnull=False, action__isnull=False),
                name="ledger_entry_rounding_has_an_evening",
            ),
        ]
        indexes = [
            models.Index(
                fields=["action"],
                condition=Q(action__isnull=False),
                name="ledger_entry_of_action",
            ),
            models.Index(
                fields=["club", "currency", "kind", "evening"],
                name="ledger_entry_of_kind",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"

    @property
    def day(self) -> datetime.date:
        """Return the day of a payment; of an older one, the day it was entered."""
        return self.paid_on or timezone.localdate(self.created_at)

    @property
    def counts_for(self) -> datetime.date | None:
        """Return the day up to which it settles, where that is not its own day."""
        return None if self.evening_id or self.date == self.day else self.date


def reentered_id(action: UUID | None, entry: UUID) -> UUID:
    """Return the id under which *action* enters *entry* again, having reversed it."""
    return uuid5(action or entry, f"again {entry}")


class Posting(models.Model):
    """One player's points and money in an entry, in minor units of its currency."""

    entry = models.ForeignKey(
        Entry, models.PROTECT, related_name="postings", db_index=False
    )
    player = models.ForeignKey(
        Player, models.PROTECT, related_name="postings", db_index=False
    )
    points = models.BigIntegerField(default=0)
    money = models.BigIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["entry", "player"], name="ledger_posting_once_per_player"
            )
        ]
        indexes = [
            models.Index(
                fields=["player", "points", "money"], name="ledger_posting_balance"
            )
        ]

    def __str__(self) -> str:
        return f"{self.player} {self.points:+d}"
