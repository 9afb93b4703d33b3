"""Steps of closing and reopening that an evening and a season share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from django import forms
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy

from ledger import journal
from ledger.access import Request, owner_only
from ledger.models import Action, Evening, Season
from ledger.presenters.refusals import season_closed
from ledger.text.messages import messages_of
from ledger.views.fields import text_box
from ledger.views.params import id_of, id_or_new
from ledger.views.status import UNPROCESSABLE


class ReopenForm(forms.Form):
    reason = forms.CharField(
        label=gettext_lazy("Why it is reopened"),
        max_length=200,
        widget=text_box(autocomplete="off", enterkeyhint="done"),
    )


def close_page(
    request: Request,
    closes: Evening | Season,
    write: Callable[..., Action],
    *,
    done: HttpResponse,
    template: str,
    context: Callable[[], dict[str, Any]],
) -> HttpResponse:
    """Ask once with the page of *template*, *write*, and answer *done*."""
    if request.method == "POST":
        write(closes, by=request.user, id=id_of(request))
        return done
    if closes.closed_at:
        return done
    return render(request, template, context() | {"id": uuid4()})


def reopen_page(
    request: Request,
    closed: Evening | Season,
    write: Callable[..., Action],
    *,
    done: HttpResponse,
    context: dict[str, Any],
) -> HttpResponse:
    """Ask an owner for the reason, *write*, and answer *done*, or show the form."""
    owner_only(closed)
    form, problems = ReopenForm(request.POST or None), list[str]()
    if form.is_bound:
        id = id_of(request)
        try:
            if form.is_valid():
                reason = form.cleaned_data["reason"]
                write(closed, by=request.user, reason=reason, id=id)
                return done
        except journal.Refused as refused:
            problems = messages_of(refused.problems)
        except journal.SeasonClosed as late:
            problems = [season_closed(late.season)]
    page = {"what": closed, "form": form, "problems": problems}
    page |= context | {"id": id_or_new(request)}
    status = UNPROCESSABLE if request.method == "POST" else 200
    return render(request, "ledger/evening/reopen.html", page, status=status)
