"""Middleware for every response: caching and HEAD."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.cache import add_never_cache_headers

from ledger.snapshot import GetResponse


def never_cached(get_response: GetResponse) -> GetResponse:
    """Forbid caches, unless the view sets Cache-Control.

    Static files are served before, by whitenoise.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if not response.has_header("Cache-Control"):
            add_never_cache_headers(response)
        return response

    return answer


def head_as_get(get_response: GetResponse) -> GetResponse:
    """Answer HEAD as GET: the server drops the body."""

    def answer(request: HttpRequest) -> HttpResponse:
        if request.method == "HEAD":
            request.method = "GET"
            try:
                return get_response(request)
            finally:
                request.method = "HEAD"
        return get_response(request)

    return answer
