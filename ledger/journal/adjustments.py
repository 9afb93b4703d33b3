"""Adjustments: what moves points or money without a hand, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from uuid import UUID

from django.db.models import Q
from django.utils.translation import get_language

from ledger.journal import rounding, writer
from ledger.journal.actions import Stale, begin, known, twice
from ledger.models import Action, Entry, Evening, Player, User, again, locks
from ledger.text import amounts
from scoring import Problem, Refused, problem, refuse
from scoring.text import _


@twice
def adjust(
    evening: Evening,
    gains: Mapping[Player, int],
    *,
    reason: str,
    id: UUID,
    by: User,
    in_money: bool = False,
) -> Action:
    """Move points, worth the evening's stake, between players, and say why.

    *in_money* moves minor units and no points.
    """
    evening = locks.locked_evening(evening)
    if done := known(id, Action.Kind.ADJUST, evening_id=evening.pk):
        return done
    locks.open_or_closed(evening)
    if problems := list(_wrong_adjustment(evening, gains, reason, in_money)):
        raise Refused(problems)
    moved = {player.pk: gain for player, gain in gains.items() if gain}
    action = begin(
        Action.Kind.ADJUST, id=id, by=by, evening=evening, reason=reason.strip()
    )
    worth = (
        {player: (0, gain) for player, gain in moved.items()}
        if in_money
        else writer.gains(evening, moved)
    )
    _post(action, (_adjustment(action), worth))
    return action


def _post(action: Action, entered: rounding.EnteredEntry) -> None:
    assert action.evening is not None
    writer.post(rounding.topped(action, action.evening, [entered]))


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


def _wrong_adjustment(
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
        shown = abs(total) if not in_money else _shown(abs(total), evening.currency)
        yield problem("gains", message, difference=shown)


def _shown(amount: int, currency: str) -> str:
    return amounts.format_amount(amount, currency, get_language() or "en")


def undo_adjustment(evening: Evening, action: Action, id: UUID, by: User) -> Action:
    """Reverse what *action* moved, or move again what it took back."""
    if (made := _made_by(action)) is None:
        message = _(
            "Only an adjustment can be cancelled here. To reopen an evening, ask an "
            "owner of the club."
        )
        refuse("action", message)
    if since := Action.objects.filter(undoes=action):
        raise Stale(None, list(since))
    if (live := _counts_now(made)) is None and _in_other_money(made, evening):
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
        _post(undoing, (_adjustment(undoing), _at_stake(made, evening)))
    return undoing


ENTRIES = (
    Entry.objects.filter(kind=Entry.Kind.ADJUSTMENT)
    .select_related("reversal")
    .prefetch_related("postings")
)


def _made_by(action: Action) -> Entry | None:
    """Return the adjustment that *action* made, or took back, if it was one."""
    mine = Q(pk=action.pk) | Q(pk=action.undoes_id)
    return ENTRIES.filter(mine).first()


def _counts_now(made: Entry) -> Entry | None:
    """Return what counts of an adjustment.

    When the stake is changed it is taken back, and entered again under another id.
    """
    now: Entry | None = made
    while now is not None and (back := getattr(now, "reversal", None)):
        now = ENTRIES.filter(pk=again(back.action_id, now.pk)).first()
    return now


def _at_stake(made: Entry, evening: Evening) -> writer.Gains:
    moved = made.postings.all()
    if not _has_points(made):
        return {p.player_id: (p.points, p.money) for p in moved}
    return writer.gains(evening, {p.player_id: p.points for p in moved})


def _has_points(made: Entry) -> bool:
    return any(posting.points for posting in made.postings.all())


def _in_other_money(made: Entry, evening: Evening) -> bool:
    """Whether it moved money alone, and not that which is played for now."""
    return not _has_points(made) and made.currency != evening.currency
