"""Ranking: players by total points, by average per hand, or by money."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Literal

from ledger.models import Player
from ledger.statistics.digest import Digest
from ledger.statistics.results import Ranked
from ledger.statistics.running_totals import EVERYBODY
from ledger.text.names import sort_key

By = Literal["total", "average", "money"]


def ranking(
    digest: Digest,
    people: Mapping[int, Player],
    by: By = "total",
    least: int = 0,
    currency: str = "",
) -> list[Ranked]:
    """Return every player with a hand or an adjustment, the best first.

    Equal values share a place, in order of names, and the next place is skipped
    (1, 1, 3). Guests and retired players are ranked like everybody. Players with fewer
    than *least* hands, or without an average when it is ranked by, follow without a
    place.
    """
    rows = [
        _row(digest, people[int(who)]) for who in _players(digest) if int(who) in people
    ]
    ranked = [row for row in rows if _counts(row, by, least)]
    others = [row for row in rows if not _counts(row, by, least)]
    return [
        *_placed(_sorted(ranked, by, currency), by, currency),
        *_sorted(others, by, currency),
    ]


def _players(digest: Digest) -> set[str]:
    who = {player for figure in PLAYED for player in digest.sums.get(figure, {})}
    adjusted = {player for player, points in digest.adjusted.items() if points}
    return (who | adjusted) - {EVERYBODY}


PLAYED = ("hands", "thrown_in", "sheets")


def _row(digest: Digest, player: Player) -> Ranked:
    hands, _hits, points = digest.count("hands", player.pk, "")
    sheets = digest.count("sheets", player.pk, "")[2]
    adjusted = digest.adjusted.get(str(player.pk), 0)
    return Ranked(
        place=None,
        player=player,
        hands=hands,
        evenings=digest.running_totals.played.get(str(player.pk), 0),
        points=points + sheets + adjusted,
        adjusted=adjusted,
        average=Fraction(points, hands) if hands else None,
        money=digest.money.get(str(player.pk), {}),
    )


def _counts(row: Ranked, by: By, least: int) -> bool:
    if by == "average" and row.average is None:
        return False
    return row.evenings > 0 and row.hands >= least


def _value(row: Ranked, by: By, currency: str) -> Fraction:
    if by == "average":
        return Fraction(0) if row.average is None else row.average
    return Fraction(row.money.get(currency, 0) if by == "money" else row.points)


def _sorted(rows: Iterable[Ranked], by: By, currency: str) -> list[Ranked]:
    return sorted(
        rows,
        key=lambda row: (-_value(row, by, currency), *sort_key(row.player)),
    )


def _placed(rows: list[Ranked], by: By, currency: str) -> list[Ranked]:
    placed: list[Ranked] = []
    for place, row in enumerate(rows, start=1):
        last = placed[-1] if placed else None
        same = last and _value(last, by, currency) == _value(row, by, currency)
        placed.append(row.at(last.place if last and same else place))
    return placed
