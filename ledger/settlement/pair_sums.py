"""Pair sums: what each two players owe each other by the hands of closed evenings.

They are a cache, in the table PairSum. The transfers after a hand follow from its
seats, which no query can sum. While an evening is closed its hands do not change;
payments go on, and are not in the sums. Closing an evening stores its sums, reopening
drops them, both through ledger/statistics/store.py; `differences` compares them with
the hands. Where they are missing, the hands are replayed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet, Sum

from ledger.models import Club, Entry, Evening, PairSum, Player
from ledger.settlement.scope import Kind, SettlementScope
from ledger.settlement.scope_entries import ScopeEntry, entries_in

Pair = tuple[int, int]
"""Two player ids, the lower first: above zero the second owes the first."""
STORED = PairSum.objects.filter(evening=OuterRef("pk"))


def store(evenings: Sequence[Evening]) -> None:
    """Store the pair sums of *evenings*, which are closed."""
    drop(evenings)
    sums = _sums_of(evenings)
    PairSum.objects.bulk_create(
        PairSum(evening=evening, one_id=one, other_id=other, amount=amount)
        for evening in evenings
        for (one, other), amount in sorted(sums[evening.pk].items())
    )


def drop(evenings: Sequence[Evening]) -> None:
    """Delete the pair sums of *evenings*, whose hands may change from now on."""
    PairSum.objects.filter(evening__in=evenings).delete()


def between(
    player: Player, other: Player, scope: SettlementScope
) -> dict[int | None, int]:
    """Return what *other* owes *player* by stored sums, by evening."""
    one, two = sorted((player.pk, other.pk))
    stored = PairSum.objects.filter(one=one, other=two, evening__in=_evenings(scope))
    sign = 1 if player.pk == one else -1
    return {pk: sign * amount for pk, amount in stored.values_list("evening", "amount")}


def of_player(player: Player, scope: SettlementScope) -> Counter[int | None]:
    """Return what *player* is owed by stored sums, by evening."""
    owed: Counter[int | None] = Counter()
    for side, sign in (("one", 1), ("other", -1)):
        sums = PairSum.objects.filter(evening__in=_evenings(scope), **{side: player})
        rows = sums.values_list("evening").annotate(Sum("amount")).order_by()
        for evening, amount in rows:
            owed[evening] += sign * amount
    return owed


def owed(scope: SettlementScope) -> dict[Pair, int]:
    """Return what each two owe each other by hands and payments, where not 0."""
    if scope.evening:
        sums = _summed(entries_in(scope))
    else:
        sums = _summed(entries_in(scope, unsummed_entries(scope)))
        stored = PairSum.objects.filter(evening__in=_evenings(scope))
        rows = stored.values_list("one", "other").annotate(Sum("amount")).order_by()
        for one, other, amount in rows:
            sums[one, other] += amount
    return {pair: amount for pair, amount in sums.items() if amount}


def with_payments(scope: SettlementScope) -> tuple[Counter[Pair], Counter[Pair]]:
    """Return what each two owe each other by hands, and by hands and payments."""
    entries = list(entries_in(scope))
    hands = (entry for entry in entries if entry.kind not in Entry.AFTER_CLOSING)
    return _summed(hands), _summed(entries)


def unsummed_entries(scope: SettlementScope, *players: Player) -> list[UUID]:
    """Return the entries in force of all these *players* that no stored sum has."""
    evenings = _evenings(scope).filter(~Exists(STORED))
    unsummed = list(evenings.values_list("pk", flat=True))
    live = Entry.objects.filter(  # by their kinds none of these reverses another
        scope.entries(), club=scope.club, currency=scope.currency, reversal=None
    )
    apart = *Entry.AFTER_CLOSING, Kind.REVERSAL, Kind.ROUNDING
    game = [kind for kind in Kind.values if kind not in apart]
    shared = live
    for player in players:
        shared = shared.filter(postings__player=player)
    found = (
        live.filter(  # of whole actions and evenings, whose sum decides
            Q(kind=Kind.CARRY) | Q(kind=Kind.ROUNDING, evening__in=unsummed)
        ),
        shared.filter(kind=Kind.PAYMENT),
        shared.filter(kind__in=game, evening=None),
        shared.filter(kind__in=game, evening__in=unsummed),
    )
    return [pk for entries in found for pk in entries.values_list("pk", flat=True)]


def differences(club: Club, checked: Counter[str]) -> Iterator[str]:
    """Yield a sentence for each evening whose stored sums differ from its hands."""
    stored: dict[int, dict[Pair, int]] = defaultdict(dict)
    rows = PairSum.objects.filter(evening__club=club)
    for pk, one, other, amount in rows.values_list("evening", "one", "other", "amount"):
        stored[pk][one, other] = amount
    for evening in club.evenings.filter(pk__in=stored).order_by("date", "pk"):
        checked["pairs"] += len(stored[evening.pk])
        where = evening.full_name
        if evening.closed_at is None:
            yield f"{where} is open, and keeps who owes whom all the same."
        elif stored[evening.pk] != _sums_of([evening])[evening.pk]:
            yield (
                f"{where} does not keep who owes whom as its hands say. "
                "`manage.py statistics --anew` makes it anew."
            )


def _sums_of(evenings: Sequence[Evening]) -> dict[int, Counter[Pair]]:
    """Return the pair sums of each of *evenings*, from its hands."""
    entries: dict[int, list[ScopeEntry]] = defaultdict(list)
    for scope, ids in _by_scope(evenings).items():
        game = Entry.objects.filter(evening__in=ids).exclude(
            kind__in=Entry.AFTER_CLOSING
        )
        hands = game.exclude(reverses__kind__in=Entry.AFTER_CLOSING)
        for entry in entries_in(scope, list(hands.values_list("pk", flat=True))):
            if entry.evening:
                entries[entry.evening].append(entry)
    return {evening.pk: _summed(entries[evening.pk]) for evening in evenings}


def _by_scope(evenings: Sequence[Evening]) -> dict[SettlementScope, list[int]]:
    """Return the ids of *evenings* by club and currency, which are read together."""
    ids: dict[SettlementScope, list[int]] = defaultdict(list)
    for evening in evenings:
        scope = SettlementScope.everything(evening.club, evening.currency)
        ids[scope].append(evening.pk)
    return ids


def _summed(entries: Iterable[ScopeEntry]) -> Counter[Pair]:
    """Return the transfers of *entries* by pair, also where a pair is even."""
    sums: Counter[Pair] = Counter()
    for entry in entries:
        sums.update(dict.fromkeys(combinations(sorted(entry.gains), 2), 0))
        for transfer in entry.transfers():
            one, other = sorted((transfer.payer, transfer.payee))
            owed = transfer.amount if transfer.payer == other else -transfer.amount
            sums[one, other] += owed
    return sums


def _evenings(scope: SettlementScope) -> QuerySet[Evening]:
    evenings = Evening.objects.filter(club=scope.club, currency=scope.currency)
    if scope.evening:
        return evenings.filter(pk=scope.evening.pk)
    if scope.season:
        return evenings.filter(season=scope.season)
    return evenings.filter(date__lte=scope.until) if scope.until else evenings
