"""An evening: how it begins, its tally, who pays whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.contrib.auth.decorators import login_required
from django.db.models import Count, Q
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import formats, timezone
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from ledger import evenings, journal, money, standings
from ledger.access import Request, club_of, evening_of, is_owner, may_write
from ledger.forms import EveningForm, evening_name
from ledger.models import Club, Evening, Player, Table
from ledger.standings import Standing
from ledger.templatetags.kontra import plain, signed
from ledger.views.adjustments import adjusted
from ledger.views.closed import no_season, owners
from ledger.views.seating import last_seated, people_of, rearranged
from scoring.settlement import transfers

STROKES = 5
LIVE = Count("hands", filter=Q(hands__voided=False))


@dataclass(frozen=True)
class Give:
    payer: Player
    payee: Player
    amount: str


@dataclass(frozen=True)
class ScoreRow:
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


@login_required
@never_cache
@require_safe
def evening(request: Request, pk: int) -> HttpResponse:
    evening = evening_of(request, pk)
    tally = standings.tally(evening)
    tables = _tables(evening)
    plan = _plan(evening, tally)
    hands = sum(link.hands for link in tables)
    people = {row.player.pk: row.player for row in tally}
    page = {
        "evening": evening,
        "tally": [_score(row) for row in tally],
        "hands": hands,
        "gates": _gates(hands),
        "plan": plan,
        "tables": tables,
        "share": _share(evening, tally, plan),
        "adjustments": adjusted(evening, people),
        "sums": _sums(tally),
        "owners": owners(evening.club) if evening.closed_at else "",
        "is_owner": is_owner(evening),
        "may_write": not evening.closed_at and may_write(evening),
    }
    return render(request, "ledger/evening.html", page)


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def new(request: Request, pk: int) -> HttpResponse:
    club = club_of(request, pk, write=True)
    if not club.seasons.filter(closed_at=None).exists():
        return no_season(request, club)
    form = _form(request, club)
    page = {"form": form, "club": club}
    if request.method == "GET":
        return render(request, "ledger/evening_new.html", page)
    if rearranged(request, form):
        part = "#people" if request.htmx else ""
        return render(request, f"ledger/evening_new.html{part}", page)
    if form.is_valid():
        try:
            return redirect("table", _start(request, club, form).pk)
        except journal.SeasonClosed:
            return no_season(request, club)
    return render(request, "ledger/evening_new.html", page, status=422)


def _form(request: Request, club: Club) -> EveningForm:
    """Propose the same people, game and stake as last time."""
    last = club.evenings.select_related("edition").order_by("-date", "-pk").first()
    today = timezone.localdate()
    initial: dict[str, object] = {"name": evening_name(today), "date": today}
    if last and last.currency:
        initial["currency"] = last.currency
        initial["stake"] = _figures(last.stake, last.currency)
    return EveningForm(
        request.POST or None,
        club=club,
        people=people_of(club),
        seated=last_seated(last),
        variant=last.edition.variant if last else "",
        rules=last.edition.rules if last else None,
        initial=initial,
    )


def _figures(stake: int, currency: str) -> str:
    amount = Decimal(stake).scaleb(-money.minor_digits(currency))
    whole = amount == int(amount)
    return str(formats.localize_input(int(amount) if whole else amount))


def _start(request: Request, club: Club, form: EveningForm) -> Table:
    said = form.cleaned_data
    seats, dealer = form.seating()
    evening = evenings.start_evening(
        club,
        name=said["name"],
        date=said["date"],
        edition=evenings.edition_of(club, said["tariff"]),
        seats=seats,
        dealer=dealer,
        by=request.user,
        currency=said["currency"],
        stake=said["stake"],
    )
    return evening.tables.get()


def _tables(evening: Evening) -> list[TableLink]:
    tables = evening.tables.select_related("edition").order_by("number")
    return [
        TableLink(table, table.edition.tariff.variant.name, table.live)
        for table in tables.annotate(live=LIVE)
    ]


def _score(row: Standing) -> ScoreRow:
    return ScoreRow(row.player, row.points, row.money, row.adjusted, row.adjusted_money)


@dataclass(frozen=True)
class Sums:
    """The columns of the tally, each of which comes to 0."""

    hands: int
    adjusted: int
    all: int


def _sums(tally: Sequence[Standing]) -> Sums:
    points, adjusted = (
        sum(row.points for row in tally),
        sum(row.adjusted for row in tally),
    )
    return Sums(points - adjusted, adjusted, points)


def _plan(evening: Evening, tally: Sequence[Standing]) -> list[Give]:
    """Return the fewest payments; in points where nobody plays for money."""
    people = {row.player.pk: row.player for row in tally}
    balances = {
        row.player.pk: row.money if evening.currency else row.points for row in tally
    }
    return [
        Give(people[t.payer], people[t.payee], _amount(evening, t.amount))
        for t in transfers(balances)
    ]


def _amount(evening: Evening, amount: int) -> str:
    if evening.currency:
        return money.show(amount, evening.currency, get_language() or "en")
    return plain(amount)


def _gates(hands: int) -> list[int]:
    """Return the strokes of each tally gate: a full one for every five hands."""
    full, rest = divmod(hands, STROKES)
    return [STROKES] * full + [rest] * bool(rest)


def _share(evening: Evening, tally: Sequence[Standing], plan: Sequence[Give]) -> str:
    ranked = sorted(tally, key=lambda row: -row.points)
    lines = [
        f"{evening.name}, {formats.date_format(evening.date)}",
        " · ".join(f"{row.player.name} {signed(row.points)}" for row in ranked),
        *(f"{give.payer.name} → {give.payee.name} {give.amount}" for give in plan),
    ]
    return "\n".join(lines)
