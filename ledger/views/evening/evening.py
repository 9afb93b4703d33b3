"""An evening: how it begins, its tally, who pays whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import uuid4

from django.db.models import Count, Q
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import formats
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ledger import settlement, tallies
from ledger.access import Request, evening_of, is_owner, may_write
from ledger.models import Evening, Player, Table
from ledger.settlement import Debt, Debts, DebtState, SettlementScope
from ledger.statistics.evening import tempo, totals_by_hand
from ledger.tallies import SheetEntry, TallyRow
from ledger.text.amounts import signed
from ledger.text.markup import worth
from ledger.views.amendments import undo_toast
from ledger.views.decorators import signed_in_page
from ledger.views.evening.adjustments import adjusted
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
    """Somebody's night: what his hands brought, and what was adjusted."""

    player: Player
    points: int
    money: int
    adjusted: int
    adjusted_money: int

    @property
    def by_hands(self) -> int:
        return self.points - self.adjusted


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
    scope = SettlementScope.of_evening(evening)
    method = settlement.method_of(scope, request.GET.get("method"))
    moved = payment_list_of(scope)
    stand = moved.debts(method)
    sheets = tallies.sheet_entries(evening)
    in_sheets = sum(sheet.entry.sheet_hand is not None for sheet in sheets)
    hands = sum(link.hands for link in tables) + in_sheets
    people = {row.player.pk: row.player for row in tally}
    closed = evening.closed_at is not None
    page = {
        "evening": evening,
        "tally": [_score(row) for row in tally],
        "hands": hands,
        "gates": _gates(hands),
        "run": _run(evening, tally),
        "tempo": tempo(evening),
        "debts": stand,
        "plan": stand.plan,
        "scope": scope,
        "at": scope_params.of_evening(evening),
        "method": method,
        "methods": list(method_choices(scope, method)),
        "batches": [done for done in moved.actions if len(done.payments) != 1],
        "changed": "changed" in request.GET,
        "done": just_done(evening.club, request.GET.get("done")),
        "corrected": undo_toast(evening.club, request.GET.get("done")),
        "may_correct": may_write(evening) and (is_owner(evening) or not closed),
        "here": f"{request.path}?method={method}#plan",
        "pay": reverse("evening_pay", args=[pk]),
        "id": uuid4(),
        "may_pay": may_write(evening),
        "tables": tables,
        "share": share_text(evening, tally, stand),
        "adjustments": adjusted(evening, people),
        "sheets": [_sheet(sheet, people) for sheet in sheets],
        "taken_back": tallies.is_reverted(evening),
        "sums": _sums(tally),
        "owners": owner_names(evening.club) if evening.closed_at else "",
        "is_owner": is_owner(evening),
        "may_write": not evening.closed_at and may_write(evening),
    }
    return render(request, "ledger/evening/evening.html", page)


def _run(evening: Evening, tally: Sequence[TallyRow]) -> RunningChart | None:
    """Return the evening's running score as a plot, from the first hand on."""
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


@dataclass(frozen=True)
class SheetRow:
    """What an old sheet tells of a hand, or without a number of the evening."""

    hand: int | None
    gains: tuple[tuple[Player, int], ...]


def _sheet(sheet: SheetEntry, people: Mapping[int, Player]) -> SheetRow:
    gains = ((person, sheet.gains.get(pk)) for pk, person in people.items())
    played = tuple((person, gain) for person, gain in gains if gain is not None)
    return SheetRow(sheet.entry.sheet_hand, played)


def _score(row: TallyRow) -> EveningScore:
    return EveningScore(
        row.player, row.points, row.money, row.adjusted, row.adjusted_money
    )


@dataclass(frozen=True)
class Sums:
    """The columns of the tally, each of which comes to 0."""

    hands: int
    adjusted: int
    all: int


def _sums(tally: Sequence[TallyRow]) -> Sums:
    points, adjusted = (
        sum(row.points for row in tally),
        sum(row.adjusted for row in tally),
    )
    return Sums(points - adjusted, adjusted, points)


def _gates(hands: int) -> list[int]:
    """Return the strokes of each tally gate: a full one for every five hands."""
    full, rest = divmod(hands, STROKES)
    return [STROKES] * full + [rest] * bool(rest)


def share_text(evening: Evening, tally: Sequence[TallyRow], stand: Debts) -> str:
    ranked = sorted(tally, key=lambda row: -row.points)
    lines = [
        f"{evening.name}, {formats.date_format(evening.date)}",
        " · ".join(f"{row.player.name} {signed(row.points)}" for row in ranked),
        *(_told(debt, evening.currency) for debt in stand.rows),
    ]
    return "\n".join(lines)


def _told(debt: Debt, currency: str) -> str:
    amount = worth(debt.amount, currency)
    told = f"{debt.payer.name} → {debt.payee.name} {amount}"
    match debt.state:
        case DebtState.PAID:
            return f"{told} ✓"
        case DebtState.CARRIED:
            return f"{told} ({debt.words})"
    return told
