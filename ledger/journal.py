"""The only way into the journal: every write is one action, in one transaction.

Locks are taken in one order: the evening, then players by id. What was sent before is
recognised by its id and answered again; nothing is written twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.utils import timezone

import scoring
from ledger import actions, corrections, sequence, writing
from ledger import table as tables
from ledger.actions import (
    Closed,
    History,
    SeasonClosed,
    Stale,
    Taken,
    begin,
    known,
    twice,
)
from ledger.adjusting import adjust, undo_adjustment
from ledger.closing import close, close_season, reopen, reopen_season
from ledger.corrections import Change
from ledger.models import (
    Action,
    Entry,
    Hand,
    Player,
    Step,
    Table,
    Version,
)
from ledger.sequence import Facts, Place, State
from ledger.table import Deal
from ledger.writing import Move, lines_of
from scoring import Problem, Refused, Text
from scoring.text import _

__all__ = [
    "Closed",
    "History",
    "Preview",
    "Refused",
    "SeasonClosed",
    "Stale",
    "Taken",
    "adjust",
    "apply",
    "cancel",
    "close",
    "close_season",
    "lines_of",
    "preview",
    "record_hand",
    "reopen",
    "reopen_season",
    "reverse_hand",
    "undo",
]


@dataclass(frozen=True, slots=True)
class Preview:
    """What a record would come to; *score* is there when nothing forbids it."""

    deal: Deal
    hand: scoring.Hand
    problems: tuple[Problem, ...]
    score: scoring.Score | None


def preview(
    table: Table,
    record: object,
    *,
    dealer: Player | None = None,
    resting: Iterable[Player] | None = None,
    players: Iterable[Player] | None = None,
) -> Preview:
    """Return what *record* would come to as the next hand, with everything wrong."""
    deal = tables.next_deal(table)
    try:
        chosen = tables.with_dealer(deal, dealer, resting, players)
        return _weigh(table, chosen, record)
    except Refused as refused:
        weighed = _weigh(table, deal, record)
        problems = (*refused.problems, *weighed.problems)
        return Preview(deal, weighed.hand, problems, None)


def record_hand(
    table: Table,
    *,
    id: UUID,
    record: object,
    by: User,
    number: int | None = None,
    dealer: Player | None = None,
    resting: Iterable[Player] | None = None,
    players: Iterable[Player] | None = None,
    override: bool = False,
) -> Version:
    """Write the next hand at *table* and return it; the same id returns it again.

    *players* are those of the slip, whoever came or went since. Raise `Refused` on
    errors, and on warnings unless they are *override*n; `Taken` when hand *number* is
    already another one; `Closed` when the evening is over.
    """
    sent = _Sent(id, record, number, dealer, _tuple(resting), _tuple(players))
    return _record(table, sent, by, override)


@twice
def reverse_hand(hand: Hand, *, id: UUID, by: User) -> Entry:
    """Take *hand* back and return what gives back its payments.

    Right after it was recorded that is an undo, later it is a correction.
    """
    at = actions.locked(hand.table)
    kinds = Action.Kind.VOID, Action.Kind.UNDO
    if (done := known(id, *kinds, table=at)) and not _took_back(done, hand):
        raise Refused([actions.used()])
    hand.refresh_from_db(fields=["number", "voided"])
    if not hand.voided:
        actions.open_or_closed(at.evening)
        last = History.of(at).undo
        if last and last.pk == hand.pk:
            _undo(at, last, id, by)
        else:
            _apply(at, corrections.Void(hand), id, by)
        hand.voided = True
    back = Entry.objects.filter(reverses__version__hand=hand)
    return back.latest("created_at")


@twice
def apply(
    table: Table,
    change: Change,
    *,
    id: UUID,
    by: User,
    seen: Version | None = None,
    reason: str = "",
    override: bool = False,
) -> Action | None:
    """Make *change* and all that follows from it; None when nothing would change.

    *seen* is what the scorer saw of the hand, or of the one at the number he named.
    Raise `Refused` as `record_hand` does, also when a later hand could no longer be
    scored; `Stale` when somebody changed it meanwhile; `Closed`.
    """
    at = actions.locked(table)
    if done := known(id, KINDS[type(change)], table=at):
        return done
    actions.open_or_closed(at.evening)
    return _apply(at, change, id, by, seen=seen, reason=reason, override=override)


@twice
def undo(action: Action, *, id: UUID, by: User) -> Action:
    """Turn *action* round, so that everything is as it was before.

    It is the last of its table (`History.undo`), or the last undoing, which is done
    again (`History.redo`); an adjustment can be undone at any time. Raise `Stale`
    when something was done since.
    """
    evening = action.evening
    assert evening is not None
    evening = actions.locked_evening(evening)
    if done := known(id, Action.Kind.UNDO, undoes_id=action.pk):
        return done
    actions.open_or_closed(evening)
    if action.table is None:
        return undo_adjustment(evening, action, id, by)
    at = actions.locked(action.table)
    _last_of_all(action)
    return _undo(at, action, id, by)


def cancel(adjustment: Action, *, id: UUID, by: User) -> Action:
    """Take an adjustment back by a reversal; the same as undoing it."""
    return undo(adjustment, id=id, by=by)


# Recording


@dataclass(frozen=True, slots=True)
class _Sent:
    """A hand as the phone sent it."""

    id: UUID
    record: object
    number: int | None
    dealer: Player | None
    resting: tuple[Player, ...] | None
    players: tuple[Player, ...] | None


@twice
def _record(table: Table, sent: _Sent, by: User, override: bool) -> Version:
    at = actions.locked(table)
    if (version := _answer(at, sent)) is not None:
        return version
    actions.open_or_closed(at.evening)
    known(sent.id)
    due = tables.next_deal(at)
    if sent.number is not None and sent.number != due.number:
        raise _out_of_turn(at, sent.number, due.number)
    deal = tables.with_dealer(due, sent.dealer, sent.resting, sent.players)
    weighed = _weigh(at, deal, sent.record)
    if weighed.score is None or (weighed.problems and not override):
        raise Refused(weighed.problems)
    place = Place(
        sent.id, due.number, True, timezone.now(), _facts(at, due, deal, weighed.hand)
    )
    action = begin(Action.Kind.RECORD, id=sent.id, by=by, table=at)
    return writing.write(action, at, [Move(None, place)])[sent.id]


def _facts(at: Table, due: Deal, deal: Deal, hand: scoring.Hand) -> Facts:
    plays = tuple(player.pk for player in deal.players)
    by_seats = tables.due_players(due.present, deal.dealer, len(plays))
    return Facts(
        edition=at.edition,
        record=hand.record(plays),
        dealer=deal.dealer.pk,
        dealer_set=deal.dealer != due.dealer,
        players=plays,
        resting=tuple(player.pk for player in deal.resting),
        resting_set=deal.players != by_seats,
        multiplier=deal.multiplier,
    )


def _answer(table: Table, sent: _Sent) -> Version | None:
    """Return what was written when the same hand was sent before."""
    versions = Version.objects.select_related("hand", "edition")
    version = versions.filter(pk=sent.id).first()
    if version is None:
        return None
    if version.hand.table_id != table.pk or version.hand_id != version.pk:
        raise Refused([actions.used()])
    if not _same(version, sent):
        raise Taken(version.hand)
    return version


def _same(version: Version, sent: _Sent) -> bool:
    if sent.dealer and sent.dealer.pk != version.dealer_id:
        return False
    if sent.resting is not None and {player.pk for player in sent.resting} != set(
        version.resting
    ):
        return False
    if sent.players is not None and {player.pk for player in sent.players} != set(
        version.players
    ):
        return False
    record = _counted(sent.record, version.multiplier)
    hand, problems = scoring.examine(version.edition.tariff, version.players, record)
    wrong = any(problem.is_error for problem in problems)
    return not wrong and hand.record(version.players) == version.record


def _out_of_turn(table: Table, number: int, due: int) -> Taken | Refused:
    taken = Hand.objects.filter(table=table, number=number, voided=False).first()
    if taken is not None:
        return Taken(taken)
    text = Text(_("Hand {number} comes next at this table."), {"number": due})
    return Refused([Problem(code="out_of_turn", field="number", message=text)])


def _weigh(table: Table, deal: Deal, record: object) -> Preview:
    tariff = table.edition.tariff
    players = [player.pk for player in deal.players]
    counted = _counted(record, deal.multiplier)
    hand, problems = scoring.examine(tariff, players, counted)
    if any(problem.is_error for problem in problems):
        return Preview(deal, hand, problems, None)
    return Preview(deal, hand, problems, scoring.score(tariff, hand))


def _counted(record: object, multiplier: int) -> object:
    if isinstance(record, Mapping):
        return {**record, "multiplier": multiplier}
    return record


def _tuple(players: Iterable[Player] | None) -> tuple[Player, ...] | None:
    return None if players is None else tuple(players)


# Correcting

KINDS = {
    corrections.Correct: Action.Kind.CORRECT,
    corrections.Void: Action.Kind.VOID,
    corrections.Restore: Action.Kind.RESTORE,
    corrections.Insert: Action.Kind.INSERT,
    corrections.Swap: Action.Kind.REORDER,
    corrections.SwapSides: Action.Kind.SWAP_SIDES,
    corrections.Reseat: Action.Kind.RESEAT,
}


def _apply(
    at: Table,
    change: Change,
    id: UUID,
    by: User,
    *,
    seen: Version | None = None,
    reason: str = "",
    override: bool = False,
) -> Action | None:
    state = sequence.load(at)
    if seen is not None:
        _check_seen(at, state, change, seen)
    if isinstance(change, corrections.Insert):
        _check_new(change.id)
    plan = corrections.planned(at, state, change)
    if plan.refused or (plan.problems and not override):
        raise Refused(plan.problems)
    if plan.nothing:
        return None
    action = begin(
        KINDS[type(change)],
        id=id,
        by=by,
        table=at,
        reason=reason.strip(),
        **_seating(at, state, plan.after),
    )
    _turn(action, at, state, plan.after)
    return action


def _check_seen(at: Table, state: State, change: Change, seen: Version) -> None:
    place = state.by_hand().get(seen.hand_id)
    last = place.version if place else None
    right = place is not None and last == seen
    if place is not None:
        match change:
            case corrections.Insert():
                right = right and place.live and place.number == change.before
            case corrections.Reseat():
                right = right and place.live and place.number == change.from_hand
            case _:
                right = right and place.live is not isinstance(
                    change, corrections.Restore
                )
    if not right:
        raise Stale(last, actions.since(seen))


def _check_new(hand: UUID) -> None:
    if Hand.objects.filter(pk=hand).exists():
        raise Refused([actions.used()])


def _seating(at: Table, before: State, after: State) -> dict[str, object]:
    """Return what an action keeps of line-ups, if they change."""
    if before.sittings == after.sittings:
        return {}
    return {
        "seating_before": {str(at.pk): writing.told(before.sittings)},
        "seating_after": {str(at.pk): writing.told(after.sittings)},
    }


def _turn(action: Action, at: Table, before: State, after: State) -> None:
    """Make a table what it is to be."""
    writing.write(action, at, writing.moves(before, after))
    if before.sittings != after.sittings:
        writing.seat(at, after.sittings)


# Undoing


def _last_of_all(action: Action) -> None:
    for at in filter(None, (action.table, action.other_table)):
        history = History.of(at)
        if action not in (history.undo, history.redo):
            raise Stale(None, [a for a in history.actions if a.number > action.number])


def _undo(at: Table, action: Action, id: UUID, by: User) -> Action:
    undoing = begin(
        Action.Kind.UNDO,
        id=id,
        by=by,
        table=at,
        other_table_id=action.other_table_id,
        undoes=action,
        seating_before=action.seating_after,
        seating_after=action.seating_before,
    )
    before = sequence.load(at)
    steps = Step.objects.filter(action=action).select_related("before__edition")
    _turn(undoing, at, before, _turned_back(at, before, action, steps))
    if action.other_table is not None:
        there = action.seating_before[str(action.other_table_id)]
        writing.seat(action.other_table, writing.heard(there))
    return undoing


def _turned_back(
    at: Table, state: State, action: Action, steps: QuerySet[Step]
) -> State:
    """Return *state* as it was before *action* took these steps."""
    places = state.by_hand()
    for step in steps:
        place = places[step.hand_id]
        facts = sequence.facts_of(step.before) if step.before else place.facts
        number = step.before_number or place.number
        places[step.hand_id] = replace(
            place, live=step.before is not None, number=number, facts=facts
        )
    kept = action.seating_before.get(str(at.pk))
    sittings = state.sittings if kept is None else writing.heard(kept)
    return sequence.renumbered(sequence.state_of(sittings, places.values()).items)


def _took_back(action: Action, hand: Hand) -> bool:
    return action.steps.filter(hand=hand, after=None).exists()
