"""The slip: a hand written down, previewed at every tap, saved once."""

from __future__ import annotations

from uuid import uuid4

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from ledger import journal
from ledger.access import Request, table_of
from ledger.models import Table
from ledger.slip_page import SlipPage
from ledger.told import Told, told
from ledger.words import say

PAGE = "ledger/slip.html"
UNPROCESSABLE, CONFLICT = 422, 409


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def slip(request: Request, pk: int) -> HttpResponse:
    table = table_of(request, pk, write=True)
    if request.method == "POST" and "preview" not in request.POST:
        return _save(request, table)
    data = request.POST if request.method == "POST" else None
    return _show(request, SlipPage(table, data))


@login_required
@never_cache
@require_POST
def slip_preview(request: Request, pk: int) -> HttpResponse:
    """Answer a tap: the same slip, with what follows from it."""
    table = table_of(request, pk, write=True)
    part = PAGE + "#slip" if request.headers.get("HX-Request") else PAGE
    return _show(request, SlipPage(table, request.POST), part=part)


def _save(request: Request, table: Table) -> HttpResponse:
    page = SlipPage(table, request.POST, tried=True)
    if page.taken:
        return _show(request, page, status=CONFLICT)
    if page.score is None:
        return _show(request, page, status=UNPROCESSABLE)
    try:
        version = journal.record_hand(
            table,
            id=page.id,
            record=page.record,
            by=request.user,
            number=page.number,
            dealer=page.dealer,
            resting=page.resting,
            override=page.form.cleaned_data["override"],
        )
    except journal.Refused as refused:
        page.errors.setdefault("hand", []).extend(
            say(p.message, page.names) for p in refused.problems if p.is_error
        )
        return _show(request, page, status=UNPROCESSABLE)
    except journal.Taken as taken:
        page.taken = taken.hand
        return _show(request, page, status=CONFLICT)
    except journal.Closed:
        page.errors["hand"] = [_("The evening is closed: ask its owner to reopen it.")]
        return _show(request, page, status=CONFLICT)
    return redirect(f"{reverse('table', args=[table.pk])}?saved={version.hand_id}")


def _show(
    request: Request, page: SlipPage, *, part: str = PAGE, status: int = 200
) -> HttpResponse:
    context = {
        "slip": page,
        "table": page.table,
        "evening": page.table.evening,
        "id": uuid4() if page.taken and page.taken.pk == page.id else page.id,
        "number": page.number,
        "other": _other(page),
    }
    return render(request, part, context, status=status)


def _other(page: SlipPage) -> Told | None:
    """Return the hand that came first, where two phones recorded one number."""
    if page.taken is None:
        return None
    version = page.taken.versions.select_related("edition").latest("number")
    return told(version, page.table.evening.club.players.in_bulk())
