"""How a reader wants to see the pages: in which language, light or dark."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponseRedirect
from django.shortcuts import redirect
from django.utils.translation import check_for_language
from django.views.decorators.http import require_POST

from ledger.posted import next_of

YEAR = 365 * 24 * 60 * 60


@require_POST
def language(request: HttpRequest) -> HttpResponseRedirect:
    response = redirect(next_of(request))
    code = request.POST.get("language", "")
    if code in dict(settings.LANGUAGES) and check_for_language(code):
        _remember(response, settings.LANGUAGE_COOKIE_NAME, code)
    return response


@require_POST
def light(request: HttpRequest) -> HttpResponseRedirect:
    response = redirect(next_of(request))
    if request.POST.get("theme") in ("light", "dark"):
        _remember(response, "theme", request.POST["theme"])
    return response


def _remember(response: HttpResponseRedirect, name: str, value: str) -> None:
    response.set_cookie(
        name,
        value,
        max_age=YEAR,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )
