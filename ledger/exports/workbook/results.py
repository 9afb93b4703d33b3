"""Worksheets of results: ranking, evenings, running totals, balances."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta

from django.utils import timezone
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from ledger.exports.workbook.season_data import EveningRow, SeasonData
from ledger.exports.workbook.worksheet import (
    Cell,
    CellKind,
    Column,
    WorkbookWriter,
    Worksheet,
    cell,
    unit,
)
from ledger.models import Entry
from ledger.tallies import TALLIED
from ledger.text import amounts, messages
from ledger.text.names import sort_key


def ranking(workbook: WorkbookWriter, data: SeasonData) -> Worksheet:
    """Write the worksheet of the ranking."""
    ranked = data.ranking
    codes = data.currencies
    won = {code: sum(one.money.get(code, 0) for one in ranked) for code in codes}
    worksheet = workbook.worksheet(
        _("Ranking"),
        [
            Column(_("Place"), CellKind.COUNT),
            Column(_("Player")),
            Column(_("Hands"), CellKind.COUNT),
            Column(_("Evenings"), CellKind.COUNT),
            Column(
                _("Points"), CellKind.POINTS, total=sum(one.points for one in ranked)
            ),
            Column(
                _("of which adjusted"),
                CellKind.POINTS,
                total=sum(one.adjusted for one in ranked),
            ),
            Column(_("Average per hand"), CellKind.AVERAGE),
            *(Column(c, *unit(c), total=cell(won[c], c)) for c in codes),
        ],
        len(ranked),
        frozen=2,
    )
    for one in ranked:
        worksheet.add(
            one.place,
            one.player.name,
            one.hands,
            one.evenings,
            one.points,
            one.adjusted,
            one.average,
            *(cell(one.money.get(code, 0), code) for code in codes),
        )
    return worksheet


# Balances


Part = tuple[str, str, frozenset[str]]
"""A column of the balances: title, currency and kinds of entries."""


def balances(workbook: WorkbookWriter, data: SeasonData) -> Worksheet:
    """Write the worksheet of balances: gains, fees, prizes, payments, and what is open.

    Each column sums to 0.
    """
    parts = list(_parts(data))
    posted = {m.player for m in data.sums if m.live}
    people = [p.pk for p in data.players if p.pk in posted]
    people += sorted(posted - set(people), key=lambda pk: sort_key(data.people[pk]))
    amounts = [[_amount(data, pk, *part[1:]) for part in parts] for pk in people]
    totals = [sum(row[place] for row in amounts) for place in range(len(parts))]
    worksheet = workbook.worksheet(
        _("Balances"),
        [
            Column(_("Player")),
            *(
                Column(title, *unit(code), total=cell(total, code))
                for (title, code, _kinds), total in zip(parts, totals, strict=True)
            ),
        ],
        len(people),
        frozen=1,
    )
    for pk, row in zip(people, amounts, strict=True):
        cells = (cell(n, part[1]) for n, part in zip(row, parts, strict=True))
        worksheet.add(data.name(pk), *cells)
    return worksheet


def _parts(data: SeasonData) -> Iterator[Part]:
    for code in ("", *data.currencies):
        shown = {"unit": code or _("points")}
        kinds = {m.kind for m in data.sums if code in (m.currency, "") and m.live}
        yield _("Won, {unit}").format(**shown), code, frozenset(TALLIED)
        for title, kind in (
            (_("Fees and fines, {unit}"), Entry.Kind.FEE),
            (_("Prizes, {unit}"), Entry.Kind.PRIZE),
            (_("Paid, {unit}"), Entry.Kind.PAYMENT),
            (_("Carried over, {unit}"), Entry.Kind.CARRY),
        ):
            if kind in kinds and (code or _in_points(data, kind)):
                yield title.format(**shown), code, frozenset([kind])
        if code or _for_points(data):
            yield _("Open, {unit}").format(**shown), code, frozenset(Entry.Kind.values)


def _in_points(data: SeasonData, kind: str) -> bool:
    return any(m.points for m in data.sums if m.kind == kind)


def _for_points(data: SeasonData) -> bool:
    """Tell whether anything was played for points, which then are owed."""
    return any(not one.currency for one in data.sums) or not data.sums


def _amount(data: SeasonData, player: int, code: str, kinds: frozenset[str]) -> int:
    return data.money(player, code, *kinds) if code else data.points(player, *kinds)


# Evenings


def evenings(workbook: WorkbookWriter, data: SeasonData, code: str = "") -> Worksheet:
    """Write the worksheet of evenings with each player's gains: points, or money."""
    won = data.by_evening(code)
    evenings = [n for n in data.evenings if not code or n.evening.pk in won]
    people = [p for p in data.players if any(p.pk in here for here in won.values())]
    sums = [sum(here.get(p.pk, 0) for here in won.values()) for p in people]
    title = _("Evenings")
    if code:
        title = _("Evenings, {currency}").format(currency=code)
    worksheet = workbook.worksheet(
        title,
        [
            *_evening_columns(evenings),
            *(
                Column(p.name, *unit(code), total=cell(total, code), upright=True)
                for p, total in zip(people, sums, strict=True)
            ),
            Column(_("Sum"), *unit(code), total=cell(sum(sums), code)),
        ],
        len(evenings),
        frozen=2,
    )
    for row in evenings:
        here = won.get(row.evening.pk, {})
        worksheet.add(
            *_evening_cells(row),
            *(cell(here[p.pk], code) if p.pk in here else None for p in people),
            cell(sum(here.values()), code),
        )
    return worksheet


