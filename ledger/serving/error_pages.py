"""Error handlers: a page for people, problem details for programs."""

from __future__ import annotations

import sys

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views import defaults
from django.views.csrf import csrf_failure

from ledger.api import problems
from ledger.database_errors import SIGNED_IN_ANEW, DatabaseProblem, problem_of

FORM_TYPES = ("application/x-www-form-urlencoded", "multipart/form-data")
SECRET_FIELDS = ("csrfmiddlewaretoken", "password")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if problems.is_api(request):
        detail = gettext("The request was incomplete or cannot be read.")
        return problems.plain("bad-request", detail, 400)
    return defaults.bad_request(request, exception)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    if problems.is_api(request):
        return problems.plain("not-found", str(problems.NOT_FOUND), 404)
    return defaults.page_not_found(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer an exception: with the database's problem behind it, else as a bug."""
    problem = problem_of(sys.exc_info()[1])
    if problem is not None:
        return _try_again_page(request, problem)
    if problems.is_api(request):
        detail = gettext("Something went wrong on the server. Nothing was changed.")
        return problems.plain("fault", detail, 500)
    return defaults.server_error(request)


def expired_form(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form with an expired CSRF token: it can be sent again with a new one.

    Only a form of the same origin: Django checks the Origin header before the token.
    """
    is_ours = "Origin" in request.headers and not reason.startswith("Origin")
    if not is_ours:
        return csrf_failure(request, reason)
    return _try_again_page(request, SIGNED_IN_ANEW)


def _try_again_page(request: HttpRequest, problem: DatabaseProblem) -> HttpResponse:
    # No query for this page: the database may be away.
    context = {
        "title": gettext(problem.title),
        "says": gettext(problem.says),
        "kept": typed_fields(request),
        "again": request.get_full_path(),
    }
    return render(
        request, "ledger/errors/try_again.html", context, status=problem.status
    )


def typed_fields(request: HttpRequest) -> list[tuple[str, str]]:
    """Return the fields of a form, to be sent again, without its secrets."""
    if request.method != "POST" or request.content_type not in FORM_TYPES:
        return []
    return [
        (name, value)
        for name, values in request.POST.lists()
        if not any(secret in name for secret in SECRET_FIELDS)
        for value in values
    ]
