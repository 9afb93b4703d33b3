"""Adjustments: points or money moved between players of an evening, with a reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from uuid import UUID

from django.db.models import Q
from django.utils.translation import get_language

from ledger.journal import rounding, writer
from ledger.journal.actions import begin
from ledger.journal.idempotency import done_before, retry_once
from ledger.journal.undo_stack import check_not_undone
from ledger.models import Action, Entry, Evening, Player, User, locks, reentered_id
from ledger.text import amounts
from scoring import Problem, Refused, problem, refuse
from scoring.text import _


@retry_once
def adjust(
    evening: Evening,
    gains: Mapping[Player, int],
    *,
    reason: str,
    id: UUID,
    by: User,
    in_money: bool = False,
) -> Action:
    """Move points, worth the evening's stake, between players.

    *gains* sum to 0. *in_money* moves minor units and no points. Raise `Refused`,
    `Closed`.
    """
    evening = locks.locked_evening(evening)
    if done := done_before(id, Action.Kind.ADJUST, evening_id=evening.pk):
        return done
    locks.check_open(evening)
    if problems := list(_adjustment_problems(evening, gains, reason, in_money)):
        raise Refused(problems)
    nonzero = {player.pk: gain for player, gain in gains.items() if gain}
    action = begin(
        Action.Kind.ADJUST, id=id, by=by, evening=evening, reason=reason.strip()
    )
    worth = (
        {player: (0, gain) for player, gain in nonzero.items()}
        if in_money
        else writer.gains(evening, nonzero)
    )
    _post(action, (_adjustment(action), worth))
    return action


def _post(action: Action, entered: rounding.EnteredEntry) -> None:
    assert action.evening is not None
    writer.post(rounding.with_rounding(action, action.evening, [entered]))


def _adjustment(action: Action) -> Entry:
    evening = action.evening
    assert evening is not None
    return Entry(
        id=action.pk,
        club_id=evening.club_id,
        evening=evening,
        kind=Entry.Kind.ADJUSTMENT,
        currency=evening.currency,
        note=action.reason,
        created_by_id=action.by_id,
    )


def _adjustment_problems(
    evening: Evening, gains: Mapping[Player, int], reason: str, in_money: bool
) -> Iterator[Problem]:
    if {player.club_id for player in gains} - {evening.club_id}:
        raise ValueError(f"expected players of club {evening.club_id}")
    if not reason.strip():
        yield problem("reason", _("Say what it is for."))
    if in_money and not evening.currency:
        yield problem(
            "gains", _("This evening is played for points only: choose points.")
        )
    if not any(gains.values()):
        yield problem(
            "gains", _("Nobody gains or loses anything: enter who pays and who gets.")
        )
    if total := sum(gains.values()):
        message = (
            _("The gains are {difference} more than the losses: they must be equal.")
            if total > 0
            else _(
                "The losses are {difference} more than the gains: they must be equal."
            )
        )
        shown = (
            abs(total) if not in_money else _amount_text(abs(total), evening.currency)
        )
        yield problem("gains", message, difference=shown)


def _amount_text(amount: int, currency: str) -> str:
    return amounts.format_amount(amount, currency, get_language() or "en")


def undo_adjustment(action: Action, id: UUID, by: User) -> Action:
    """Reverse the adjustment of *action*, or enter again the one it reversed.

    Raise `Refused` when the money would be of another currency, `Stale`, `Closed`.
    """
    assert action.evening is not None
    evening = locks.locked_evening(action.evening)
    if done := done_before(id, Action.Kind.UNDO, undoes_id=action.pk):
        return done
    locks.check_open(evening)
    check_not_undone(action)
    made = ENTRIES.get(Q(pk=action.pk) | Q(pk=action.undoes_id))
    if (live := _live_entry(made)) is None and _is_in_other_currency(made, evening):
        message = _("The evening is now played in another currency.")
        refuse("action", message)
    undoing = begin(
        Action.Kind.UNDO,
        id=id,
        by=by,
        evening=evening,
        undoes=action,
        reason=action.reason,
    )
    if live is not None:
        _post(undoing, writer.reversal(undoing, live))
    else:
        _post(undoing, (_adjustment(undoing), _revalued(made, evening)))
    return undoing


ENTRIES = (
    Entry.objects.filter(kind=Entry.Kind.ADJUSTMENT)
    .select_related("reversal")
    .prefetch_related("postings")
)


def _live_entry(made: Entry) -> Entry | None:
    """Return the entry in force of an adjustment; None when it is cancelled.

    A change of the stake reverses it and enters it again, under another id.
    """
    entry: Entry | None = made
    while entry is not None and (reversal := getattr(entry, "reversal", None)):
        again = reentered_id(reversal.action_id, entry.pk)
        entry = ENTRIES.filter(pk=again).first()
    return entry


def _revalued(made: Entry, evening: Evening) -> writer.Gains:
    postings = made.postings.all()
    if not _has_points(made):
        return {p.player_id: (p.points, p.money) for p in postings}
    return writer.gains(evening, {p.player_id: p.points for p in postings})


def _has_points(made: Entry) -> bool:
    return any(posting.points for posting in made.postings.all())


def _is_in_other_currency(made: Entry, evening: Evening) -> bool:
    """Tell whether it moved money alone, in a currency not played for any more."""
    return not _has_points(made) and made.currency != evening.currency
