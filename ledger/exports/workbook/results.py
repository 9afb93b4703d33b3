"""The tables of what everybody won, evening by evening and in all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta

from django.utils import timezone
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from ledger.exports.workbook.season_data import EveningRow, HandRow
from ledger.exports.workbook.worksheet import (
    BookWriter,
    Cell,
    CellKind,
    Column,
    SheetTable,
    cell,
    unit,
)
from ledger.models import Entry
from ledger.tallies import TALLIED
from ledger.text import amounts, messages
from ledger.text.names import spelt


def ranking(book: BookWriter, played: HandRow) -> SheetTable:
    ranked = played.ranking
    codes = played.currencies
    won = {code: sum(one.money.get(code, 0) for one in ranked) for code in codes}
    table = book.table(
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
        table.add(
            one.place,
            one.player.name,
            one.hands,
            one.evenings,
            one.points,
            one.adjusted,
            one.average,
            *(cell(one.money.get(code, 0), code) for code in codes),
        )
    return table


# Balances


Part = tuple[str, str, frozenset[str]]
"""A column of the balances: its title, currency and kinds of entries."""


def balances(book: BookWriter, played: HandRow) -> SheetTable:
    """What everybody won, owed the pot, paid, and what is open: it sums to nothing."""
    parts = list(_parts(played))
    moved = {m.player for m in played.moved if m.live}
    people = [p.pk for p in played.players if p.pk in moved]
    people += sorted(moved - set(people), key=lambda pk: spelt(played.people[pk]))
    amounts = [[_amount(played, pk, *part[1:]) for part in parts] for pk in people]
    totals = [sum(row[place] for row in amounts) for place in range(len(parts))]
    table = book.table(
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
        table.add(played.name(pk), *cells)
    return table


def _parts(played: HandRow) -> Iterator[Part]:
    for code in ("", *played.currencies):
        shown = {"unit": code or _("points")}
        kinds = {m.kind for m in played.moved if code in (m.currency, "") and m.live}
        yield _("Won, {unit}").format(**shown), code, frozenset(TALLIED)
        for title, kind in (
            (_("Fees and fines, {unit}"), Entry.Kind.FEE),
            (_("Prizes, {unit}"), Entry.Kind.PRIZE),
            (_("Paid, {unit}"), Entry.Kind.PAYMENT),
            (_("Carried over, {unit}"), Entry.Kind.CARRY),
        ):
            if kind in kinds and (code or _in_points(played, kind)):
                yield title.format(**shown), code, frozenset([kind])
        if code or _for_points(played):
            yield _("Open, {unit}").format(**shown), code, frozenset(Entry.Kind.values)


def _in_points(played: HandRow, kind: str) -> bool:
    return any(m.points for m in played.moved if m.kind == kind)


def _for_points(played: HandRow) -> bool:
    """Whether anything was played for points only, which are then owed as such."""
    return any(not moved.currency for moved in played.moved) or not played.moved


def _amount(played: HandRow, player: int, code: str, kinds: frozenset[str]) -> int:
    return played.money(player, code, *kinds) if code else played.points(player, *kinds)


# Evenings


def evenings(book: BookWriter, played: HandRow, code: str = "") -> SheetTable:
    """A row an evening, with what each player won in it: points, or money."""
    won = played.by_evening(code)
    nights = [n for n in played.nights if not code or n.evening.pk in won]
    people = [p for p in played.players if any(p.pk in here for here in won.values())]
    sums = [sum(here.get(p.pk, 0) for here in won.values()) for p in people]
    title = _("Evenings")
    if code:
        title = _("Evenings, {currency}").format(currency=code)
    table = book.table(
        title,
        [
            *_about_evenings(nights),
            *(
                Column(p.name, *unit(code), total=cell(total, code), upright=True)
                for p, total in zip(people, sums, strict=True)
            ),
            Column(_("Sum"), *unit(code), total=cell(sum(sums), code)),
        ],
        len(nights),
        frozen=2,
    )
    for night in nights:
        here = won.get(night.evening.pk, {})
        table.add(
            *_about(night),
            *(cell(here[p.pk], code) if p.pk in here else None for p in people),
            cell(sum(here.values()), code),
        )
    return table


def _about_evenings(nights: Sequence[EveningRow]) -> list[Column]:
    return [
        Column(_("Date"), CellKind.DATE),
        Column(_("Evening")),
        Column(pgettext("kind", "Game")),
        Column(_("Stake")),
        Column(_("Start"), CellKind.TIME),
        Column(_("End"), CellKind.TIME),
        Column(_("Duration"), CellKind.SPAN, total=_all(nights) / timedelta(days=1)),
        Column(_("Hands"), CellKind.COUNT, total=sum(night.hands for night in nights)),
    ]


def _about(night: EveningRow) -> list[Cell]:
    evening = night.evening
    return [
        evening.date,
        evening.name,
        ", ".join(map(messages.game, night.games)),
        stake(evening.currency, evening.per_point),
        night.began and timezone.localtime(night.began),
        night.ended and timezone.localtime(night.ended),
        _span(night) or None,
        night.hands,
    ]


def stake(currency: str, worth: amounts.Stake) -> str:
    """Return what a point is worth, in words."""
    if not currency:
        return _("points")
    return amounts.show_stake(worth, currency, get_language() or "en")


def _span(night: EveningRow) -> timedelta:
    if night.began is None or night.ended is None:
        return timedelta()
    return night.ended - night.began


def _all(nights: Iterable[EveningRow]) -> timedelta:
    return sum(map(_span, nights), timedelta())


def running(book: BookWriter, played: HandRow) -> SheetTable:
    """Where everybody stood after each evening, from his first one on."""
    people = played.players
    won = played.by_evening("")
    table = book.table(
        _("Running score"),
        [
            Column(_("Date"), CellKind.DATE),
            Column(_("Evening")),
            *(Column(player.name, CellKind.POINTS, upright=True) for player in people),
        ],
        len(played.nights),
        frozen=2,
    )
    stands: dict[int, int] = {}
    for night in played.nights:
        for player, points in won.get(night.evening.pk, {}).items():
            stands[player] = stands.get(player, 0) + points
        table.add(
            night.evening.date,
            night.evening.name,
            *(stands.get(player.pk) for player in people),
        )
    return table
