"""Access keys: tokens of programs, and share links to an evening.

Each has a secret that is shown once. A request sent again finds the key without its
secret, of which only a digest is stored.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import TypeVar
from uuid import UUID

from django.db.models import Model, QuerySet

from ledger.journal.idempotency import once
from ledger.models import Evening, Receipt, ShareLink, Token, User
from scoring import refuse
from scoring.text import _

M = TypeVar("M", bound=Model)

MOST_TOKENS = 30
"""Usable tokens of a user at a time."""
MOST_LINKS = 100
"""Usable links to an evening at a time."""
MOST_REVOKED = 200
"""Revoked or expired keys that stay listed, the latest."""


TOO_MANY_TOKENS = _("You have {n} tokens: revoke one that is not needed any more.")
TOO_MANY_LINKS = _("There are {n} links to this evening: revoke some first.")


def make_token(user: User, name: str, *, id: UUID | None = None) -> tuple[Token, str]:
    """Create a token of *user*; return it and its secret, "" for a repeated *id*."""
    tokens = Token.objects.filter(user=user.pk)

    def make() -> tuple[Token, str]:
        _expect_room(tokens, tokens.usable(), MOST_TOKENS, TOO_MANY_TOKENS)
        return Token.make(user, name)

    return _make_once(id, tokens, make)


def make_link(
    evening: Evening,
    *,
    by: User,
    method: str,
    lasts: timedelta,
    id: UUID | None = None,
) -> tuple[ShareLink, str]:
    """Create a link to *evening*; return it and its secret, "" for a repeated *id*."""
    links = ShareLink.objects.filter(evening=evening)

    def make() -> tuple[ShareLink, str]:
        _expect_room(links, links.usable(), MOST_LINKS, TOO_MANY_LINKS)
        return ShareLink.make(evening, by=by, method=method, lasts=lasts)

    return _make_once(id, links, make)


def _make_once(
    id: UUID | None, among: QuerySet[M], make: Callable[[], tuple[M, str]]
) -> tuple[M, str]:
    secrets: dict[M, str] = {}

    def make_now() -> M:
        key, secrets[key] = make()
        return key

    key = once(id, among, make_now)
    return key, secrets.get(key, "")


def _expect_room(
    all_: QuerySet[M], usable: QuerySet[M], most: int, message: str
) -> None:
    """Raise `Refused` where *most* are usable; delete the oldest that are not."""
    if usable.count() >= most:
        refuse("name", message, code="too_many", n=most)
    revoked = all_.exclude(pk__in=usable.values("pk")).order_by("-pk")
    if old := list(revoked.values_list("pk", flat=True)[MOST_REVOKED:]):
        kind = str(all_.model._meta.model_name)
        Receipt.objects.filter(kind=kind, thing__in=old).delete()
        all_.filter(pk__in=old).delete()
