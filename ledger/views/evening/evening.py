"""Page of an evening: its tally, its tables, who pays whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from django.db.models import Count, Q
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ledger import settlement, tallies
from ledger.access import Request, evening_of, is_owner, may_write
from ledger.models import Evening, Player, Table
from ledger.settlement import SettlementScope
from ledger.statistics.evening import tempo, totals_by_hand
from ledger.tallies import SheetEntry, TallyRow
from ledger.views.amendments import undo_toast
from ledger.views.decorators import signed_in_page
from ledger.views.evening.adjustments import listed_adjustments
from ledger.views.evening.share_text import share_text
from ledger.views.late_writes import owner_names
from ledger.views.money import scope_params
from ledger.views.money.just_done import just_done
from ledger.views.money.method import method_choices
from ledger.views.money.payment_list import payment_list_of
from ledger.views.statistics.running_chart import RunningChart, running_chart

STROKES = 5
LIVE = Count("hands", filter=Q(hands__voided=False))


@dataclass(frozen=True)
class EveningScore:
    """Score of a player in the evening, by hands and by adjustments."""

    player: Player
    points: int
    money: int
    adjusted: int
    adjusted_money: int

    @classmethod
    def of(cls, row: TallyRow) -> EveningScore:
        return cls(row.player, row.points, row.money, row.adjusted, row.adjusted_money)

    @property
    def by_hands(self) -> int:
        return self.points - self.adjusted


@dataclass(frozen=True)
class SheetRow:
    """Gains that an old sheet has for a hand; without a number, for the evening."""

    hand: int | None
    gains: tuple[tuple[Player, int], ...]

    @classmethod
    def of(cls, sheet: SheetEntry, people: Mapping[int, Player]) -> SheetRow:
        gains = ((person, sheet.gains.get(pk)) for pk, person in people.items())
        played = tuple((person, gain) for person, gain in gains if gain is not None)
        return cls(sheet.entry.sheet_hand, played)


@dataclass(frozen=True)
class ColumnSums:
    """Sums of the columns of the tally: each of them is 0."""

    hands: int
    adjusted: int
    all: int

    @classmethod
    def of(cls, tally: Sequence[TallyRow]) -> ColumnSums:
        points = sum(row.points for row in tally)
        adjusted = sum(row.adjusted for row in tally)
        return cls(points - adjusted, adjusted, points)


@dataclass(frozen=True)
class TableLink:
    table: Table
    game: str
    hands: int

    @property
    def next_hand(self) -> int:
        return self.hands + 1


@signed_in_page
def evening(request: Request, pk: int) -> HttpResponse:
    evening = evening_of(request, pk)
    tally = tallies.tally(evening)
    tables = _tables(evening)
    page = {
        "evening": evening,
        "tables": tables,
        **_score(evening, tally, tables),
        **_debts(request, evening, tally),
        **_rights(evening),
        "corrected": undo_toast(evening.club, request.GET.get("done")),
        "taken_back": tallies.is_reverted(evening),
    }
    return render(request, "ledger/evening/evening.html", page)


def _score(
    evening: Evening, tally: Sequence[TallyRow], tables: Sequence[TableLink]
) -> dict[str, Any]:
    people = {row.player.pk: row.player for row in tally}
    sheets = tallies.sheet_entries(evening)
    in_sheets = sum(sheet.entry.sheet_hand is not None for sheet in sheets)
    hands = sum(link.hands for link in tables) + in_sheets
    return {
        "tally": [EveningScore.of(row) for row in tally],
        "sums": ColumnSums.of(tally),
        "hands": hands,
        "gates": _gates(hands),
        "run": _run(evening, tally),
        "tempo": tempo(evening),
        "adjustments": listed_adjustments(evening, people),
        "sheets": [SheetRow.of(sheet, people) for sheet in sheets],
    }


def _debts(
    request: Request, evening: Evening, tally: Sequence[TallyRow]
) -> dict[str, Any]:
    scope = SettlementScope.of_evening(evening)
    method = settlement.method_of(scope, request.GET.get("method"))
    moved = payment_list_of(scope)
    debts = moved.debts(method)
    return {
        "scope": scope,
        "at": scope_params.of_evening(evening),
        "method": method,
        "methods": list(method_choices(scope, method)),
        "debts": debts,
        "plan": debts.plan,
        "batches": [done for done in moved.actions if len(done.payments) != 1],
        "share": share_text(evening, tally, debts),
        "changed": "changed" in request.GET,
        "done": just_done(evening.club, request.GET.get("done")),
        "here": f"{request.path}?method={method}#plan",
        "pay": reverse("evening_pay", args=[evening.pk]),
        "id": uuid4(),
    }


def _rights(evening: Evening) -> dict[str, Any]:
    """Return what the reader may do; closed evenings are corrected by owners alone."""
    writes, owns, closed = may_write(evening), is_owner(evening), evening.closed_at
    return {
        "may_pay": writes,
        "may_write": writes and not closed,
        "may_correct": writes and (owns or not closed),
        "is_owner": owns,
        "owners": owner_names(evening.club) if closed else "",
    }


def _run(evening: Evening, tally: Sequence[TallyRow]) -> RunningChart | None:
    """Return the chart of points after each hand."""
    lines = totals_by_hand(evening, [row.player for row in tally])
    if not lines:
        return None
    hands = len(lines[0].totals)
    what = ngettext("Points after {hands} hand", "Points after {hands} hands", hands)
    return running_chart(
        [(line.player, line.totals) for line in lines],
        range(1, hands + 1),
        head=_("Hand"),
        what=what.format(hands=hands),
    )


def _tables(evening: Evening) -> list[TableLink]:
    tables = evening.tables.select_related("edition").order_by("number")
    return [
        TableLink(table, table.edition.tariff.variant.name, table.live)
        for table in tables.annotate(live=LIVE)
    ]


def _gates(hands: int) -> list[int]:
    """Return the strokes of each tally gate: a full one for every five hands."""
    full, rest = divmod(hands, STROKES)
    return [STROKES] * full + [rest] * bool(rest)
