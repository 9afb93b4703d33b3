"""Actions: the record of every write, and of what it did to each hand.

An undo reverses the steps of its action. Actions and steps are only ever added.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ledger.models.clubs import Club, Season
from ledger.models.evenings import Evening, Table
from ledger.models.journal import Hand, Version


class Action(models.Model):
    class Kind(models.TextChoices):
        RECORD = "record", _("Hand recorded")
        CORRECT = "correct", _("Hand corrected")
        VOID = "void", _("Hand taken back")
        RESTORE = "restore", _("Hand restored")
        INSERT = "insert", _("Hand inserted")
        REORDER = "reorder", _("Order of two hands changed")
        SWAP_SIDES = "swap_sides", _("Sides of a hand swapped")
        RESEAT = "reseat", _("Two seats corrected")
        LINEUP = "lineup", _("People came or went")
        ADJUST = "adjust", _("Adjustment")
        CLOSE = "close", _("Closed")
        REOPEN = "reopen", _("Reopened")
        UNDO = "undo", _("Undone")
        PAY = "pay", _("Payment")
        SETTLE = "settle", _("Settled")
        FEE = "fee", _("Fee or fine")
        PRIZE = "prize", _("Prize")
        CARRY = "carry", _("Carried over")
        AMEND = "amend", _("Evening or club corrected")
        IMPORT = "import", _("Old scores imported")

    AFTER_CLOSING = (Kind.PAY, Kind.SETTLE, Kind.CARRY)
    """Written in closed evenings too; triggers refuse all other kinds there."""

    id = models.UUIDField(primary_key=True)  # made by the phone
    evening = models.ForeignKey(
        Evening, models.PROTECT, null=True, blank=True, related_name="actions"
    )
    season = models.ForeignKey(
        Season, models.PROTECT, null=True, blank=True, related_name="actions"
    )
    club = models.ForeignKey(
        Club, models.PROTECT, null=True, blank=True, related_name="actions"
    )
    """Set where it belongs to no single evening or season."""
    number = models.PositiveIntegerField()
    """Counts the actions of an evening, a season or a club, from 1, without gaps."""
    table = models.ForeignKey(
        Table, models.PROTECT, null=True, blank=True, related_name="actions"
    )
    other_table = models.ForeignKey(
        Table, models.PROTECT, null=True, blank=True, related_name="+"
    )
    """The table a player moved to."""
    kind = models.CharField(max_length=10, choices=Kind.choices)
    undoes = models.OneToOneField(
        "self", models.PROTECT, null=True, blank=True, related_name="undone_by"
    )
    seating_before = models.JSONField(default=dict, blank=True)
    """Line-ups by table id, where changed: [[from_hand, dealer, [[player, on_break] …]]
    …] (see journal/writer.py)."""
    seating_after = models.JSONField(default=dict, blank=True)
    before = models.JSONField(default=dict, blank=True)
    """Values of an evening or a club, where changed (see journal/amendment_plan.py)."""
    after = models.JSONField(default=dict, blank=True)
    reason = models.CharField(max_length=200, blank=True, default="")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    evening__isnull=False, season__isnull=True, club__isnull=True
                )
                | Q(
                    evening__isnull=True,
                    season__isnull=False,
                    club__isnull=True,
                    table__isnull=True,
                )
                | Q(
                    evening__isnull=True,
                    season__isnull=True,
                    club__isnull=False,
                    table__isnull=True,
                ),
                name="ledger_action_of_one_book",
            ),
            models.CheckConstraint(
                condition=Q(kind="undo", undoes__isnull=False)
                | ~Q(kind="undo") & Q(undoes__isnull=True),
                name="ledger_action_undo_undoes",
            ),
            models.UniqueConstraint(
                fields=["evening", "number"], name="ledger_action_number_once_evening"
            ),
            models.UniqueConstraint(
                fields=["season", "number"], name="ledger_action_number_once_season"
            ),
            models.UniqueConstraint(
                fields=["club", "number"], name="ledger_action_number_once_club"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class Step(models.Model):
    """Effect of an action on one hand; without a version the hand does not count."""

    action = models.ForeignKey(Action, models.PROTECT, related_name="steps")
    hand = models.ForeignKey(Hand, models.PROTECT, related_name="steps")
    before = models.ForeignKey(
        Version, models.PROTECT, null=True, blank=True, related_name="+", db_index=False
    )
    before_number = models.PositiveIntegerField(null=True, blank=True)
    """None where the hand was new."""
    after = models.ForeignKey(
        Version, models.PROTECT, null=True, blank=True, related_name="+", db_index=False
    )
    after_number = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["action", "hand"], name="ledger_step_once_per_hand"
            )
        ]

    def __str__(self) -> str:
        return f"{self.hand_id}: {self.before_number} → {self.after_number}"
