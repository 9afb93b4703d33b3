"""Pair sums: cached pairwise balances of closed evenings (settlement/pair_sums.py)."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from ledger.models.clubs import Player
from ledger.models.evenings import Evening


class PairSum(models.Model):
    """What *other* owes *one* by the hands of a closed evening; below 0, is owed.

    There is a row for each two players of the same hand, the lower id first.
    """

    evening = models.ForeignKey(Evening, models.PROTECT, related_name="pair_sums")
    one = models.ForeignKey(Player, models.PROTECT, related_name="+", db_index=False)
    other = models.ForeignKey(Player, models.PROTECT, related_name="+", db_index=False)
    amount = models.BigIntegerField()
    """In minor units, or in points where no money is played for."""

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["evening", "one", "other"], name="ledger_pair_once_an_evening"
            ),
            models.CheckConstraint(
                condition=Q(one__lt=F("other")), name="ledger_pair_in_order"
            ),
        ]
        indexes = [
            models.Index(
                fields=["one", "other", "evening", "amount"], name="ledger_pair_sum"
            )
        ]

    def __str__(self) -> str:
        return f"{self.evening_id}: {self.one_id}, {self.other_id}"
