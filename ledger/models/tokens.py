"""Personal tokens: by which a program signs in as the user who made it."""

from __future__ import annotations

from datetime import timedelta
from hashlib import sha256
from secrets import compare_digest, token_urlsafe

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.db import models
from django.db.models import Q
from django.utils import timezone

PREFIX = "kontra_"
"""By which scanners recognise a token that leaked."""

NOTED_EVERY = timedelta(minutes=1)
"""Precision of `last_used`: no write for each request."""


class TokenQuerySet(models.QuerySet["Token"]):
    def usable(self) -> TokenQuerySet:
        return self.filter(revoked_at=None, user__is_active=True)

    def find(self, secret: str) -> Token | None:
        """Return the usable token with this *secret*."""
        digest = digest_of(secret)
        token = self.usable().select_related("user").filter(digest=digest).first()
        return token if token and compare_digest(token.digest, digest) else None


class Token(models.Model):
    """A token; only its digest is stored, with which nobody can sign in."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="tokens"
    )
    name = models.CharField(max_length=60)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now)
    last_used = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = TokenQuerySet.as_manager()

    def __str__(self) -> str:
        return self.name

    @classmethod
    def make(cls, user: AbstractBaseUser, name: str) -> tuple[Token, str]:
        """Create a token; return it and its secret, which is not stored."""
        secret = PREFIX + token_urlsafe(32)
        token = cls.objects.create(user_id=user.pk, name=name, digest=digest_of(secret))
        return token, secret

    def note_use(self) -> None:
        now = timezone.now()
        if self.last_used is None or now - self.last_used > NOTED_EVERY:
            type(self).objects.filter(pk=self.pk).update(last_used=now)

    def revoke(self) -> None:
        """Revoke the token for good; a second call keeps the time of the first."""
        still = Q(pk=self.pk, revoked_at=None)
        type(self).objects.filter(still).update(revoked_at=timezone.now())


def digest_of(secret: str) -> str:
    """Return the stored digest of *secret*: 32 random bytes need no slow hash."""
    return sha256(secret.encode(errors="replace")).hexdigest()
