"""Recording: the next hand of a table, scored by the deal that is due, written once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from copy import copy
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NoReturn
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import OuterRef, Subquery
from django.utils import timezone

import scoring
from ledger.journal import idempotency, writer
from ledger.journal.actions import begin
from ledger.journal.idempotency import done_before, retry_once
from ledger.journal.writer import HandUpdate
from ledger.models import Action, Evening, Hand, Player, Table, User, Version, locks
from ledger.models.exceptions import Taken
from ledger.table import deals, rotation
from ledger.table.deals import Deal
from ledger.table.replay import Facts, HandPlace
from scoring import Problem, Refused, refuse
from scoring.text import _


@dataclass(frozen=True, slots=True)
class Preview:
    """A hand as it would be recorded; *score* is None where an error forbids it."""

    deal: Deal
    hand: scoring.Hand
    problems: tuple[Problem, ...]
    score: scoring.Score | None


@dataclass(frozen=True, slots=True)
class Sent:
    """The next hand as a client sent it; None is as it is due."""

    id: UUID
    record: object
    number: int | None = None
    dealer: Player | None = None
    resting: tuple[Player, ...] | None = None
    players: tuple[Player, ...] | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """What the client has read: the deal *due* after the action numbered *last*."""

    last: int
    due: Deal


def preview(
    table: Table,
    record: object,
    *,
    dealer: Player | None = None,
    resting: Iterable[Player] | None = None,
    players: Iterable[Player] | None = None,
) -> Preview:
    """Return *record* scored as the next hand, with all its problems. Write nothing."""
    deal = deals.next_deal(table)
    try:
        chosen = deals.with_dealer(deal, dealer, resting, players)
        return _score(table, chosen, record)
    except Refused as refused:
        scored = _score(table, deal, record)
        problems = (*refused.problems, *scored.problems)
        return Preview(deal, scored.hand, problems, None)


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

    *players* are those the scorer saw, whoever came or went since. Raise `Refused` for
    errors, and for warnings unless *override*; `Taken` when another hand has the
    *number* or the id; `Closed`.
    """
    sent = Sent(id, record, number, dealer, _tuple(resting), _tuple(players))
    return record_sent(table, sent, by=by, override=override)


@retry_once
def record_sent(
    table: Table, sent: Sent, *, by: User, override: bool = False
) -> Version:
    """Write the next hand as it was *sent*; see `record_hand`."""
    at = locks.locked_table(table)
    if (version := _stored_answer(at, sent)) is not None:
        return version
    locks.check_open(at.evening)
    done_before(sent.id)
    return _write(at, deals.next_deal(at), sent, by, override, _next_action(at.evening))


def record_as_seen(
    table: Table, sent: Sent, seen: Seen, *, by: User, override: bool = False
) -> Version | None:
    """Write the hand as `record_sent` does, without reading the table again.

    Return None, with nothing written, when the table has changed since it was *seen*
    or the id is stored already: `record_sent` answers then.
    """
    with suppress(IntegrityError), transaction.atomic():
        at = copy(table)
        at.evening = locks.locked_evening(table.evening)
        after = _next_action(at.evening)
        if at.evening.closed_at or _is_touched(at, seen.last, after.last):
            return None
        return _write(at, seen.due, sent, by, override, after)
    return None


@dataclass(frozen=True, slots=True)
class NextAction:
    """Number of the last action of an evening, and the time of the next hand."""

    last: int
    played_at: datetime


_PLAYED = Hand.objects.filter(table__evening=OuterRef("evening"))
LAST = Action.objects.order_by("-number").values_list(
    "number", Subquery(_PLAYED.order_by("-played_at").values("played_at")[:1])
)
TICK = timedelta(microseconds=1)


def _next_action(evening: Evening) -> NextAction:
    """Return the last number, and a time after all hands played so far."""
    # Hands are ordered by time: a clock set back must not put one before another.
    last, played = LAST.filter(evening=evening).first() or (0, None)
    now = timezone.now()
    return NextAction(last, max(now, played + TICK) if played else now)


def _is_touched(at: Table, seen: int, last: int) -> bool:
    """Tell whether an action after number *seen* is of this table, or of all."""
    if seen == last:
        return False
    since = Action.objects.filter(evening=at.evening, number__gt=seen)
    touched = since.values_list("table", "other_table")
    return any(at.pk in tables or not any(tables) for tables in touched)


def _write(
    at: Table, due: Deal, sent: Sent, by: User, override: bool, after: NextAction
) -> Version:
    if sent.number is not None and sent.number != due.number:
        _refuse_number(at, sent.number, due.number)
    deal = deals.with_dealer(due, sent.dealer, sent.resting, sent.players)
    scored = _score(at, deal, sent.record)
    if scored.score is None or (scored.problems and not override):
        raise Refused(scored.problems)
    facts = _facts(at, due, deal, scored.hand)
    place = HandPlace(sent.id, due.number, True, after.played_at, facts)
    action = begin(Action.Kind.RECORD, id=sent.id, by=by, last=after.last, table=at)
    return writer.write_hands(action, at, [HandUpdate(None, place)])[sent.id]


def _facts(at: Table, due: Deal, deal: Deal, hand: scoring.Hand) -> Facts:
    plays = tuple(player.pk for player in deal.players)
    by_seats = rotation.due_players(due.present, deal.dealer, len(plays))
    return Facts(
        edition=at.edition,
        record=hand.record(plays),
        dealer=deal.dealer.pk,
        dealer_set=deal.dealer != due.dealer,
        players=plays,
        sitting_out=tuple(player.pk for player in deal.sitting_out),
        sitting_out_set=deal.players != by_seats,
        multiplier=deal.multiplier,
    )


def _stored_answer(table: Table, sent: Sent) -> Version | None:
    """Return the version stored under the id. Raise `Taken` where its hand differs."""
    versions = Version.objects.select_related("hand", "edition")
    version = versions.filter(pk=sent.id).first()
    if version is None:
        return None
    if version.hand.table_id != table.pk or version.hand_id != version.pk:
        raise Refused([idempotency.id_conflict()])
    if not _is_same(version, sent):
        raise Taken(version.hand)
    return version


def _is_same(version: Version, sent: Sent) -> bool:
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
    record = _with_multiplier(sent.record, version.multiplier)
    hand, problems = scoring.examine(version.edition.tariff, version.players, record)
    refused = any(problem.is_error for problem in problems)
    return not refused and hand.record(version.players) == version.record


def _refuse_number(table: Table, number: int, due: int) -> NoReturn:
    """Raise `Taken` where another hand has the *number*, `Refused` where none has."""
    taken = Hand.objects.filter(table=table, number=number, voided=False).first()
    if taken is not None:
        raise Taken(taken)
    message = _("Hand {number} comes next at this table.")
    refuse("number", message, code="out_of_turn", number=due)


def _score(table: Table, deal: Deal, record: object) -> Preview:
    tariff = table.edition.tariff
    players = [player.pk for player in deal.players]
    record = _with_multiplier(record, deal.multiplier)
    hand, problems = scoring.examine(tariff, players, record)
    if any(problem.is_error for problem in problems):
        return Preview(deal, hand, problems, None)
    return Preview(deal, hand, problems, scoring.score(tariff, hand))


def _with_multiplier(record: object, multiplier: int) -> object:
    if isinstance(record, Mapping):
        return {**record, "multiplier": multiplier}
    return record


def _tuple(players: Iterable[Player] | None) -> tuple[Player, ...] | None:
    return None if players is None else tuple(players)
