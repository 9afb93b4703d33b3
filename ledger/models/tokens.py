"""Personal tokens: how a program signs in as the person who made it for it."""

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
"""So that a token left somewhere in the open is known for what it is."""

NOTED_EVERY = timedelta(minutes=1)
"""How exactly the last use is known; a write for each request would be dear."""


class TokenQuerySet(models.QuerySet["Token"]):
    def usable(self) -> TokenQuerySet:
        return self.filter(revoked_at=None, user__is_active=True)

    def find(self, secret: str) -> Token | None:
        """Return the usable token that *secret* spells."""
        digest = digest_of(secret)
        token = self.usable().select_related("user").filter(digest=digest).first()
        return token if token and compare_digest(token.digest, digest) else None


class Token(models.Model):
    """Only the digest is kept: who reads the database cannot sign in with it."""

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
        """Return a new token and its secret, which nobody can read again."""
        secret = PREFIX + token_urlsafe(32)
        token = cls.objects.create(user_id=user.pk, name=name, digest=digest_of(secret))
        return token, secret

    def note_use(self) -> None:
        now = timezone.now()
        if self.last_used is None or now - self.last_used > NOTED_EVERY:
            type(self).objects.filter(pk=self.pk).update(last_used=now)

    def revoke(self) -> None:
        """Take the token back for good; when it was done first stays on record."""
        still = Q(pk=self.pk, revoked_at=None)
        type(self).objects.filter(still).update(revoked_at=timezone.now())


def digest_of(secret: str) -> str:
    """Return what is kept of *secret*: 32 random bytes need no slow hash."""
    return sha256(secret.encode(errors="replace")).hexdigest()
