"""Errors that no view answers: a page for people, problem details for programs."""

from __future__ import annotations

import sys

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views import defaults
from django.views.csrf import csrf_failure

from ledger.api import problems
from ledger.database_errors import SIGNED_IN_ANEW, DatabaseProblem, problem_of

FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
NOT_KEPT = ("csrfmiddlewaretoken", "password")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if problems.is_api(request):
        detail = gettext("The request was incomplete or cannot be read.")
        return problems.plain("bad-request", detail, 400)
    return defaults.bad_request(request, exception)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    if problems.is_api(request):
        return problems.plain("not-found", str(problems.NOT_FOUND), 404)
    return defaults.page_not_found(request, exception)


def broken(request: HttpRequest) -> HttpResponse:
    """Answer an exception: with its name if the database met it, else as our fault."""
    trouble = problem_of(sys.exc_info()[1])
    if trouble is not None:
        return _told(request, trouble)
    if problems.is_api(request):
        detail = gettext("Something went wrong on the server. Nothing was changed.")
        return problems.plain("fault", detail, 500)
    return defaults.server_error(request)


def stale(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form with a token of before: it can be sent again with the new one.

    Only what came from a page of ours: the browser said where it came from, and that
    was found right before the token was looked at.
    """
    ours = "Origin" in request.headers and not reason.startswith("Origin")
    if not ours:
        return csrf_failure(request, reason)
    return _told(request, SIGNED_IN_ANEW)


def _told(request: HttpRequest, trouble: DatabaseProblem) -> HttpResponse:
    """The page asks the database nothing: it may be away."""
    context = {
        "title": gettext(trouble.title),
        "says": gettext(trouble.says),
        "kept": typed(request),
        "again": request.get_full_path(),
    }
    return render(
        request, "ledger/errors/try_again.html", context, status=trouble.status
    )


def typed(request: HttpRequest) -> list[tuple[str, str]]:
    """Return what the form was sent with, to be sent again; secrets are typed anew."""
    if request.method != "POST" or request.content_type not in FORMS:
        return []
    return [
        (name, value)
        for name, values in request.POST.lists()
        if not any(secret in name for secret in NOT_KEPT)
        for value in values
    ]
