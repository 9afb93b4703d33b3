"""Method: how a club settles, and who is its treasurer."""

from __future__ import annotations

from collections.abc import Iterator

from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy

from ledger import settlement
from ledger.access import Request, club_of, owner_only
from ledger.models import Club
from ledger.settlement import Method, SettlementScope
from ledger.views.decorators import signed_in_form
from ledger.views.money.scope_params import ScopeChoice

UNPROCESSABLE = 422


class MethodForm(forms.Form):
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
def method(request: Request, pk: int) -> HttpResponse:
    club = club_of(request, pk, write=True)
    owner_only(club)
    form = MethodForm(request.POST or None, club=club)
    if form.is_bound and form.is_valid():
        club.method = form.cleaned_data["method"]
        club.treasurer = form.cleaned_data["treasurer"]
        club.save(update_fields=["method", "treasurer"])
        return redirect("settle", club.pk)
    status = UNPROCESSABLE if form.is_bound else 200
    page = {"club": club, "form": form}
    return render(request, "ledger/money/ways.html", page, status=status)


def method_choices(scope: SettlementScope, chosen: str) -> Iterator[ScopeChoice]:
    """Yield the methods by which *scope* can be settled."""
    for one in Method:
        if settlement.method_applies(one, scope):
            yield ScopeChoice(str(one.label), one.value, one == chosen)
