"""Links that sign a person in, once.

A link dies when it is used (the time of the last sign-in is part of it), when the
password changes and after PASSWORD_RESET_TIMEOUT.
"""

from __future__ import annotations

from django.contrib.auth import login
from django.contrib.auth.models import AbstractBaseUser
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.http import urlsafe_base64_decode, urlsafe_base64_encode

from ledger.models import User

BACKEND = "django.contrib.auth.backends.ModelBackend"


class _Tokens(PasswordResetTokenGenerator):
    key_salt = "ledger.security.sign_in_links"

    def _make_hash_value(self, user: AbstractBaseUser, timestamp: int) -> str:
        # Django's own rounds the last sign-in to the second: too coarse for "once".
        last = user.last_login.isoformat() if user.last_login else ""
        return f"{user.pk}{user.password}{last}{timestamp}"


tokens = _Tokens()


def path(user: User) -> str:
    """Return the address, without the host, that signs *user* in."""
    uid = urlsafe_base64_encode(str(user.pk).encode())
    return reverse("sign_in_link", args=[uid, tokens.make_token(user)])


def user_of(uid: str, token: str) -> User | None:
    """Return whom a link still signs in. Looking does not use it up."""
    user = _named(uid, User.objects.all())
    return user if tokens.check_token(user, token) else None


@transaction.atomic
def sign_in(request: HttpRequest, uid: str, token: str) -> User | None:
    """Sign the link's owner in, and thereby use it up; None if it is no good."""
    user = _named(uid, User.objects.select_for_update())
    if user is None or not tokens.check_token(user, token):
        return None
    login(request, user, backend=BACKEND)
    return user


def _named(uid: str, users: QuerySet[User]) -> User | None:
    try:
        key = int(urlsafe_base64_decode(uid))
    except ValueError:
        return None
    return users.filter(pk=key, is_active=True).first()
