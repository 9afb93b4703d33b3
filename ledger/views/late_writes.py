"""Answers to who comes too late to write: the evening or the season is closed."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from ledger.access import Request, is_owner
from ledger.models import Club, Evening, Member
from ledger.views.status import CONFLICT


def evening_closed(request: Request, evening: Evening) -> HttpResponse:
    page = {"evening": evening, "owners": owner_names(evening.club)}
    return render(request, "ledger/errors/evening_closed.html", page, status=CONFLICT)


def no_season(request: Request, club: Club) -> HttpResponse:
    """Answer that the last season is closed and no other has begun."""
    page = {
        "club": club,
        "owners": owner_names(club),
        "is_owner": is_owner(club),
    }
    return render(request, "ledger/errors/no_season.html", page, status=CONFLICT)


def owner_names(club: Club) -> str:
    """Return the names of the owners, who may reopen."""
    members = club.members.filter(role=Member.Role.OWNER).order_by("pk")
    names = members.values_list("user__username", flat=True)
    return ", ".join(names)
