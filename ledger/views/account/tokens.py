"""A person's tokens: made for a program, shown once, taken back at any time."""

from __future__ import annotations

from uuid import UUID, uuid4

from django import forms
from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _

from ledger.access import Request
from ledger.journal import make_token
from ledger.models import Token
from ledger.views.decorators import signed_in_form
from ledger.views.fields import NameField
from ledger.views.form_errors import add_problems
from ledger.views.params import id_or_new
from scoring import Refused

NOT_AGAIN = _(
    "The token “{name}” has already been made, and can be shown only once. If it is "
    "lost, revoke it and make another."
)


class TokenForm(forms.Form):
    name = NameField(
        label=_("New token"),
        help_text=_("Name it after the program that will use it."),
        max_length=60,
    )


@signed_in_form
def tokens(request: Request) -> HttpResponse:
    if request.method == "POST" and "revoke" in request.POST:
        _token(request).revoke()
        return redirect("tokens")
    form, id, secret = TokenForm(request.POST or None), id_or_new(request), ""
    if form.is_valid():
        try:
            secret = _made(request, form, id)
        except Refused as refused:
            add_problems(form, refused)
        else:
            form, id = TokenForm(), uuid4()
    page = {
        "form": form,
        "id": id,
        "secret": secret,
        "tokens": _kept(request).order_by("-pk"),
    }
    status = 422 if form.is_bound else 200
    return render(request, "ledger/account/tokens.html", page, status=status)


def _made(request: Request, form: TokenForm, id: UUID) -> str:
    """Return the secret of a new token; where it is not new, say so."""
    token, secret = make_token(request.user, form.cleaned_data["name"], id=id)
    if not secret:
        messages.info(request, NOT_AGAIN.format(name=token.name))
    return secret


def _kept(request: Request) -> QuerySet[Token]:
    return Token.objects.filter(user=request.user, revoked_at=None)


def _token(request: Request) -> Token:
    for token in _kept(request):
        if str(token.pk) == request.POST["revoke"]:
            return token
    raise Http404
