"""Old sheets: uploaded files, from upload to import."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db import models
from django.utils import timezone

from ledger.models.actions import Action
from ledger.models.clubs import Club

WAITS = timedelta(days=1)
"""How long a sheet waits to be confirmed."""


class OldSheetQuerySet(models.QuerySet["OldSheet"]):
    def waiting(self) -> OldSheetQuerySet:
        return self.filter(action=None)

    def expired(self) -> OldSheetQuerySet:
        return self.waiting().filter(uploaded_at__lt=timezone.now() - WAITS)

    def counting(self) -> OldSheetQuerySet:
        """Return the imported ones whose import is not undone."""
        return self.filter(action__isnull=False, action__undone_by=None)


class OldSheet(models.Model):
    """A file, and the choices by which it is read; once imported, only its digests."""

    id = models.UUIDField(primary_key=True)  # made by the browser
    club = models.ForeignKey(Club, models.PROTECT, related_name="sheets")
    name = models.CharField(max_length=200)
    digest = models.CharField(max_length=64)
    """Of the file."""
    fingerprints = models.JSONField(default=list)
    """Of the worksheets that were imported."""
    content = models.BinaryField()
    choices = models.JSONField(default=dict)
    players_made = models.JSONField(default=list)
    """Ids of the players its import created."""
    action = models.OneToOneField(
        Action, models.PROTECT, null=True, blank=True, related_name="sheet"
    )
    uploaded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+"
    )
    uploaded_at = models.DateTimeField(default=timezone.now)

    objects = OldSheetQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["club", "digest"], name="ledger_sheet_digest"),
        ]

    def __str__(self) -> str:
        return self.name
