"""In by password or by a link that works once; and out."""

from __future__ import annotations

from math import ceil

from django.contrib.auth import login, logout
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from ledger import doors, links
from ledger.forms import SignInForm
from ledger.posted import next_of


@require_http_methods(["GET", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    form = SignInForm(request, request.POST or None)
    if form.is_bound:
        try:
            with doors.turn():
                form.full_clean()
        except doors.Crowded:
            return _crowded(request)
    if request.method == "POST" and form.is_valid():
        login(request, form.get_user())
        return redirect(next_of(request))
    page = {"form": form, "next": next_of(request)}
    status = 422 if form.is_bound else 200
    return render(request, "ledger/account/sign_in.html", page, status=status)


@require_http_methods(["GET", "POST"])
def link(request: HttpRequest, uid: str, token: str) -> HttpResponse:
    """Show a button first: a chat that previews the link must not use it up."""
    if request.method == "POST" and links.sign_in(request, uid, token):
        return redirect("home")
    invited = links.user_of(uid, token)
    response = render(
        request,
        "ledger/account/sign_in_link.html",
        {"invited": invited},
        status=200 if invited else 410,
    )
    response["Referrer-Policy"] = "same-origin"
    return response


def locked(
    request: HttpRequest, response: HttpResponse, credentials: doors.Credentials
) -> HttpResponse:
    """Say when the next password is taken; django-axes answers with this."""
    wait = max(1, doors.wait(request, credentials))
    page = {"minutes": ceil(wait / 60)}
    answer = render(request, "ledger/errors/sign_in_locked.html", page, status=429)
    answer["Retry-After"] = str(wait)
    return answer


def _crowded(request: HttpRequest) -> HttpResponse:
    page = {
        "title": _("Too much at once"),
        "says": _(
            "Many people are signing in just now: try again in a minute, or open a "
            "sign-in link."
        ),
        "again": request.get_full_path(),
    }
    return render(request, "ledger/errors/try_again.html", page, status=503)


@require_POST
def sign_out(request: HttpRequest) -> HttpResponseRedirect:
    logout(request)
    return redirect("sign_in")
