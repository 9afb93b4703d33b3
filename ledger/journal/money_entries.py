"""Entries that move money without a hand: locks, scope and texts of all of them.

Each write is one action with the client's id, in a settlement scope: an evening, a
season, or the club up to a day. Locks: the evening alone; or the club, then its
evenings by id; then players by id.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from uuid import UUID, uuid5

from django.utils import timezone

from ledger.journal import clock
from ledger.journal.actions import begin
from ledger.journal.idempotency import done_before
from ledger.journal.players import pot_of
from ledger.journal.writer import Gains
from ledger.models import (
    Action,
    Entry,
    Evening,
    Player,
    Season,
    User,
    exceptions,
    locks,
)
from ledger.settlement import SettlementScope
from scoring import Problem, problem
from scoring.text import _

Kind = Entry.Kind
MoneyEntries = list[tuple[Entry, Gains]]
MOST_AMOUNT = 10**15
"""Minor units of one payment; sums of many still fit a 64-bit column."""
MOST_NOTE, MOST_METHOD = 200, 40


# Locks and scopes


def locked_scope(scope: SettlementScope) -> SettlementScope:
    """Lock all that *scope* covers, and return it as it is now."""
    if scope.evening:
        return replace(scope, evening=locks.locked_evening(scope.evening))
    locks.locked_club(scope.club.pk)
    within = Evening.objects.not_removed().filter(club=scope.club)
    if scope.season:
        within = within.filter(season=scope.season)
    if scope.until:
        within = within.filter(date__lte=scope.until)
    lock_evenings(within.values_list("pk", flat=True))
    if scope.season:
        return replace(scope, season=Season.objects.get(pk=scope.season.pk))
    return scope


def lock_evenings(pks: Iterable[int]) -> list[Evening]:
    """Lock evenings by id. Raise `Removed`."""
    found = Evening.objects.filter(pk__in=pks).select_related("club").order_by("pk")
    evenings = list(found.select_for_update(of=("self",), no_key=True))
    for evening in evenings:
        locks.check_not_removed(evening)
    return evenings


def check_scope_open(scope: SettlementScope) -> None:
    """Raise `Closed` or `SeasonClosed` where no fee or prize may be written."""
    if scope.evening:
        locks.check_open(scope.evening)
    elif scope.season and scope.season.closed_at:
        raise exceptions.SeasonClosed(scope.season)


def done_in_scope(id: UUID, kind: Action.Kind, scope: SettlementScope) -> Action | None:
    """Return the action stored under *id*; see `idempotency.done_before`."""
    where = {
        f"{name}_id": of.pk if of else None for name, of in scope.action_fields.items()
    }
    return done_before(id, kind, **where)


def begin_in_scope(
    kind: Action.Kind, scope: SettlementScope, id: UUID, by: User, reason: str
) -> Action:
    return begin(kind, id=id, by=by, reason=reason.strip(), **scope.action_fields)


def money_entry(
    action: Action,
    scope: SettlementScope,
    kind: Entry.Kind,
    name: str,
    *,
    note: str = "",
    method: str = "",
    day: datetime.date | None = None,
) -> Entry:
    """Return an entry of *action*, not saved; *name* tells it from its others."""
    on = day or timezone.localdate(clock.now())
    return Entry(
        id=uuid5(action.pk, name),
        action=action,
        club=scope.club,
        evening=scope.evening,
        season=None if scope.evening else scope.season,
        kind=kind,
        currency=scope.currency,
        method=method.strip(),
        note=note.strip(),
        date=scope.until or on,
        paid_on=on if kind == Kind.PAYMENT else None,
        created_by_id=action.by_id,
    )


def scope_gains(scope: SettlementScope, amounts: Mapping[int, int]) -> Gains:
    """Return *amounts* as money, or as points where the scope has no currency."""
    return {
        player: (0, amount) if scope.in_money else (amount, 0)
        for player, amount in amounts.items()
    }


def saved_player(scope: SettlementScope, player: Player) -> Player:
    """Return *player*; a plan may name a pot that is not saved yet."""
    return pot_of(scope.club) if player.is_pot else player


def text_problems(
    note: str, method: str = "", *, needed: bool = False
) -> Iterator[Problem]:
    if needed and not note.strip():
        yield problem("reason", _("Say what it is for."))
    for field, text, most in (
        ("reason" if needed else "note", note, MOST_NOTE),
        ("method", method, MOST_METHOD),
    ):
        if len(text.strip()) > most:
            message = _("Use {most} characters or fewer.")
            yield problem(field, message, most=most)
