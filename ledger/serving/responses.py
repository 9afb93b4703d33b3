"""What holds of every answer, whatever view gave it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.cache import add_never_cache_headers

from ledger.snapshot import Answer


def private(get_response: Answer) -> Answer:
    """Let nobody on the way keep an answer, but where its view says otherwise.

    Static files are answered before.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if not response.has_header("Cache-Control"):
            add_never_cache_headers(response)
        return response

    return answer


def head(get_response: Answer) -> Answer:
    """Answer HEAD as GET: the server sends the headers alone."""

    def answer(request: HttpRequest) -> HttpResponse:
        if request.method == "HEAD":
            request.method = "GET"
            try:
                return get_response(request)
            finally:
                request.method = "HEAD"
        return get_response(request)

    return answer
