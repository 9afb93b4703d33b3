"""Params of a request that several pages read: the id of a form, the page to go on to.

A missing or mangled one is never an error of the server.
"""

from __future__ import annotations

from uuid import UUID

from django.core.exceptions import BadRequest
from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme

from ledger.text.parsing import NO_ID, parse_id, parse_id_or_new


def next_of(request: HttpRequest, otherwise: str = "/") -> str:
    """Return the path of this site in the param `next`, else *otherwise*."""
    page = request.POST.get("next") or request.GET.get("next") or ""
    here = {request.get_host()}
    safe = url_has_allowed_host_and_scheme(
        page, here, require_https=request.is_secure()
    )
    # `redirect` would take text without a slash for the name of a view.
    return page if safe and page.startswith("/") else otherwise


def id_or_new(request: HttpRequest) -> UUID:
    """Return the id that the form was sent with, or a new one for a blank form."""
    return parse_id_or_new(request.POST.get("id"))


def id_of(request: HttpRequest) -> UUID:
    """Return the id that the form was sent with. Raise `BadRequest` without one."""
    id = parse_id(request.POST.get("id"))
    if id == NO_ID:
        raise BadRequest("expected an id")
    return id
