"""Language and theme: kept by the browser, and with the user who is signed in."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

from ledger.models import User
from ledger.views.params import next_of

THEME_COOKIE = "theme"


@require_POST
def language(request: HttpRequest) -> HttpResponse:
    code = request.POST.get("language", "")
    if code not in dict(settings.LANGUAGES):  # Django's view takes any that it knows
        return redirect(next_of(request))
    response: HttpResponse = set_language(request)
    response["Location"] = next_of(request)
    _keep(request, language=code)
    return response


@require_POST
def light(request: HttpRequest) -> HttpResponse:
    response = redirect(next_of(request))
    theme = request.POST.get("theme", "")
    if theme in (User.Theme.LIGHT, User.Theme.DARK):
        _remember(response, THEME_COOKIE, theme)
        _keep(request, theme=theme)
    return response


def recall(response: HttpResponse, user: User) -> None:
    """Let the browser that *user* signs in with take over what he chose elsewhere."""
    if user.language:
        _remember(response, settings.LANGUAGE_COOKIE_NAME, user.language)
    if user.theme:
        _remember(response, THEME_COOKIE, user.theme)


def _remember(response: HttpResponse, name: str, value: str) -> None:
    response.set_cookie(
        name,
        value,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        samesite="Lax",
        secure=settings.LANGUAGE_COOKIE_SECURE,
    )


def _keep(request: HttpRequest, **chosen: str) -> None:
    if request.user.is_authenticated:
        User.objects.filter(pk=request.user.pk).update(**chosen)
