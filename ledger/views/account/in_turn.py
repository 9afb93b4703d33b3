"""Check a form with a password when its turn comes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.generic import FormView

from ledger.security import sign_in_limits

if TYPE_CHECKING:
    View = FormView[Any]
else:  # a mixin for any form's view
    View = object


class InTurn(View):
    """Mixin: check the form in `doors.turn`; answer 503 when too many wait for it."""

    def post(self, request: HttpRequest, *args: str, **kwargs: Any) -> HttpResponse:
        form = self.get_form()
        try:
            with sign_in_limits.one_at_a_time():
                form.full_clean()
        except sign_in_limits.TooManySignIns:
            return _crowded(request)
        return self.form_valid(form) if form.is_valid() else self.form_invalid(form)

    def form_invalid(self, form: BaseForm) -> HttpResponse:
        page = self.get_context_data(form=form)
        return self.render_to_response(page, status=422)


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
