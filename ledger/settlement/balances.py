"""Balances: sums of postings by player, in points or minor units.

A balance above zero is owed to the player; below zero he owes it. The balances of a
scope sum to 0.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q, QuerySet, Sum

from ledger.models import Club, Evening, Player, Posting
from ledger.settlement.scope import SettlementScope
from ledger.text.names import in_order

Sums = dict[int, int]
"""Balances by player id, in the unit of the scope."""
PairAmounts = Mapping[tuple[int, int], int]
"""Amounts by payer and payee, or by any two players."""


@dataclass(frozen=True, slots=True)
class Balance:
    """The amount owed to a player; below zero, owed by him."""

    player: Player
    amount: int


def sums_of(scope: SettlementScope) -> Sums:
    """Return the balance of everybody with a posting in *scope*, also those of 0."""
    postings = scope.postings
    if scope.action_fields["club"] and not scope.until and scope.has_only_currency:
        people = Player.objects.filter(club=scope.club)
        postings = Posting.objects.filter(player__in=people)  # a join sorts them all
    return _summed(postings, scope)


def own_sums_of(scope: SettlementScope) -> Sums:
    """Return the balances of *scope* itself, without those of what it covers."""
    return _summed(scope.own_postings, scope)


def _summed(postings: QuerySet[Posting], scope: SettlementScope) -> Sums:
    return dict(postings.values_list("player").annotate(Sum(scope.unit)).order_by())


def sums_by_scope(scope: SettlementScope) -> dict[tuple[int | None, int | None], Sums]:
    """Return the balances of *scope* and of each that it covers.

    Keys are the evening and the season that the entries belong to.
    """
    sums: dict[tuple[int | None, int | None], Sums] = defaultdict(dict)
    rows = scope.postings.values_list("entry__evening", "entry__season", "player")
    for evening, season, player, amount in rows.annotate(Sum(scope.unit)).order_by():
        sums[evening, season][player] = amount
    return sums


def balances_of(scope: SettlementScope) -> tuple[Balance, ...]:
    """Return the balances of *scope* by name, that of the pot last."""
    sums = sums_of(scope)
    return tuple(Balance(player, sums[player.pk]) for player in _people(sums))


def open_balances(club: Club) -> list[tuple[SettlementScope, Sequence[Balance]]]:
    """Return the balances of *club* for each currency in which something is open."""
    first = SettlementScope.everything(club, "")
    sums = {code: sums_of(first.in_currency(code)) for code in first.currencies}
    open_ = {code: by_player for code, by_player in sums.items() if _is_open(by_player)}
    people = _people({player for by_player in open_.values() for player in by_player})
    return [
        (
            first.in_currency(code),
            listed(Balance(p, by_player[p.pk]) for p in people if p.pk in by_player),
        )
        for code, by_player in open_.items()
    ]


def open_currencies(scope: SettlementScope) -> list[str]:
    """Return the currencies in which a balance of *scope* is open, "" for points."""
    codes = scope.currencies
    return [code for code in codes if _is_open(sums_of(scope.in_currency(code)))]


def owed_by_currency(player: Player, club: Club) -> dict[str, int]:
    """Return the balance of *player* in each currency in which it is open."""
    used = SettlementScope.everything(club, "").currencies
    own = Posting.objects.filter(player=player)
    if len(used) == 1:  # no posting has to look for its entry
        scope = SettlementScope.everything(club, used[0])
        owed = {used[0]: own.aggregate(owed=Sum(scope.unit, default=0))["owed"]}
    else:
        rows = own.values_list("entry__currency").order_by("entry__currency")
        sums = rows.annotate(Sum("points"), Sum("money"))
        owed = {code: money if code else points for code, points, money in sums}
    return {currency: amount for currency, amount in owed.items() if amount}


def listed(balances: Iterable[Balance]) -> list[Balance]:
    """Return the balances that a club lists: of the retired only what is open."""
    return [one for one in balances if one.amount or not one.player.retired]


def unsettled(evenings: Iterable[Evening]) -> set[int]:
    """Return the ids of those *evenings* in which a balance is open."""
    # A subquery for each: in one sum PostgreSQL would read every posting there is.
    own = Posting.objects.filter(entry__evening=OuterRef("pk"))
    by_player = own.values("player").annotate(Sum("money"), Sum("points")).order_by()
    in_points = Q(currency="")  # first: the sums are only made where they count
    open_ = Q(in_points, Exists(by_player.exclude(points__sum=0))) | Q(
        ~in_points, Exists(by_player.exclude(money__sum=0))
    )
    these = Evening.objects.filter(pk__in=[evening.pk for evening in evenings])
    return set(these.filter(open_).values_list("pk", flat=True))


def _is_open(sums: Sums) -> bool:
    return any(sums.values())


def _people(ids: Iterable[int]) -> list[Player]:
    """Return these players by name, the pot last."""
    people = in_order(Player.objects.filter(pk__in=ids))
    return sorted(people, key=lambda player: player.is_pot)
