"""Sign in by password, or by a link that works once."""

from __future__ import annotations

from math import ceil

from django import forms
from django.contrib.auth.forms import AuthenticationForm, UsernameField
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from ledger.security import sign_in_limits, sign_in_links
from ledger.views.account import preferences
from ledger.views.account.in_turn import InTurn
from ledger.views.fields import password_field
from ledger.views.params import next_of


class SignInForm(AuthenticationForm):
    """Sign-in form; an overlong name or password is refused before it is checked."""

    username = UsernameField(
        max_length=150,
        widget=forms.TextInput(attrs={"class": "input", "autofocus": True}),
    )
    password = password_field(
        AuthenticationForm.base_fields["password"].label, "current-password"
    )


class SignIn(InTurn, LoginView):
    authentication_form = SignInForm
    template_name = "ledger/account/sign_in.html"
    http_method_names = ["get", "post"]

    def get_redirect_url(self, request: HttpRequest | None = None) -> str:
        """Return a path of ours alone: Django takes the name of a page as well."""
        return next_of(self.request)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        response = super().form_valid(form)
        preferences.recall(response, form.get_user())
        return response


@require_http_methods(["GET", "POST"])
def link(request: HttpRequest, uid: str, token: str) -> HttpResponse:
    """Show a button first: a chat that previews the link must not use it up."""
    if request.method == "POST" and (
        user := sign_in_links.sign_in(request, uid, token)
    ):
        response: HttpResponse = redirect("home")
        preferences.recall(response, user)
        return response
    invited = sign_in_links.user_of(uid, token)
    response = render(
        request,
        "ledger/account/sign_in_link.html",
        {"invited": invited},
        status=200 if invited else 410,
    )
    response["Referrer-Policy"] = "same-origin"
    return response


def locked(
    request: HttpRequest,
    response: HttpResponse,
    credentials: sign_in_limits.Credentials,
) -> HttpResponse:
    """Say when the next password is taken; django-axes answers with this."""
    wait = max(1, sign_in_limits.seconds_to_wait(request, credentials))
    page = {"minutes": ceil(wait / 60)}
    answer = render(request, "ledger/errors/sign_in_locked.html", page, status=429)
    answer["Retry-After"] = str(wait)
    return answer
