"""Decorators of views: who gets in, by which methods, and with how large a body."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from django.contrib.auth.decorators import login_required
from django.http import HttpResponseBase
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

View = TypeVar("View", bound=Callable[..., HttpResponseBase])


def signed_in_page(view: View) -> View:
    """Page that only shows something, to whoever is signed in: GET and HEAD."""
    return login_required(require_safe(view))


def signed_in_form(view: View) -> View:
    """Page with a form that is sent to the same address: GET and POST."""
    return login_required(require_http_methods(["GET", "POST"])(view))


def signed_in_action(view: View) -> View:
    """Action of a button on some page: POST alone."""
    return login_required(require_POST(view))


def large_body(limit: int, *, may_send: Callable[..., bool]) -> Callable[[View], View]:
    """Allow a body of up to *limit* bytes to requests for which *may_send* is true.

    Other views take what `DATA_UPLOAD_MAX_MEMORY_SIZE` allows. The limit is enforced
    by `ledger.serving.body_limits`, before anything of the body is read.
    """

    def mark(view: View) -> View:
        view.body_limit = limit  # type: ignore[attr-defined]
        view.may_send = may_send  # type: ignore[attr-defined]
        return view

    return mark
