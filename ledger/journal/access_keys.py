"""What opens by a secret that is shown once: tokens of programs, links to an evening.

Sent again, the thing is found and its secret is not: nobody can show it any more.
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
"""So many of a person's open at a time."""
MOST_LINKS = 100
"""So many of an evening's."""
KEPT = 200
"""So many that open nothing any more are still known, the latest."""


TOKENS = _("You have {n} tokens: revoke one that is not needed any more.")
LINKS = _("There are {n} links to this evening: revoke some first.")


def make_token(user: User, name: str, *, id: UUID | None = None) -> tuple[Token, str]:
    """Return a token of *user* and its secret; "" where it was made before."""
    mine = Token.objects.filter(user=user.pk)

    def make() -> tuple[Token, str]:
        _expect_room(mine, mine.usable(), MOST_TOKENS, TOKENS)
        return Token.make(user, name)

    return _shown_once(id, mine, make)


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

    def make() -> tuple[ShareLink, str]:
        _expect_room(links, links.usable(), MOST_LINKS, LINKS)
        return ShareLink.make(evening, by=by, method=method, lasts=lasts)

    return _shown_once(id, links, make)


def _shown_once(
    id: UUID | None, among: QuerySet[M], make: Callable[[], tuple[M, str]]
) -> tuple[M, str]:
    secrets: dict[M, str] = {}

    def make_now() -> M:
        thing, secrets[thing] = make()
        return thing

    thing = once(id, among, make_now)
    return thing, secrets.get(thing, "")


def _expect_room(all_: QuerySet[M], usable: QuerySet[M], most: int, says: str) -> None:
    """Raise `Refused` where *most* are usable; forget the oldest that are not."""
    if usable.count() >= most:
        refuse("name", says, code="too_many", n=most)
    gone = all_.exclude(pk__in=usable.values("pk")).order_by("-pk")
    if old := list(gone.values_list("pk", flat=True)[KEPT:]):
        kind = str(all_.model._meta.model_name)
        Receipt.objects.filter(kind=kind, thing__in=old).delete()
        all_.filter(pk__in=old).delete()
