"""Links that show the plan of an evening to whoever has them, for a while."""

from __future__ import annotations

from datetime import timedelta
from secrets import compare_digest, token_urlsafe

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.db import models
from django.utils import timezone

from ledger.models.clubs import Club
from ledger.models.evenings import Evening
from ledger.models.tokens import digest_of

LASTS = timedelta(days=14)


class ShareLinkQuerySet(models.QuerySet["ShareLink"]):
    def usable(self) -> ShareLinkQuerySet:
        return self.filter(
            revoked_at=None, expires_at__gt=timezone.now(), evening__removed=False
        )

    def find(self, secret: str) -> ShareLink | None:
        """Return the usable link with this *secret*."""
        digest = digest_of(secret)
        links = self.usable().select_related("evening__club")
        link = links.filter(digest=digest).first()
        return link if link and compare_digest(link.digest, digest) else None


class ShareLink(models.Model):
    """A link to the settlement of an evening; its secret is stored as a digest."""

    evening = models.ForeignKey(Evening, models.PROTECT, related_name="share_links")
    method = models.CharField(max_length=10, choices=Club.Method.choices)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = ShareLinkQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.evening} {self.pk}"

    @classmethod
    def make(
        cls,
        evening: Evening,
        *,
        by: AbstractBaseUser,
        method: str = Club.Method.FEWEST,
        lasts: timedelta = LASTS,
    ) -> tuple[ShareLink, str]:
        """Create a link; return it and its secret, which is not stored."""
        secret = token_urlsafe(32)
        link = cls.objects.create(
            evening=evening,
            method=method,
            digest=digest_of(secret),
            created_by_id=by.pk,
            expires_at=timezone.now() + lasts,
        )
        return link, secret

    def revoke(self) -> None:
        """Revoke the link for good; a second call keeps the time of the first."""
        still = type(self).objects.filter(pk=self.pk, revoked_at=None)
        still.update(revoked_at=timezone.now())
