"""Signing in by a personal token: `Authorization: Bearer kontra_…`."""

from __future__ import annotations

from django.contrib.auth.models import AbstractBaseUser
from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from ledger.api.throttling import check_stranger
from ledger.models import Token

SCHEMES = (b"bearer", b"token")


class TokenAuthentication(BaseAuthentication):
    def authenticate(self, request: Request) -> tuple[AbstractBaseUser, Token] | None:
        scheme, *secret = get_authorization_header(request).split() or [b""]
        if scheme.lower() not in SCHEMES:
            if not request._request.user.is_authenticated:
                check_stranger(request, counts=True)
            return None
        # Before a token is looked up: who tries many must not cost us many.
        check_stranger(request, counts=False)
        token = Token.objects.find(secret[0].decode("latin-1")) if secret else None
        if token is None or len(secret) > 1:
            check_stranger(request, counts=True)
            raise AuthenticationFailed(
                _("This token is unknown or has been revoked: make a new one.")
            )
        token.note_use()
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"
