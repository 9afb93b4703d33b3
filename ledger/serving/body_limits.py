"""Limits of request bodies, checked before any of a body is read or stored.

Even the page of an error reads what was sent, in search of the form's token, so this
stands before all that may answer. The server hands over the body while it is read:
what is refused here never arrives.
"""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import resolve
from django.utils.translation import gettext as _

from ledger.api import parsing, problems
from ledger.snapshot import GetResponse


def middleware(get_response: GetResponse) -> GetResponse:
    def answer(request: HttpRequest) -> HttpResponse:
        return _refusal(request) or get_response(request)

    return answer


def _refusal(request: HttpRequest) -> HttpResponse | None:
    if "Transfer-Encoding" in request.headers:
        says = _("Say how long the request is: send its Content-Length.")
        return _refused(request, 411, "length-required", says)
    length = _length(request)
    if length <= _room(request):
        return None
    if length <= _view_limit(request):
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        if _may_send(request):
            return None
    says = _("That is too much for one request: send less at once.")
    return _refused(request, 413, "too-large", says)


def _length(request: HttpRequest) -> int:
    try:
        return int(request.META.get("CONTENT_LENGTH") or 0)
    except ValueError:
        return 0  # as for Django, which then reads nothing


def _room(request: HttpRequest) -> int:
    if problems.is_api(request):
        return parsing.LARGEST
    return settings.DATA_UPLOAD_MAX_MEMORY_SIZE or 0


def _view_limit(request: HttpRequest) -> int:
    try:
        return int(getattr(resolve(request.path_info).func, "body_limit", 0))
    except Http404:
        return 0


def _may_send(request: HttpRequest) -> bool:
    found = resolve(request.path_info)
    return bool(found.func.may_send(request, **found.kwargs))  # type: ignore[attr-defined]


def _refused(request: HttpRequest, status: int, code: str, says: str) -> HttpResponse:
    if problems.is_api(request):
        return problems.plain(code, says, status)
    page = {"title": _("Too much at once"), "says": says, "again": request.path}
    return render(request, "ledger/errors/try_again.html", page, status=status)
