"""Pending sheets, uploaded and not applied: dropped after a day, or beyond a limit."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models.functions import Length

from ledger.models import Club, OldSheet, User
from ledger.models.old_sheets import OldSheetQuerySet

MOST_SHEETS = 20
"""Pending sheets of a club, and of a user."""
MOST_BYTES = 16 * 2**20
"""Stored bytes of a club's pending sheets, and of a user's."""


def drop_expired(club: Club, user: User) -> None:
    """Delete sheets not applied in time, and the oldest beyond the limits."""
    OldSheet.objects.expired().delete()
    for mine in (
        OldSheet.objects.filter(club=club),
        OldSheet.objects.filter(uploaded_by=user),
    ):
        OldSheet.objects.filter(pk__in=list(_too_many(mine))).delete()


def _too_many(mine: OldSheetQuerySet) -> Iterator[object]:
    waiting = mine.waiting().annotate(size=Length("content"))
    room = MOST_BYTES
    newest = waiting.order_by("-uploaded_at", "pk").values_list("pk", "size")
    for number, (pk, size) in enumerate(newest, start=1):
        room -= size
        if number > MOST_SHEETS or room < 0:
            yield pk
