"""What opens by a secret that is shown once: tokens of programs, links to an evening.

Sent again, the thing is found and its secret is not: nobody can show it any more.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import TypeVar
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import Model, QuerySet

from ledger.models import Evening, ShareLink, Token
from ledger.receipts import once

M = TypeVar("M", bound=Model)


def make_token(user: User, name: str, *, id: UUID | None = None) -> tuple[Token, str]:
    """Return a token of *user* and its secret; "" where it was made before."""
    mine = Token.objects.filter(user=user.pk)
    return _shown_once(id, mine, lambda: Token.make(user, name))


def make_link(
    evening: Evening,
    *,
    by: User,
    method: str,
    lasts: timedelta,
    id: UUID | None = None,
) -> tuple[ShareLink, str]:
    """Return a link to *evening* and its secret; "" where it was made before."""
    links = ShareLink.objects.filter(evening=evening)
    return _shown_once(
        id,
        links,
        lambda: ShareLink.make(evening, by=by, method=method, lasts=lasts),
    )


def _shown_once(
    id: UUID | None, among: QuerySet[M], make: Callable[[], tuple[M, str]]
) -> tuple[M, str]:
    secrets: dict[M, str] = {}

    def make_now() -> M:
        thing, secrets[thing] = make()
        return thing

    thing = once(id, among, make_now)
    return thing, secrets.get(thing, "")
