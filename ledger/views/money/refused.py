"""Refused: the page of a payment that cannot be written or taken back."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse

from ledger.access import Request
from ledger.models import Club
from ledger.views.params import next_of

CONFLICT = 409


def refused_page(request: Request, club: Club, problems: Sequence[str]) -> HttpResponse:
    page = {"club": club, "problems": problems, "back": next_page(request, club)}
    return render(request, "ledger/errors/payment_refused.html", page, status=CONFLICT)


def next_page(request: Request, club: Club) -> str:
    """Return the page that a form leads on to, else that of settling."""
    return next_of(request, reverse("settle", args=[club.pk]))
