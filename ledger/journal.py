"""The only way into the journal: hands recorded and reversed, each in one transaction.

Locks are taken in one order: the evening, then players by id. What was sent before is
recognised by its id and answered again; nothing is written twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

import scoring
from ledger import table as tables
from ledger.models import Entry, Evening, Hand, Line, Player, Posting, Table, Version
from ledger.table import Deal
from scoring import Problem, Refused, Text
from scoring.text import _

__all__ = [
    "Closed",
    "Preview",
    "Refused",
    "Taken",
    "preview",
    "record_hand",
    "reverse_hand",
]


class Taken(ValueError):
    """The place of the hand is taken by another, *hand*: somebody has to choose."""

    def __init__(self, hand: Hand) -> None:
        self.hand = hand
        super().__init__(f"hand {hand.number} is already recorded")


class Closed(ValueError):
    """Nothing more is written in a closed evening."""

    def __init__(self, evening: Evening) -> None:
        self.evening = evening
        super().__init__(f"the evening {evening.name!r} is closed")


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
) -> Preview:
    """Return what *record* would come to as the next hand, with everything wrong."""
    deal = tables.next_deal(table)
    try:
        return _weigh(table, tables.with_dealer(deal, dealer, resting), record)
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
    override: bool = False,
) -> Version:
    """Write the next hand at *table* and return it; the same id returns it again.

    Raise `Refused` on errors, and on warnings unless they are *override*n; `Taken`
    when hand *number* is already another one; `Closed` when the evening is over.
    """
    sent = _Sent(id, record, number, dealer, _tuple(resting))
    try:
        return _record(table, sent, by, override)
    except IntegrityError:  # somebody came in between without the lock: look again
        return _record(table, sent, by, override)


@transaction.atomic
def reverse_hand(hand: Hand, *, id: UUID, by: User) -> Entry:
    """Give back what *hand* moved and void it; once reversed it stays so."""
    table = _locked(hand.table)
    reversals = Entry.objects.filter(kind=Entry.Kind.REVERSAL)
    before = Entry.objects.select_related("reverses__version").filter(pk=id).first()
    if before is not None:
        if before.reverses is None or _hand_of(before.reverses) != hand.pk:
            raise Refused([_used()])
        return before
    live = Entry.objects.filter(version__hand=hand, reversal=None).first()
    if live is None:
        return reversals.filter(reverses__version__hand=hand).latest("created_at")
    if table.evening.closed_at:
        raise Closed(table.evening)
    entry = Entry(
        id=id,
        club_id=live.club_id,
        evening_id=live.evening_id,
        kind=Entry.Kind.REVERSAL,
        reverses=live,
        currency=live.currency,
        created_by_id=by.pk,
    )
    _post(entry, {p.player_id: (-p.points, -p.money) for p in live.postings.all()})
    Hand.objects.filter(pk=hand.pk).update(voided=True)
    hand.voided = True
    return entry


@dataclass(frozen=True, slots=True)
class _Sent:
    """A hand as the phone sent it."""

    id: UUID
    record: object
    number: int | None
    dealer: Player | None
    resting: tuple[Player, ...] | None


@transaction.atomic
def _record(table: Table, sent: _Sent, by: User, override: bool) -> Version:
    table = _locked(table)
    if (version := _answer(table, sent)) is not None:
        return version
    if table.evening.closed_at:
        raise Closed(table.evening)
    due = tables.next_deal(table)
    if sent.number is not None and sent.number != due.number:
        raise _out_of_turn(table, sent.number, due.number)
    deal = tables.with_dealer(due, sent.dealer, sent.resting)
    weighed = _weigh(table, deal, sent.record)
    if weighed.score is None or (weighed.problems and not override):
        raise Refused(weighed.problems)
    return _write(table, sent.id, due, weighed, by)


def _locked(table: Table) -> Table:
    """Return the table as it is now, its evening locked until the end."""
    return (
        Table.objects.select_related("evening", "edition")
        .select_for_update(of=("evening",), no_key=True)
        .get(pk=table.pk)
    )


def _answer(table: Table, sent: _Sent) -> Version | None:
    """Return what was written when the same hand was sent before."""
    versions = Version.objects.select_related("hand", "edition")
    version = versions.filter(pk=sent.id).first()
    if version is None:
        return None
    if version.hand.table_id != table.pk or version.hand_id != version.pk:
        raise Refused([_used()])
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


def _write(table: Table, id: UUID, due: Deal, weighed: Preview, by: User) -> Version:
    assert weighed.score is not None
    deal, facts = weighed.deal, weighed.hand
    players = [player.pk for player in deal.players]
    lost = facts.xxi_lost_by
    hand = Hand.objects.create(id=id, table=table, number=deal.number)
    version = Version.objects.create(
        id=id,
        hand=hand,
        edition=table.edition,
        record=facts.record(players),
        dealer=deal.dealer,
        dealer_set=deal.dealer != due.dealer,
        players=players,
        resting=[player.pk for player in deal.resting],
        resting_set=_chosen(due, deal),
        multiplier=deal.multiplier,
        units=weighed.score.units,
        thrown_in=facts.ending in table.edition.tariff.variant.thrown_in,
        xxi_lost_by_id=None if lost is None else players[lost],
        recorded_by_id=by.pk,
    )
    Line.objects.bulk_create(lines_of(version, weighed.score))
    _post_hand(table.evening, version, weighed.score, by)
    return version


def _chosen(due: Deal, deal: Deal) -> bool:
    """Whether others sit out than the dealer's place would have it."""
    return deal.resting != tables.with_dealer(due, deal.dealer).resting


def lines_of(version: Version, score: scoring.Score) -> list[Line]:
    """Return the rows that keep the explanation of *score*, not yet written."""
    return [
        Line(
            version=version,
            position=position,
            item=line.item,
            kind=line.kind,
            side=line.side.value if line.side else "",
            player_id=None if line.seat is None else version.players[line.seat],
            announced=line.announced,
            made=line.made,
            contra=line.contra,
            factor=line.factor,
            base=line.base,
            points=line.points,
            personal=line.personal,
        )
        for position, line in enumerate(score.lines)
    ]


def _post_hand(
    evening: Evening, version: Version, score: scoring.Score, by: User
) -> None:
    entry = Entry(
        id=version.pk,
        club_id=evening.club_id,
        evening=evening,
        kind=Entry.Kind.HAND,
        version=version,
        currency=evening.currency,
        created_by_id=by.pk,
    )
    gains = zip(version.players, score.payments, strict=True)
    _post(entry, {player: (gain, gain * evening.stake) for player, gain in gains})


def _post(entry: Entry, gains: Mapping[int, tuple[int, int]]) -> None:
    """Write the postings, then the entry that weighs them."""
    _lock_players(gains)
    Posting.objects.bulk_create(
        Posting(entry=entry, player_id=player, points=points, money=money)
        for player, (points, money) in sorted(gains.items())
    )
    entry.save(force_insert=True)


def _lock_players(players: Iterable[int]) -> None:
    found = Player.objects.filter(pk__in=players).order_by("pk")
    list(found.select_for_update(no_key=True).values_list("pk"))


def _hand_of(entry: Entry) -> UUID | None:
    return entry.version.hand_id if entry.version else None


def _tuple(players: Iterable[Player] | None) -> tuple[Player, ...] | None:
    return None if players is None else tuple(players)


def _used() -> Problem:
    message = Text(_("This hand’s id is used elsewhere. Open a new slip."))
    return Problem(code="id_used", field="id", message=message)