def _evening_columns(evenings: Sequence[EveningRow]) -> list[Column]:
    return [
        Column(_("Date"), CellKind.DATE),
        Column(_("Evening")),
        Column(pgettext("kind", "Game")),
        Column(_("Stake")),
        Column(_("Start"), CellKind.TIME),
        Column(_("End"), CellKind.TIME),
        Column(
            _("Duration"),
            CellKind.SPAN,
            total=_total_duration(evenings) / timedelta(days=1),
        ),
        Column(_("Hands"), CellKind.COUNT, total=sum(row.hands for row in evenings)),
    ]


def _evening_cells(row: EveningRow) -> list[Cell]:
    evening = row.evening
    return [
        evening.date,
        evening.name,
        ", ".join(map(messages.game, row.games)),
        stake(evening.currency, evening.per_point),
        row.began and timezone.localtime(row.began),
        row.ended and timezone.localtime(row.ended),
        _duration(row) or None,
        row.hands,
    ]


def stake(currency: str, worth: amounts.Stake) -> str:
    """Return the worth of a point in words."""
    if not currency:
        return _("points")
    return amounts.format_stake(worth, currency, get_language() or "en")


def _duration(row: EveningRow) -> timedelta:
    if row.began is None or row.ended is None:
        return timedelta()
    return row.ended - row.began


def _total_duration(evenings: Iterable[EveningRow]) -> timedelta:
    return sum(map(_duration, evenings), timedelta())


def running_totals(workbook: WorkbookWriter, data: SeasonData) -> Worksheet:
    """Write the worksheet of totals after each evening."""
    people = data.players
    won = data.by_evening("")
    worksheet = workbook.worksheet(
        _("Running score"),
        [
            Column(_("Date"), CellKind.DATE),
            Column(_("Evening")),
            *(Column(player.name, CellKind.POINTS, upright=True) for player in people),
        ],
        len(data.evenings),
        frozen=2,
    )
    totals: dict[int, int] = {}
    for row in data.evenings:
        for player, points in won.get(row.evening.pk, {}).items():
            totals[player] = totals.get(player, 0) + points
        worksheet.add(
            row.evening.date,
            row.evening.name,
            *(totals.get(player.pk) for player in people),
        )
    return worksheet
