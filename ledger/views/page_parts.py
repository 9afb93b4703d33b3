"""Part of a page, rendered as the answer to a change that was made on it.

The page numbers its changes and takes the answer to the latest of them alone. A late
answer has an older number; the page of another view (the sign-in page after the
session has expired, an error) has none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from ledger.access import Request
from ledger.text.parsing import whole_number

CHANGE, ANSWERS = "Kontra-Change", "Kontra-Answers"
SAVED = "Kontra-Saved"
"""Header of an answer to what is saved: the phone drops its draft."""


def render_part(
    request: Request,
    template: str,
    part: str,
    context: Mapping[str, Any],
    *,
    status: int = 200,
) -> HttpResponse:
    """Render the *part* of the page to a script, and the whole page to anybody else."""
    if not request.htmx:
        return render(request, template, context, status=status)
    response = render(request, f"{template}#{part}", context, status=status)
    change = whole_number(request.headers.get(CHANGE))
    if change is not None:
        response[ANSWERS] = str(change)
    return response
