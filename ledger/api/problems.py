"""Problem details (RFC 9457) for every error, in the sentences of the forms."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Any

from django.db import IntegrityError
from django.http import Http404, HttpRequest, JsonResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import exceptions, status
from rest_framework.response import Response
from rest_framework.views import exception_handler

import scoring
from ledger.database_errors import problem_of
from ledger.presenters.refusals import refusal_of
from ledger.text.messages import say

LOG = logging.getLogger(__name__)
MEDIA_TYPE = "application/problem+json"
KIND = "urn:kontra:"
ROOT = "/api/"
NOT_FOUND = gettext_lazy(
    "This page does not exist, or it belongs to a club that you are not a member of."
)


def answer(exc: Exception, context: Mapping[str, Any]) -> Response | None:
    """Return the answer to *exc*; REST framework's settings point here."""
    if isinstance(exc, scoring.Refused):
        return refused(exc.problems)
    if refusal := refusal_of(exc):
        if isinstance(exc, IntegrityError):  # a race, or a fault of ours: look at it
            LOG.error("The database refused %s", context["view"], exc_info=exc)
        return problem(refusal.code, refusal.says, refusal.status)
    if failure := problem_of(exc):
        return problem(failure.code, _(failure.says), failure.status)
    if isinstance(exc, Http404):
        return problem("not-found", str(NOT_FOUND), status.HTTP_404_NOT_FOUND)
    response = exception_handler(exc, dict(context))
    if response is None:
        return None
    if isinstance(exc, exceptions.ValidationError):
        answered: Response = _malformed(exc.detail)
    else:
        code, detail = _code(exc, response), _detail(response)
        answered = problem(code, detail, response.status_code)
    for header in ("WWW-Authenticate", "Retry-After"):
        if header in response:
            answered[header] = response[header]
    return answered


def problem(code: str, detail: str, status: int, **more: object) -> Response:
    body = {**_body(code, detail, status), **more}
    return Response(body, status=status, content_type=MEDIA_TYPE)


def plain(code: str, detail: str, status: int) -> JsonResponse:
    """Return the answer where no view of the API was reached."""
    body = _body(code, detail, status)
    return JsonResponse(body, status=status, content_type=MEDIA_TYPE)


def is_api(request: HttpRequest) -> bool:
    return f"{request.path}/".startswith(ROOT)


def _body(code: str, detail: str, status: int) -> dict[str, object]:
    title = HTTPStatus(status).phrase
    return {"type": KIND + code, "title": title, "status": status, "detail": detail}


def refused(
    problems: Iterable[scoring.Problem], names: Sequence[object] = ()
) -> Response:
    """Return the answer to a hand with *problems*; *names* are of those who play."""
    return unprocessable([data_of(problem, names) for problem in problems])


def data_of(problem: scoring.Problem, names: Sequence[object] = ()) -> dict[str, str]:
    return {
        "code": problem.code,
        "field": problem.field,
        "about": problem.about,
        "severity": problem.severity.value,
        "message": say(problem.message, names),
    }


def _malformed(detail: Any) -> Response:
    return unprocessable(
        [
            {
                "code": str(error.code),
                "field": field,
                "about": "",
                "severity": scoring.Severity.ERROR.value,
                "message": str(error),
            }
            for field, error in _errors(detail)
        ]
    )


def _errors(detail: Any, field: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(detail, Mapping):
        for key, inner in detail.items():
            own = "" if key == "non_field_errors" else str(key)
            yield from _errors(inner, ".".join(filter(None, (field, own))))
    elif isinstance(detail, list):
        for inner in detail:
            yield from _errors(inner, field)
    else:
        yield field, detail


def unprocessable(problems: list[dict[str, str]]) -> Response:
    detail = " ".join(problem["message"] for problem in problems)
    code = status.HTTP_422_UNPROCESSABLE_ENTITY
    return problem("refused", detail, code, problems=problems)


def _code(exc: Exception, response: Response) -> str:
    if isinstance(exc, exceptions.APIException):
        return str(exc.default_code).replace("_", "-")
    return "permission-denied"


def _detail(response: Response) -> str:
    data = response.data
    return str(data.get("detail", "") if isinstance(data, Mapping) else data)
