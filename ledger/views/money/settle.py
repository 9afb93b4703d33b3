"""Settling: the balances and the plan of a scope, and all its payments at once."""

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

from ledger import journal, settlement
from ledger.access import Request, club_of, is_owner, may_write
from ledger.models import Action, Club, Evening, Player
from ledger.settlement import Method, PlannedPayment
from ledger.text.messages import messages_of
from ledger.text.parsing import whole_number
from ledger.views.decorators import signed_in_form
from ledger.views.money import scope_params
from ledger.views.money.fields import minor, paid_on_field
from ledger.views.money.just_done import just_done
from ledger.views.money.method import method_choices
from ledger.views.money.payment_list import page_number, payment_list_of
from ledger.views.money.player_choice import form_value, people_of
from ledger.views.money.scope_params import ScopeParams
from ledger.views.params import id_of, id_or_new
from scoring import Refused

CONFLICT, UNPROCESSABLE = 409, 422
Keys = list[tuple[int | None, int | None, int]]


@dataclass(frozen=True)
class Confirmation:
    """The payments of a plan that are to be written at once, shown once more.

    Where one player settles alone he is the *leaver*, and *rest* is the plan of the
    others. Where a club carries over, *carried* are the balances, *to* the evening.
    """

    params: ScopeParams
    method: str
    rows: Sequence[PlannedPayment]
    rest: Sequence[PlannedPayment] = ()
    leaver: Player | None = None
    carried: Sequence[settlement.Balance] = ()
    to: Evening | None = None

    @property
    def keys(self) -> list[str]:
        return [
            f"{form_value(row.payer)} {form_value(row.payee)} {row.amount}"
            for row in self.rows
        ]

    @property
    def nothing(self) -> bool:
        return not self.rows and not self.carried


@signed_in_form
def settle(request: Request, pk: int) -> HttpResponse:
    club = club_of(request, pk, write=request.method == "POST")
    params = scope_params.from_address(club, request.GET)
    if request.method == "POST":
        return _settle(request, params)
    if "sure" in request.GET:
        return _ask(request, _confirmation(request, params))
    return _show(request, params)


class DayForm(forms.Form):
    """The day of the payments."""

    day = paid_on_field()


def _show(
    request: Request, params: ScopeParams, *, stale: bool = False
) -> HttpResponse:
    scope = params.scope
    method = settlement.method_of(scope, request.GET.get("method"))
    payments = payment_list_of(scope, page=page_number(request))
    debts = payments.debts(method)
    plan = debts.plan
    here = f"{reverse('settle', args=[scope.club.pk])}?{params.query}"
    page = {
        "club": scope.club,
        "at": params,
        "scope": scope,
        "scopes": list(
            scope_params.choices(params, scope.club.seasons.order_by("-starts"))
        ),
        "currencies": list(scope_params.currencies(params)),
        "methods": list(method_choices(scope, method)),
        "method": method,
        "plan": plan,
        "debts": debts,
        "balances": plan.balances
        if scope.evening
        else settlement.listed(plan.balances),
        "sum": sum(balance.amount for balance in plan.balances),
        "payment_list": payments,
        "money_actions": payments.actions,
        "changed": stale or "changed" in request.GET,
        "here": here,
        "pay": f"{reverse('pay', args=[scope.club.pk])}?{params.query}",
        "done": just_done(scope.club, request.GET.get("done")),
        "id": uuid4(),
        "may_pay": may_write(scope.club),
        "is_owner": is_owner(scope.club),
    }
    return render(
        request, "ledger/money/settle.html", page, status=CONFLICT if stale else 200
    )


def _confirmation(request: Request, params: ScopeParams) -> Confirmation:
    scope = params.scope
    method = settlement.method_of(scope, request.GET.get("method"))
    if pk := request.GET.get("player"):
        player = _leaver(scope.club, pk)
        rows, rest = settlement.plan_for_one(scope, player)
        return Confirmation(params, method, rows, rest, leaver=player)
    plan = settlement.plan(scope, method)
    if method == Method.CARRY and scope.evening:
        open_ = [balance for balance in plan.balances if balance.amount]
        to = settlement.next_evening(scope.evening)
        return Confirmation(params, method, (), carried=open_, to=to)
    return Confirmation(params, method, plan.rows)


def _leaver(club: Club, pk: str) -> Player:
    player = club.players.filter(pk=whole_number(pk) or 0).first()
    if player is None:
        raise Http404
    return player


def _ask(
    request: Request,
    confirmation: Confirmation,
    *,
    form: DayForm | None = None,
    problems: Sequence[str] = (),
    status: int = 200,
) -> HttpResponse:
    scope = confirmation.params.scope
    form = form or DayForm()
    page = {
        "club": scope.club,
        "at": confirmation.params,
        "scope": scope,
        "sure": confirmation,
        "problems": problems,
        "form": form,
        "id": id_or_new(request) if problems or form.is_bound else uuid4(),
        "may_pay": may_write(scope.club),
    }
    return render(request, "ledger/money/settle_confirm.html", page, status=status)


def _settle(request: Request, params: ScopeParams) -> HttpResponse:
    id = id_of(request)
    confirmation = _confirmation(request, params)
    form = DayForm(request.POST)
    if not form.is_valid():
        return _ask(request, confirmation, form=form, status=UNPROCESSABLE)
    try:
        action = _write(request, confirmation, id, form.cleaned_data["day"])
    except journal.Stale:
        return _show(request, params, stale=True)
    except Refused as refused:
        problems = messages_of(refused.problems)
        return _ask(
            request, confirmation, form=form, problems=problems, status=UNPROCESSABLE
        )
    return redirect(_after(params, action))


def _write(
    request: Request, confirmation: Confirmation, id: UUID, day: date | None
) -> Action | None:
    scope, by = confirmation.params.scope, request.user
    if confirmation.leaver:
        seen = _seen(request, confirmation)
        return journal.settle_one(
            scope, confirmation.leaver, id=id, by=by, seen=seen, day=day
        )
    if confirmation.method == Method.CARRY and scope.evening:
        return journal.carry(scope.evening, confirmation.to, id=id, by=by)
    seen = _seen(request, confirmation)
    return journal.settle(scope, confirmation.method, id=id, by=by, seen=seen, day=day)


def _seen(request: Request, confirmation: Confirmation) -> Keys:
    """Return the keys of the payments on the page that was confirmed."""
    ids = {
        form_value(player): player.pk
        for player in people_of(confirmation.params.scope.club)
    }
    keys: Keys = []
    for row in request.POST.getlist("row"):
        payer, payee, amount = (row.split() + [""] * 3)[:3]
        if payer not in ids or payee not in ids:
            raise BadRequest("expected somebody of the club")
        keys.append((ids[payer], ids[payee], minor(amount)))
    return keys


def _after(params: ScopeParams, action: Action | None) -> str:
    done = f"done={action.pk}" if action else ""
    if params.scope.evening:
        return f"{reverse('evening', args=[params.scope.evening.pk])}?{done}#plan"
    return (
        f"{reverse('settle', args=[params.scope.club.pk])}?{params.query}&{done}#plan"
    )
