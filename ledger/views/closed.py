"""What everybody is told who comes too late to write."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from ledger.access import Request
from ledger.models import Evening


def closed(request: Request, evening: Evening) -> HttpResponse:
    return render(request, "ledger/closed.html", {"evening": evening}, status=409)
