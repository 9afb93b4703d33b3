"""How a reader wants to see the pages: in which language, light or dark."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponseRedirect
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import check_for_language
from django.views.decorators.http import require_POST

YEAR = 365 * 24 * 60 * 60


@require_POST
def language(request: HttpRequest) -> HttpResponseRedirect:
    response = redirect(_back(request))
    code = request.POST.get("language", "")
    if code in dict(settings.LANGUAGES) and check_for_language(code):
        _remember(response, settings.LANGUAGE_COOKIE_NAME, code)
    return response


@require_POST
def light(request: HttpRequest) -> HttpResponseRedirect:
    response = redirect(_back(request))
    if request.POST.get("theme") in ("light", "dark"):
        _remember(response, "theme", request.POST["theme"])
    return response


def _back(request: HttpRequest) -> str:
    page = request.POST.get("next", "")
    here = {request.get_host()}
    if url_has_allowed_host_and_scheme(page, here, require_https=request.is_secure()):
        return page
    return "/"


def _remember(response: HttpResponseRedirect, name: str, value: str) -> None:
    response.set_cookie(
        name,
        value,
        max_age=YEAR,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )
