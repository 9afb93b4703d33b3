"""Answer to refusals that a view lets through: a page with the typed fields."""

from __future__ import annotations

import logging
from uuid import uuid4

from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from ledger.presenters.refusals import refusal_of
from ledger.serving.error_pages import typed_fields
from ledger.snapshot import GetResponse
from scoring import Refused

LOG = logging.getLogger(__name__)


class RefusalMiddleware:
    """Middleware that answers refusals of the journal and of the database."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(
        self, request: HttpRequest, error: Exception
    ) -> HttpResponse | None:
        refusal = refusal_of(error)
        if refusal is None:
            return None
        if isinstance(error, IntegrityError):  # a race, or a bug: log it
            LOG.error("The database refused %s", request.path, exc_info=error)
        page = {
            "title": _("That did not work"),
            "says": refusal.says,
            "kept": _typed_fields(request, error),
            "again": request.get_full_path(),
        }
        return render(
            request, "ledger/errors/try_again.html", page, status=refusal.status
        )


def _typed_fields(request: HttpRequest, error: Exception) -> list[tuple[str, str]]:
    """Return the typed fields, with a new id where theirs belongs to something else."""
    kept = typed_fields(request)
    if not isinstance(error, Refused):
        return kept
    if all(problem.code != "id_used" for problem in error.problems):
        return kept
    return [(name, str(uuid4()) if name == "id" else value) for name, value in kept]
