"""Payments: one of the plan by a tap, or any other by a form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy

from ledger import journal, settlement
from ledger.access import Request, club_of, evening_of
from ledger.models import Action, Player
from ledger.settlement import SettlementScope
from ledger.text import messages
from ledger.text.amounts import typed_amount
from ledger.text.messages import messages_of
from ledger.views.decorators import signed_in_form
from ledger.views.fields import text_box
from ledger.views.money import scope_params
from ledger.views.money.fields import AmountField, minor, paid_on_field
from ledger.views.money.just_done import address_after
from ledger.views.money.player_choice import form_value, people_of, player_of
from ledger.views.money.refused import refused_page
from ledger.views.money.scope_params import ScopeParams
from ledger.views.params import id_of, id_or_new
from scoring import Refused

PAGE = "ledger/money/pay.html"
CONFLICT, UNPROCESSABLE = 409, 422


class PayForm(forms.Form):
    """A payment: payer, payee and amount; somebody else may have paid for the payer."""

    def __init__(
        self,
        data: Any = None,
        *,
        scope: SettlementScope,
        people: Sequence[Player],
        **more: Any,
    ) -> None:
        super().__init__(data, **more)
        self.scope, self.people = scope, people
        names = [(form_value(player), player.name) for player in people]
        self.fields["payer"] = _choice(gettext_lazy("Who owes it"), names)
        self.fields["payee"] = _choice(gettext_lazy("Who gets it"), names)
        self.fields["amount"] = AmountField(currency=scope.currency)
        self.fields["paid_by"] = _choice(
            gettext_lazy("Who paid it"),
            [("", gettext_lazy("the same person")), *names],
            required=False,
            help_text=gettext_lazy(
                "If somebody else pays, they are then owed the money."
            ),
        )
        self.fields["how"] = forms.ChoiceField(
            label=gettext_lazy("How"),
            choices=[(how, messages.how(how)) for how in messages.HOW],
            widget=forms.RadioSelect,
            initial="cash",
            required=False,
        )
        self.fields["day"] = paid_on_field()
        self.fields["note"] = forms.CharField(
            label=gettext_lazy("Note"),
            required=False,
            max_length=journal.MOST_NOTE,
            widget=text_box(autocomplete="off", enterkeyhint="done"),
        )

    def player(self, field: str) -> Player | None:
        value = self.cleaned_data[field]
        return player_of(value, self.people) if value else None


@signed_in_form
def evening_pay(request: Request, pk: int) -> HttpResponse:
    evening = evening_of(request, pk, write=True)
    return _pay(
        request, scope_params.of_evening(evening), reverse("evening", args=[pk])
    )


@signed_in_form
def pay(request: Request, pk: int) -> HttpResponse:
    club = club_of(request, pk, write=True)
    params = scope_params.from_address(club, request.GET)
    return _pay(request, params, f"{reverse('settle', args=[pk])}?{params.query}")


def _pay(request: Request, params: ScopeParams, back: str) -> HttpResponse:
    people = people_of(params.scope.club)
    if request.method == "POST" and "minor" in request.POST:
        return _pay_planned(request, params, people, back)
    form = _form(request, params.scope, people)
    problems: list[str] = []
    if form.is_bound and form.is_valid():
        try:
            return redirect(
                address_after(f"{back}#plan", _write(request, params.scope, form))
            )
        except Refused as refused:
            problems = _add_errors(form, refused)
    page = {
        "form": form,
        "scope": params.scope,
        "words": params.words,
        "back": back,
        "problems": problems,
        "id": id_or_new(request),
    }
    status = UNPROCESSABLE if form.is_bound else 200
    return render(request, PAGE, page, status=status)


def _add_errors(form: PayForm, refused: Refused) -> list[str]:
    """Add each problem to its field; return those that have none."""
    others = []
    for problem in refused.problems:
        if problem.field in form.fields:
            form.add_error(problem.field, messages_of([problem])[0])
        else:
            others.append(problem)
    return messages_of(others)


def _form(
    request: Request, scope: SettlementScope, people: Sequence[Player]
) -> PayForm:
    """Return the form; one opened from the plan is filled in with a payment of it."""
    if request.method == "POST":
        return PayForm(request.POST, scope=scope, people=people)
    initial = {name: request.GET.get(name, "") for name in ("payer", "payee")}
    if amount := request.GET.get("minor"):
        initial["amount"] = typed_amount(minor(amount), scope.currency)
    return PayForm(scope=scope, people=people, initial=initial)


def _write(request: Request, scope: SettlementScope, form: PayForm) -> Action:
    payer, payee = form.player("payer"), form.player("payee")
    assert payer is not None
    assert payee is not None
    return journal.pay(
        scope,
        payer,
        payee,
        form.cleaned_data["amount"],
        id=id_of(request),
        by=request.user,
        method=form.cleaned_data["how"] or "cash",
        note=form.cleaned_data["note"],
        paid_by=form.player("paid_by"),
        day=form.cleaned_data["day"],
    )


def _pay_planned(
    request: Request, params: ScopeParams, people: Sequence[Player], back: str
) -> HttpResponse:
    """Write a payment of the plan; if it is there no longer, say so."""
    id, scope = id_of(request), params.scope
    payer = player_of(request.POST.get("payer"), people)
    payee = player_of(request.POST.get("payee"), people)
    amount = minor(request.POST.get("minor"))
    method = settlement.method_of(scope, request.POST.get("plan"))
    back += ("&" if "?" in back else "?") + f"method={method}"
    try:
        paid = journal.pay(
            scope, payer, payee, amount, id=id, by=request.user, planned=method
        )
    except journal.Stale:
        return redirect(f"{back}&changed=yes#plan")
    except Refused as refused:
        return refused_page(request, scope.club, messages_of(refused.problems))
    return redirect(address_after(f"{back}#plan", paid))


def _choice(label: Any, choices: Sequence[Any], **more: Any) -> forms.ChoiceField:
    select = forms.Select(attrs={"class": "input"})
    return forms.ChoiceField(label=label, choices=choices, widget=select, **more)
