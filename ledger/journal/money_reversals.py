"""Undoing of actions that move money: payments, fees, prizes, carryovers."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from ledger.journal import actions, writer
from ledger.journal.actions import begin
from ledger.journal.idempotency import done_before
from ledger.journal.money_entries import Kind, check_scope_open, lock_evenings
from ledger.journal.undo_stack import check_not_undone
from ledger.journal.writer import Gains
from ledger.models import Action, Entry, User, locks, reentered_id
from ledger.settlement import SettlementScope
from scoring import refuse
from scoring.text import _

MONEY_KINDS = (*Action.AFTER_CLOSING, Action.Kind.FEE, Action.Kind.PRIZE)
"""Kinds of actions that `undo_money` undoes."""


def undo_money(action: Action, id: UUID, by: User) -> Action:
    """Reverse the entries of *action*, or enter again those it reversed.

    Raise `Refused` where an evening is played in another currency by now, `Stale`,
    `Closed`.
    """
    kind = actions.original_of(action).kind
    scopes = _lock_scopes_of(action)
    if done := done_before(id, Action.Kind.UNDO, undoes_id=action.pk):
        return done
    check_not_undone(action)
    for scope in scopes if kind not in Action.AFTER_CLOSING else []:
        check_scope_open(scope)
    entries = entries_undone_with(action)
    undoing = begin(
        Action.Kind.UNDO,
        id=id,
        by=by,
        undoes=action,
        reason=action.reason,
        **_scope_of(action),
    )
    opposites = [_opposite(undoing, entry) for entry in entries]
    currencies = {s.evening.pk: s.currency for s in scopes if s.evening}
    for entry, _gains in opposites:
        if currencies.get(entry.evening_id or 0, entry.currency) != entry.currency:
            refuse("action", _("The evening is now played in another currency."))
    writer.post(opposites)
    return undoing


def entries_undone_with(action: Action) -> QuerySet[Entry]:
    """Return the entries that undoing *action* now would reverse, or enter again."""
    own = action.entries.select_related("reverses", "evening", "season")
    entries = own.prefetch_related("postings__player").order_by("created_at", "pk")
    pays = actions.original_of(action).kind in (Action.Kind.PAY, Action.Kind.SETTLE)
    if pays and _has_later_payments(action):
        # A payment across evenings carried their debts to its own scope. Later
        # payments there rely on them: carried back, they could be paid twice.
        return entries.exclude(kind=Kind.CARRY)
    return entries


def _has_later_payments(action: Action) -> bool:
    """Tell whether later payments of the same scope are in force."""
    later = {f"action__{name}": of for name, of in _scope_of(action).items()}
    paid = Entry.objects.filter(kind=Kind.PAYMENT, reversal=None, **later)
    return paid.filter(action__number__gt=action.number).exists()


def _lock_scopes_of(action: Action) -> list[SettlementScope]:
    """Lock the club, then the evenings *action* wrote in; return all its scopes."""
    entries = list(action.entries.select_related("season"))
    outside = [entry for entry in entries if entry.evening_id is None]
    if action.evening_id is None and outside:
        locks.locked_club(outside[0].club_id)
    pks = {entry.evening_id for entry in entries if entry.evening_id}
    pks |= {action.evening_id} if action.evening_id else set()
    evenings = lock_evenings(pks)
    seasons = {e.season_id: e.season for e in outside if e.season is not None}
    return [
        *(SettlementScope.of_evening(evening) for evening in evenings),
        *(SettlementScope.of_season(season, "") for season in seasons.values()),
    ]


def _scope_of(action: Action) -> dict[str, Any]:
    return {name: getattr(action, name) for name in ("evening", "season", "club")}


def _opposite(undoing: Action, entry: Entry) -> tuple[Entry, Gains]:
    """Return the reversal of *entry*; of a reversal, its entry once more."""
    if entry.reverses is None:
        return writer.reversal(undoing, entry)
    original = entry.reverses
    entered = Entry(
        id=reentered_id(undoing.pk, original.pk),
        action=undoing,
        club_id=original.club_id,
        evening_id=original.evening_id,
        season_id=original.season_id,
        kind=original.kind,
        currency=original.currency,
        method=original.method,
        note=original.note,
        date=original.date,
        paid_on=original.paid_on,
        created_by_id=undoing.by_id,
    )
    return entered, {p.player_id: (-p.points, -p.money) for p in entry.postings.all()}
