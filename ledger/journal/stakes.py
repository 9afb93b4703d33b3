"""Stake: what a point is worth, changed for every entry of an evening."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.journal import rounding, writer
from ledger.journal.money_entries import Kind
from ledger.journal.writer import Gains
from ledger.models import Action, Entry, Evening, Posting, reentered_id
from ledger.tallies import PLAYED
from ledger.text.amounts import HIGHEST_STAKE as MOST_STAKE
from ledger.text.amounts import PARTS, Stake
from scoring import Problem, problem
from scoring.text import _


def played_entries(evening: Evening) -> list[Entry]:
    """Return the entries in force of hands and adjustments of *evening*."""
    live = Entry.objects.filter(
        evening=evening,
        kind__in=PLAYED,
        reversal=None,
    )
    return list(live.prefetch_related("postings").order_by("created_at", "pk"))


def is_money_only(entry: Entry) -> bool:
    """Tell whether *entry* is an adjustment in money, which no stake changes."""
    postings = entry.postings.all()
    return entry.kind == Kind.ADJUSTMENT and not any(p.points for p in postings)


def _revalued(entry: Entry, evening: Evening) -> Gains:
    postings = entry.postings.all()
    if is_money_only(entry):
        return {p.player_id: (0, p.money) for p in postings}
    return writer.gains(evening, {p.player_id: p.points for p in postings})


def change_stake(action: Action, evening: Evening, currency: str, stake: Stake) -> None:
    """Reverse all entries of the game, change the stake, and enter them again.

    *stake* is minor units a point. The evening is locked and open.
    """
    entries = played_entries(evening)
    reversals = [writer.reversal(action, entry) for entry in entries]
    writer.post(rounding.with_rounding(action, evening, reversals))
    evening.currency = currency
    evening.stake, evening.stake_parts = stake.numerator, stake.denominator
    evening.save(update_fields=["currency", "stake", "stake_parts"])
    again = [
        (_reentered(action, evening, entry), _revalued(entry, evening))
        for entry in entries
    ]
    writer.post(rounding.with_rounding(action, evening, again))


def _reentered(action: Action, evening: Evening, entry: Entry) -> Entry:
    return Entry(
        id=reentered_id(action.pk, entry.pk),
        action=action,
        club_id=entry.club_id,
        evening=evening,
        kind=entry.kind,
        version_id=entry.version_id,
        sheet_hand=entry.sheet_hand,
        currency=evening.currency,
        note=entry.note,
        created_by_id=action.by_id,
    )


def stake_problems(evening: Evening, currency: str, stake: Stake) -> Iterator[Problem]:
    """Yield the problems of changing the stake of *evening*."""
    fits = stake.denominator in PARTS and 0 <= stake.numerator <= MOST_STAKE
    if (currency == "") != (stake == 0) or not fits:
        yield problem("stake", _("Enter what a point is worth, and in which currency."))
    if currency == evening.currency:
        return
    live = Entry.objects.filter(evening=evening, reversal=None)
    money = live.filter(kind__in=(Kind.PAYMENT, Kind.FEE, Kind.PRIZE, Kind.CARRY))
    in_money = Posting.objects.filter(
        entry__in=live.filter(kind=Kind.ADJUSTMENT), points=0
    ).exclude(money=0)
    if money.exists() or in_money.exists():
        message = _("First take back what was paid in the other currency.")
        yield problem("currency", message)
