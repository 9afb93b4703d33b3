"""What came with a form, read without trusting it: never an error of the server."""

from __future__ import annotations

from uuid import UUID, uuid4

from django.core.exceptions import BadRequest
from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme

DIGITS = 9
"""More have no row, no hand and no number of points here."""


def whole(text: object) -> int | None:
    """Return the whole number that *text* is, if it can be one of ours.

    >>> whole("24"), whole(" 7"), whole("²"), whole("9" * 10)
    (24, None, None, None)
    """
    said = str(text or "")
    return int(said) if said.isdecimal() and len(said) <= DIGITS else None


NIL = UUID(int=0)


def uuid(text: object) -> UUID:
    """Return the id that *text* is; one that nothing has where it is none."""
    try:
        return UUID(str(text or ""))
    except ValueError:
        return NIL


def uuid_or_new(text: object) -> UUID:
    """Return the id that *text* is; a new one where it is none."""
    sent = uuid(text)
    return sent if sent != NIL else uuid4()


def next_of(request: HttpRequest, otherwise: str = "/") -> str:
    """Return the page of ours that a form, or an address, says to go on to.

    A name of no page would be looked up as the name of a view: only a path is one.
    """
    page = request.POST.get("next") or request.GET.get("next") or ""
    here = {request.get_host()}
    safe = url_has_allowed_host_and_scheme(
        page, here, require_https=request.is_secure()
    )
    return page if safe and page.startswith("/") else otherwise


def id_or_new(request: HttpRequest) -> UUID:
    """Return the id that the form was sent with, or one for a form that is blank."""
    return uuid_or_new(request.POST.get("id"))


def id_of(request: HttpRequest) -> UUID:
    """Return the id that the phone gave what it sends; without one it is no form of
    ours."""
    id = uuid(request.POST.get("id"))
    if id == NIL:
        raise BadRequest("expected an id")
    return id
