"""Sign-in links: each signs a user in, once.

A link expires when it is used, because the time of the last sign-in is part of its
token, when the password changes, and after PASSWORD_RESET_TIMEOUT.
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


class _TokenGenerator(PasswordResetTokenGenerator):
    key_salt = "ledger.security.sign_in_links"

    def _make_hash_value(self, user: AbstractBaseUser, timestamp: int) -> str:
        # Django's own rounds the last sign-in to the second: too coarse for "once".
        last = user.last_login.isoformat() if user.last_login else ""
        return f"{user.pk}{user.password}{last}{timestamp}"


_tokens = _TokenGenerator()


def link_path(user: User) -> str:
    """Return the path of a link that signs *user* in."""
    uid = urlsafe_base64_encode(str(user.pk).encode())
    return reverse("sign_in_link", args=[uid, _tokens.make_token(user)])


def user_of(uid: str, token: str) -> User | None:
    """Return the user of a valid link, or None. The link stays valid."""
    user = _user_by_uid(uid, User.objects.all())
    return user if _tokens.check_token(user, token) else None


@transaction.atomic
def sign_in(request: HttpRequest, uid: str, token: str) -> User | None:
    """Sign the user of a link in, which expires it; return None if it is not valid."""
    user = _user_by_uid(uid, User.objects.select_for_update())
    if user is None or not _tokens.check_token(user, token):
        return None
    login(request, user, backend=BACKEND)
    return user


def _user_by_uid(uid: str, users: QuerySet[User]) -> User | None:
    try:
        key = int(urlsafe_base64_decode(uid))
    except ValueError:
        return None
    return users.filter(pk=key, is_active=True).first()
