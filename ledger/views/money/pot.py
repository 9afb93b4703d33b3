"""The pot: table money, fines and prizes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from ledger import journal, settlement, tallies
from ledger.access import Request, club_of, evening_of, may_write
from ledger.models import Action, Entry, Player
from ledger.settlement import SettlementScope
from ledger.text.messages import messages_of
from ledger.text.names import in_order
from ledger.views.decorators import signed_in_form
from ledger.views.fields import text_box
from ledger.views.late_writes import evening_closed
from ledger.views.money import scope_params
from ledger.views.money.fields import AmountField
from ledger.views.money.just_done import address_after, just_done
from ledger.views.money.payment_list import page_number, payment_list_of
from ledger.views.money.scope_params import ScopeChoice, ScopeParams
from ledger.views.params import id_of, id_or_new
from scoring import Refused

UNPROCESSABLE = 422
EACH, TOGETHER, FINE, PRIZE = "each", "together", "fine", "prize"
KINDS = {
    EACH: gettext_noop("Table money, per player"),
    TOGETHER: gettext_noop("Table money, in total"),
    FINE: gettext_noop("Fine"),
    PRIZE: gettext_noop("Prize"),
}
SAVES = {
    EACH: gettext_noop("Charge each player"),
    TOGETHER: gettext_noop("Split it between them"),
    FINE: gettext_noop("Charge the fine"),
    PRIZE: gettext_noop("Award the prize"),
}


class PotForm(forms.Form):
    """A fee or fine that players owe the pot, or a prize that it owes one."""

    def __init__(
        self,
        data: Any = None,
        *,
        kind: str,
        scope: SettlementScope,
        people: Sequence[Player],
        present: Sequence[Player],
    ) -> None:
        super().__init__(data)
        self.kind, self.scope = kind, scope
        self.people = {str(player.pk): player for player in people}
        one = kind in (FINE, PRIZE)
        self.fields["amount"] = AmountField(currency=scope.currency)
        names = [(pk, player.name) for pk, player in self.people.items()]
        self.fields["who"] = (
            _one(names) if one else _some(names, [str(player.pk) for player in present])
        )
        self.fields["reason"] = forms.CharField(
            label=gettext_lazy("What for"),
            max_length=journal.MOST_NOTE,
            initial="" if one else _("Table money"),
            widget=text_box(autocomplete="off", enterkeyhint="done"),
        )

    @property
    def saves(self) -> str:
        return _(SAVES[self.kind])

    def players(self) -> list[Player]:
        who = self.cleaned_data["who"]
        return [self.people[pk] for pk in ([who] if isinstance(who, str) else who)]

    def write(self, **by: Any) -> Action:
        """Write it, once for the id that the form was sent with."""
        amount, players = self.cleaned_data["amount"], self.players()
        by["reason"] = self.cleaned_data["reason"]
        if self.kind == PRIZE:
            return journal.prize(self.scope, players[0], amount, **by)
        if self.kind == TOGETHER:
            charges = journal.shares(amount, players)
        else:
            charges = dict.fromkeys(players, amount)
        return journal.fee(self.scope, charges, **by)


def _one(names: Sequence[tuple[str, str]]) -> forms.Field:
    widget = forms.RadioSelect
    return forms.ChoiceField(label=gettext_lazy("Who"), choices=names, widget=widget)


def _some(names: Sequence[tuple[str, str]], chosen: Sequence[str]) -> forms.Field:
    return forms.MultipleChoiceField(
        label=gettext_lazy("Who"),
        choices=names,
        widget=forms.CheckboxSelectMultiple,
        initial=chosen,
    )


@signed_in_form
def pot(request: Request, pk: int) -> HttpResponse:
    club = club_of(request, pk, write=request.method == "POST")
    params = scope_params.from_address(club, request.GET)
    kind = request.GET.get("kind", "")
    form = _form(request, params.scope, kind if kind in KINDS else EACH)
    problems: list[str] = []
    if form.is_bound and form.is_valid():
        try:
            action = form.write(id=id_of(request), by=request.user)
            return redirect(
                address_after(
                    f"{reverse('pot', args=[pk])}?{params.query}#made", action
                )
            )
        except Refused as refused:
            problems = messages_of(refused.problems)
        except journal.SeasonClosed:
            problems = [_("The season is closed.")]
        except journal.Closed as late:
            return evening_closed(request, evening_of(request, late.evening.pk))
    return _show(request, params, form, problems)


def _form(request: Request, scope: SettlementScope, kind: str) -> PotForm:
    players = scope.club.players.people()
    present: list[Player] = []
    if scope.evening:
        present = [row.player for row in tallies.tally(scope.evening)]
        present = [player for player in present if not player.is_pot]
    people = present or in_order(players.filter(retired=False))
    return PotForm(
        request.POST or None, kind=kind, scope=scope, people=people, present=present
    )


def _show(
    request: Request, params: ScopeParams, form: PotForm, problems: Sequence[str]
) -> HttpResponse:
    scope = params.scope
    payments = payment_list_of(
        scope, (Entry.Kind.FEE, Entry.Kind.PRIZE), page_number(request)
    )
    balances = settlement.balances_of(scope)
    of_pot = next((balance for balance in balances if balance.player.is_pot), None)
    page = {
        "club": scope.club,
        "at": params,
        "scope": scope,
        "form": form,
        "problems": problems,
        "kinds": [
            ScopeChoice(_(words), k, k == form.kind) for k, words in KINDS.items()
        ],
        "pot": of_pot,
        "payment_list": payments,
        "money_actions": payments.actions,
        "here": f"{request.path}?{params.query}#made",
        "done": just_done(scope.club, request.GET.get("done")),
        "id": id_or_new(request),
        "may_pay": may_write(scope.club),
    }
    status = UNPROCESSABLE if form.is_bound else 200
    return render(request, "ledger/money/pot.html", page, status=status)
