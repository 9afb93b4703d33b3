"""Recording the next hand of a table: weighed by what is due, written once."""

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
from ledger.journal import actions, writer
from ledger.journal.actions import Taken, begin, known, twice
from ledger.journal.writer import HandMove
from ledger.models import Action, Evening, Hand, Player, Table, User, Version, locks
from ledger.table import deals as tables
from ledger.table import rotation
from ledger.table.deals import Deal
from ledger.table.replay import Facts, HandPlace
from scoring import Problem, Refused, refuse
from scoring.text import _


@dataclass(frozen=True, slots=True)
class Preview:
    """What a record would come to; *score* is there when nothing forbids it."""

    deal: Deal
    hand: scoring.Hand
    problems: tuple[Problem, ...]
    score: scoring.Score | None


@dataclass(frozen=True, slots=True)
class Sent:
    """The next hand as a phone sent it; *players* are those of its slip."""

    id: UUID
    record: object
    number: int | None = None
    dealer: Player | None = None
    resting: tuple[Player, ...] | None = None
    players: tuple[Player, ...] | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """What was read of a table: the deal that was *due* after the *last* action."""

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
    sent = Sent(id, record, number, dealer, _tuple(resting), _tuple(players))
    return record_sent(table, sent, by=by, override=override)


@twice
def record_sent(
    table: Table, sent: Sent, *, by: User, override: bool = False
) -> Version:
    """Write the hand that was sent; see `record_hand`."""
    at = locks.locked(table)
    if (version := _answer(at, sent)) is not None:
        return version
    locks.open_or_closed(at.evening)
    known(sent.id)
    return _write(at, tables.next_deal(at), sent, by, override, _next(at.evening))


def record_as_seen(
    table: Table, sent: Sent, seen: Seen, *, by: User, override: bool = False
) -> Version | None:
    """Write the hand as `record_sent` does, without reading the table once more.

    None, and nothing is written, when anything was done here since it was *seen*: leave
    it to `record_sent` then, as a hand that was known already.
    """
    with suppress(IntegrityError), transaction.atomic():  # somebody has the id
        at = copy(table)
        at.evening = locks.locked_evening(table.evening)
        after = _next(at.evening)
        if at.evening.closed_at or _is_touched(at, seen.last, after.last):
            return None
        return _write(at, seen.due, sent, by, override, after)
    return None


@dataclass(frozen=True, slots=True)
class Next:
    """After which action the next one of an evening comes, and when it is played."""

    last: int
    moment: datetime


PLAYED = Hand.objects.filter(table__evening=OuterRef("evening"))
LAST = Action.objects.order_by("-number").values_list(
    "number", Subquery(PLAYED.order_by("-played_at").values("played_at")[:1])
)
MOMENT = timedelta(microseconds=1)


def _next(evening: Evening) -> Next:
    """Return what comes next: what is recorded later was played later.

    A clock that was set back in between must not put a hand before another.
    """
    last, played = LAST.filter(evening=evening).first() or (0, None)
    now = timezone.now()
    return Next(last, max(now, played + MOMENT) if played else now)


def _is_touched(at: Table, seen: int, last: int) -> bool:
    """Tell whether an action after number *seen* concerns the table, or all tables."""
    if seen == last:
        return False
    since = Action.objects.filter(evening=at.evening, number__gt=seen)
    touched = since.values_list("table", "other_table")
    return any(at.pk in tables or not any(tables) for tables in touched)


def _write(
    at: Table, due: Deal, sent: Sent, by: User, override: bool, after: Next
) -> Version:
    if sent.number is not None and sent.number != due.number:
        _refuse_number(at, sent.number, due.number)
    deal = tables.with_dealer(due, sent.dealer, sent.resting, sent.players)
    weighed = _weigh(at, deal, sent.record)
    if weighed.score is None or (weighed.problems and not override):
        raise Refused(weighed.problems)
    facts = _facts(at, due, deal, weighed.hand)
    place = HandPlace(sent.id, due.number, True, after.moment, facts)
    action = begin(Action.Kind.RECORD, id=sent.id, by=by, last=after.last, table=at)
    return writer.write_moves(action, at, [HandMove(None, place)])[sent.id]


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


def _answer(table: Table, sent: Sent) -> Version | None:
    """Return what was written when the same hand was sent before."""
    versions = Version.objects.select_related("hand", "edition")
    version = versions.filter(pk=sent.id).first()
    if version is None:
        return None
    if version.hand.table_id != table.pk or version.hand_id != version.pk:
        raise Refused([actions.id_is_used()])
    if not _same(version, sent):
        raise Taken(version.hand)
    return version


def _same(version: Version, sent: Sent) -> bool:
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


def _refuse_number(table: Table, number: int, due: int) -> NoReturn:
    """Raise `Taken` where another hand has the *number*, `Refused` where none has."""
    taken = Hand.objects.filter(table=table, number=number, voided=False).first()
    if taken is not None:
        raise Taken(taken)
    message = _("Hand {number} comes next at this table.")
    refuse("number", message, code="out_of_turn", number=due)


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
