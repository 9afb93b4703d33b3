"""Pages that share the plan of an evening: a card to print, and links to it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_safe

from ledger import settlement, tallies
from ledger.access import Request, evening_of
from ledger.journal import make_link
from ledger.models import Evening, ShareLink
from ledger.settlement import Method, SettlementScope
from ledger.text.parsing import whole_number
from ledger.views.decorators import signed_in_form, signed_in_page
from ledger.views.form_errors import add_problems
from ledger.views.params import id_or_new
from ledger.views.status import UNPROCESSABLE
from scoring import Refused

DAYS = (1, 14, 90)
LINKS_ON_A_PAGE = 30
REVOKING = {"revoke", "revoke_all"}


NOT_AGAIN = gettext_lazy(
    "This link has already been made, and can be shown only once. If it is lost, "
    "revoke it and make another."
)


class LinkForm(forms.Form):
    """Form of a link: how long it lasts, and the method of the plan that it shows."""

    days = forms.TypedChoiceField(
        label=gettext_lazy("Valid for"),
        coerce=int,
        widget=forms.RadioSelect,
        initial=14,
    )
    method = forms.ChoiceField(
        label=gettext_lazy("How it is settled"), widget=forms.RadioSelect
    )

    def __init__(self, data: Any = None, *, scope: SettlementScope) -> None:
        super().__init__(
            data, initial={"method": settlement.method_of(scope, None), "days": 14}
        )
        methods = [
            (m.value, m.label) for m in Method if settlement.method_applies(m, scope)
        ]
        days = [(n, ngettext("{n} day", "{n} days", n).format(n=n)) for n in DAYS]
        self.fields["method"].choices = methods  # type: ignore[attr-defined]  # it has
        self.fields["days"].choices = days  # type: ignore[attr-defined]  # it has


@signed_in_form
def share(request: Request, pk: int) -> HttpResponse:
    """Make links to the plan of an evening, list and revoke them."""
    evening = evening_of(request, pk, write=True)
    links = ShareLink.objects.filter(evening=evening)
    if request.method == "POST":
        _revoke(request, links)
    form, id, address = _form(request, evening), id_or_new(request), ""
    if form.is_bound and form.is_valid():
        try:
            address, id = _make(request, evening, form, id), uuid4()
        except Refused as refused:
            add_problems(form, refused)
    pages = Paginator(
        links.select_related("created_by").order_by("-pk"), LINKS_ON_A_PAGE
    )
    page = {
        "evening": evening,
        "form": form,
        "id": id,
        "secret": address,
        "links": pages.get_page(request.GET.get("page")),
        "usable": links.usable().count(),
        "now": timezone.now(),
    }
    status = UNPROCESSABLE if form.is_bound and form.errors else 200
    return render(request, "ledger/evening/share.html", page, status=status)


@signed_in_page
def card(request: Request, pk: int) -> HttpResponse:
    """Card of the evening, to print."""
    evening = evening_of(request, pk)
    method = settlement.method_of(
        SettlementScope.of_evening(evening), request.GET.get("method")
    )
    return render(request, "ledger/evening/card.html", _card(evening, method))


@require_safe
def shared(request: HttpRequest, token: str) -> HttpResponse:
    """The same card for anybody with a link, and nothing else of the club."""
    link = _or_404(ShareLink.objects.find(token))
    method = settlement.method_of(SettlementScope.of_evening(link.evening), link.method)
    page = _card(link.evening, method) | {"link": link}
    response = render(request, "ledger/evening/card.html", page)
    response["Referrer-Policy"] = "same-origin"
    response["X-Robots-Tag"] = "noindex, nofollow"
    return response


def _revoke(request: Request, links: QuerySet[ShareLink]) -> None:
    if "revoke_all" in request.POST:
        for link in links.filter(revoked_at=None):
            link.revoke()
    elif "revoke" in request.POST:
        _or_404(
            links.filter(pk=whole_number(request.POST["revoke"]) or 0).first()
        ).revoke()


def _make(request: Request, evening: Evening, form: LinkForm, id: UUID) -> str:
    """Return the address of a new link; "" with a message if it was made before."""
    lasts = timedelta(days=form.cleaned_data["days"])
    method = form.cleaned_data["method"]
    _link, secret = make_link(
        evening, by=request.user, method=method, lasts=lasts, id=id
    )
    if not secret:
        messages.info(request, NOT_AGAIN)
        return ""
    return request.build_absolute_uri(reverse("shared", args=[secret]))


def _form(request: Request, evening: Evening) -> LinkForm:
    makes = request.method == "POST" and not {*request.POST} & REVOKING
    scope = SettlementScope.of_evening(evening)
    return LinkForm(request.POST if makes else None, scope=scope)


def _card(evening: Evening, method: str) -> dict[str, Any]:
    scope = SettlementScope.of_evening(evening)
    evening_debts = settlement.debts_of(scope, method)
    return {
        "evening": evening,
        "scope": scope,
        "tally": sorted(tallies.tally(evening), key=lambda row: -row.points),
        "debts": evening_debts,
        "plan": evening_debts.plan,
        "method": method,
    }


def _or_404(link: ShareLink | None) -> ShareLink:
    if link is None:
        raise Http404
    return link
