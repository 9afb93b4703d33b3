"""What everybody is told when the server cannot go on: nothing typed is lost."""

from __future__ import annotations

import sys

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views import defaults

from ledger.trouble import Trouble, trouble_of

FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
NOT_KEPT = ("csrfmiddlewaretoken", "password")


def broken(request: HttpRequest) -> HttpResponse:
    """Answer an exception: with its name if the database met it, else as our fault."""
    trouble = trouble_of(sys.exc_info()[1])
    if trouble is None:
        return defaults.server_error(request)
    return _told(request, trouble)


def _told(request: HttpRequest, trouble: Trouble) -> HttpResponse:
    """The page asks the database nothing: it may be away."""
    context = {
        "title": gettext(trouble.title),
        "says": gettext(trouble.says),
        "kept": _typed(request),
        "again": request.get_full_path(),
    }
    return render(request, "ledger/trouble.html", context, status=trouble.status)


def _typed(request: HttpRequest) -> list[tuple[str, str]]:
    """Return what the form was sent with, to be sent again; secrets are typed anew."""
    if request.method != "POST" or request.content_type not in FORMS:
        return []
    return [
        (name, value)
        for name, values in request.POST.lists()
        if not any(secret in name for secret in NOT_KEPT)
        for value in values
    ]
