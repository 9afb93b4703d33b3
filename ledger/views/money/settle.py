"""Settling: what is settled together, every balance of it, all of it at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID, uuid4

from django import forms
from django.core.exceptions import BadRequest
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy

from ledger import journal, settlement
from ledger.access import Request, club_of, is_owner, may_write, owner_only
from ledger.models import Action, Club, Evening, Player
from ledger.presenters.correction_plan import said
from ledger.settlement import Method, PlannedPayment
from ledger.text.parsing import whole_number
from ledger.views.decorators import signed_in_form
from ledger.views.money import scope_params
from ledger.views.money.fields import (
    id_in_forms,
    just_moved,
    methods,
    minor,
    paid_on_field,
    people_of,
)
from ledger.views.money.payment_list import moves, page_of
from ledger.views.money.scope_params import ScopeParams
from ledger.views.params import id_of, id_or_new
from scoring import Refused

CONFLICT, UNPROCESSABLE = 409, 422
Keys = list[tuple[int | None, int | None, int]]


@dataclass(frozen=True)
class Sure:
    """What would be settled: shown once more, then written by one tap."""

    at: ScopeParams
    method: str
    rows: Sequence[PlannedPayment]
    rest: Sequence[PlannedPayment] = ()
    leaver: Player | None = None
    carried: Sequence[settlement.Balance] = ()
    to: Evening | None = None

    @property
    def keys(self) -> list[str]:
        return [
            f"{id_in_forms(row.payer)} {id_in_forms(row.payee)} {row.amount}"
            for row in self.rows
        ]

    @property
    def nothing(self) -> bool:
        return not self.rows and not self.carried


@signed_in_form
def settle(request: Request, pk: int) -> HttpResponse:
    club = club_of(request, pk, write=request.method == "POST")
    at = scope_params.asked(club, request.GET)
    if request.method == "POST":
        return _settle(request, at)
    if "sure" in request.GET:
        return _ask(request, _sure(request, at))
    return _show(request, at)


class DayForm(forms.Form):
    """When it was paid."""

    day = paid_on_field()


class WaysForm(forms.Form):
    """How a club settles where nobody chooses otherwise."""

    method = forms.ChoiceField(
        label=gettext_lazy("How the club settles"),
        choices=Method.choices,
        widget=forms.RadioSelect,
    )

    def __init__(self, data: object = None, *, club: Club) -> None:
        initial = {"method": club.method, "treasurer": club.treasurer_id}
        super().__init__(data, initial=initial)  # type: ignore[arg-type]  # as Form does
        people = club.players.people().filter(retired=False).order_by("name")
        self.fields["treasurer"] = forms.ModelChoiceField(
            people,
            label=gettext_lazy("Treasurer"),
            required=False,
            empty_label=gettext_lazy("nobody"),
            widget=forms.Select(attrs={"class": "input"}),
        )


@signed_in_form
def ways(request: Request, pk: int) -> HttpResponse:
    """Who is the treasurer, and how the club settles."""
    club = club_of(request, pk, write=True)
    owner_only(club)
    form = WaysForm(request.POST or None, club=club)
    if form.is_bound and form.is_valid():
        club.method = form.cleaned_data["method"]
        club.treasurer = form.cleaned_data["treasurer"]
        club.save(update_fields=["method", "treasurer"])
        return redirect("settle", club.pk)
    status = UNPROCESSABLE if form.is_bound else 200
    page = {"club": club, "form": form}
    return render(request, "ledger/money/ways.html", page, status=status)


def _show(request: Request, at: ScopeParams, *, stale: bool = False) -> HttpResponse:
    scope = at.scope
    method = settlement.method_of(scope, request.GET.get("method"))
    moved = moves(scope, page=page_of(request))
    stand = moved.debts(method)
    plan = stand.plan
    here = f"{reverse('settle', args=[scope.club.pk])}?{at.query}"
    page = {
        "club": scope.club,
        "at": at,
        "scope": scope,
        "scopes": list(
            scope_params.choices(at, scope.club.seasons.order_by("-starts"))
        ),
        "currencies": list(scope_params.currencies(at)),
        "methods": list(methods(scope, method)),
        "method": method,
        "plan": plan,
        "debts": stand,
        "balances": plan.balances
        if scope.evening
        else settlement.listed(plan.balances),
        "sum": sum(balance.amount for balance in plan.balances),
        "moves": moved,
        "deeds": moved.deeds,
        "changed": stale or "changed" in request.GET,
        "here": here,
        "pay": f"{reverse('pay', args=[scope.club.pk])}?{at.query}",
        "done": just_moved(scope.club, request.GET.get("done")),
        "id": uuid4(),
        "may_pay": may_write(scope.club),
        "is_owner": is_owner(scope.club),
    }
    return render(
        request, "ledger/money/settle.html", page, status=CONFLICT if stale else 200
    )


def _sure(request: Request, at: ScopeParams) -> Sure:
    scope = at.scope
    method = settlement.method_of(scope, request.GET.get("method"))
    if leaving := request.GET.get("player"):
        player = _leaver(scope.club, leaving)
        rows, rest = settlement.plan_for_one(scope, player)
        return Sure(at, method, rows, rest, leaver=player)
    plan = settlement.plan(scope, method)
    if method == Method.CARRY and scope.evening:
        open_ = [balance for balance in plan.balances if balance.amount]
        to = settlement.next_evening(scope.evening)
        return Sure(at, method, (), carried=open_, to=to)
    return Sure(at, method, plan.rows)


def _leaver(club: Club, asked: str) -> Player:
    player = club.players.filter(pk=whole_number(asked) or 0).first()
    if player is None:
        raise Http404
    return player


def _ask(
    request: Request,
    sure: Sure,
    *,
    form: DayForm | None = None,
    problems: Sequence[str] = (),
    status: int = 200,
) -> HttpResponse:
    scope = sure.at.scope
    form = form or DayForm()
    page = {
        "club": scope.club,
        "at": sure.at,
        "scope": scope,
        "sure": sure,
        "problems": problems,
        "form": form,
        "id": id_or_new(request) if problems or form.is_bound else uuid4(),
        "may_pay": may_write(scope.club),
    }
    return render(request, "ledger/money/settle_confirm.html", page, status=status)


def _settle(request: Request, at: ScopeParams) -> HttpResponse:
    id = id_of(request)
    sure = _sure(request, at)
    form = DayForm(request.POST)
    if not form.is_valid():
        return _ask(request, sure, form=form, status=UNPROCESSABLE)
    try:
        action = _written(request, sure, id, form.cleaned_data["day"])
    except journal.Stale:
        return _show(request, at, stale=True)
    except Refused as refused:
        problems = said(refused.problems)
        return _ask(request, sure, form=form, problems=problems, status=UNPROCESSABLE)
    return redirect(_after(at, action))


def _written(request: Request, sure: Sure, id: UUID, day: date | None) -> Action | None:
    scope, by = sure.at.scope, request.user
    if sure.leaver:
        seen = _seen(request, sure)
        return journal.settle_one(scope, sure.leaver, id=id, by=by, seen=seen, day=day)
    if sure.method == Method.CARRY and scope.evening:
        return journal.carry(scope.evening, sure.to, id=id, by=by)
    seen = _seen(request, sure)
    return journal.settle(scope, sure.method, id=id, by=by, seen=seen, day=day)


def _seen(request: Request, sure: Sure) -> Keys:
    """Return the payments that were on the page when it was confirmed."""
    ids = {id_in_forms(player): player.pk for player in people_of(sure.at.scope.club)}
    keys: Keys = []
    for row in request.POST.getlist("row"):
        payer, payee, amount = (row.split() + [""] * 3)[:3]
        if payer not in ids or payee not in ids:
            raise BadRequest("expected somebody of the club")
        keys.append((ids[payer], ids[payee], minor(amount)))
    return keys


def _after(at: ScopeParams, action: Action | None) -> str:
    done = f"done={action.pk}" if action else ""
    if at.scope.evening:
        return f"{reverse('evening', args=[at.scope.evening.pk])}?{done}#plan"
    return f"{reverse('settle', args=[at.scope.club.pk])}?{at.query}&{done}#plan"
