"""Who owes whom by the hands of a closed evening, kept so that nobody replays them.

Who hands coins to whom follows from the seats of each hand, which no query can sum.
While an evening is closed its hands stay as they are; payments go on, and are not in
it. Closing keeps the sums, reopening drops them, `differences` compares them; where
they are missing the hands are replayed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet, Sum

from ledger.models import Club, Entry, Evening, PairSum, Player
from ledger.settlement.scope import ScopeEntry, SettlementScope, entries_in

Kind = Entry.Kind
Pair = tuple[int, int]
KEPT = PairSum.objects.filter(evening=OuterRef("pk"))


def store(evenings: Sequence[Evening]) -> None:
    """Keep what each two owe each other in *evenings*, which are closed."""
    drop(evenings)
    sums = _sums(evenings)
    PairSum.objects.bulk_create(
        PairSum(evening=evening, one_id=one, other_id=other, amount=amount)
        for evening in evenings
        for (one, other), amount in sorted(sums[evening.pk].items())
    )


def drop(evenings: Sequence[Evening]) -> None:
    PairSum.objects.filter(evening__in=evenings).delete()


def between(
    player: Player, other: Player, scope: SettlementScope
) -> dict[int | None, int]:
    """Return what *other* owes *player* by the hands of kept evenings, by evening."""
    one, two = sorted((player.pk, other.pk))
    kept = PairSum.objects.filter(one=one, other=two, evening__in=_evenings(scope))
    sign = 1 if player.pk == one else -1
    return {at: sign * amount for at, amount in kept.values_list("evening", "amount")}


def of_player(player: Player, scope: SettlementScope) -> Counter[int | None]:
    """Return what *player* is owed by the hands of kept evenings, by evening."""
    owed: Counter[int | None] = Counter()
    for side, sign in (("one", 1), ("other", -1)):
        sums = PairSum.objects.filter(evening__in=_evenings(scope), **{side: player})
        rows = sums.values_list("evening").annotate(Sum("amount")).order_by()
        for evening, amount in rows:
            owed[evening] += sign * amount
    return owed


def owed(scope: SettlementScope) -> dict[Pair, int]:
    """Return what each two owe each other, as coins went over the table.

    (a, b) with a < b: above zero b owes it to a.
    """
    if scope.evening:
        sums = _handed(scope, None)
    else:
        sums = _handed(scope, others(scope))
        kept = PairSum.objects.filter(evening__in=_evenings(scope))
        rows = kept.values_list("one", "other").annotate(Sum("amount")).order_by()
        for one, other, amount in rows:
            sums[one, other] += amount
    return {pair: amount for pair, amount in sums.items() if amount}


def with_payments(scope: SettlementScope) -> tuple[Counter[Pair], Counter[Pair]]:
    """Return what each two owe each other by the hands of an evening alone, and what
    of it is left after what they paid."""
    entries = list(entries_in(scope))
    hands = (entry for entry in entries if entry.kind not in Entry.AFTER_CLOSING)
    return _over_table(hands), _over_table(entries)


def others(scope: SettlementScope, *players: Player) -> list[UUID]:
    """Return the entries of all these players that count and are in no kept sum."""
    loose = list(_evenings(scope).filter(~Exists(KEPT)).values_list("pk", flat=True))
    live = Entry.objects.filter(  # those of a kind: none of these reverses another
        scope.entries(), club=scope.club, currency=scope.currency, reversal=None
    )
    apart = *Entry.AFTER_CLOSING, Kind.REVERSAL, Kind.ROUNDING
    game = [kind for kind in Kind.values if kind not in apart]
    shared = live
    for player in players:
        shared = shared.filter(postings__player=player)
    found = (
        live.filter(  # whole actions and evenings: their sum decides
            Q(kind=Kind.CARRY) | Q(kind=Kind.ROUNDING, evening__in=loose)
        ),
        shared.filter(kind=Kind.PAYMENT),
        shared.filter(kind__in=game, evening=None),
        shared.filter(kind__in=game, evening__in=loose),
    )
    return [pk for entries in found for pk in entries.values_list("pk", flat=True)]


def differences(club: Club, checked: Counter[str]) -> Iterator[str]:
    """Yield a sentence for each evening whose kept sums are not what its hands say."""
    kept: dict[int, dict[Pair, int]] = defaultdict(dict)
    rows = PairSum.objects.filter(evening__club=club)
    for at, one, other, amount in rows.values_list("evening", "one", "other", "amount"):
        kept[at][one, other] = amount
    for evening in club.evenings.filter(pk__in=kept).order_by("date", "pk"):
        checked["pairs"] += len(kept[evening.pk])
        where = evening.full_name
        if evening.closed_at is None:
            yield f"{where} is open, and keeps who owes whom all the same."
        elif kept[evening.pk] != _sums([evening])[evening.pk]:
            yield (
                f"{where} does not keep who owes whom as its hands say. "
                "`manage.py statistics --anew` makes it anew."
            )


def _sums(evenings: Sequence[Evening]) -> dict[int, Counter[Pair]]:
    """Return what went over the table at each of *evenings*."""
    entries: dict[int, list[ScopeEntry]] = defaultdict(list)
    for scope, some in _alike(evenings).items():
        game = Entry.objects.filter(evening__in=some).exclude(
            kind__in=Entry.AFTER_CLOSING
        )
        hands = game.exclude(reverses__kind__in=Entry.AFTER_CLOSING)
        for entry in entries_in(scope, list(hands.values_list("pk", flat=True))):
            if entry.evening:
                entries[entry.evening].append(entry)
    return {evening.pk: _over_table(entries[evening.pk]) for evening in evenings}


def _alike(evenings: Sequence[Evening]) -> dict[SettlementScope, list[int]]:
    """Return the evenings by what they are played for, which can be read together."""
    alike: dict[SettlementScope, list[int]] = defaultdict(list)
    for evening in evenings:
        alike[SettlementScope.everything(evening.club, evening.currency)].append(
            evening.pk
        )
    return alike


def _handed(scope: SettlementScope, among: Collection[UUID] | None) -> Counter[Pair]:
    return _over_table(entries_in(scope, among))


def _over_table(entries: Iterable[ScopeEntry]) -> Counter[Pair]:
    """Return who paid whom, also where a pair came out even."""
    sums: Counter[Pair] = Counter()
    for entry in entries:
        sums.update(dict.fromkeys(combinations(sorted(entry.gains), 2), 0))
        for transfer in entry.handed():
            one, other = sorted((transfer.payer, transfer.payee))
            paid = transfer.amount if transfer.payer == other else -transfer.amount
            sums[one, other] += paid
    return sums


def _evenings(scope: SettlementScope) -> QuerySet[Evening]:
    evenings = Evening.objects.filter(club=scope.club, currency=scope.currency)
    if scope.evening:
        return evenings.filter(pk=scope.evening.pk)
    if scope.season:
        return evenings.filter(season=scope.season)
    return evenings.filter(date__lte=scope.until) if scope.until else evenings
