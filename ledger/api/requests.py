"""What every address of the API does with a request."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer

from ledger import access
from ledger.api.fields import StrictSerializer, people_of
from ledger.models import Club
from ledger.posted import whole


def reader(request: Request) -> access.Request:
    """Return the request as `ledger.access` knows it: somebody has signed in."""
    return cast(access.Request, request)


def facts(
    serializer: type[StrictSerializer], request: Request, club: Club
) -> dict[str, Any]:
    read = serializer(data=request.data, context={"people": people_of(club)})
    read.is_valid(raise_exception=True)
    return dict(read.validated_data)


class _Pages(PageNumberPagination):
    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 200

    def get_page_size(self, request: Request) -> int:
        """Return how many rows are asked for, as many as there may be at most."""
        asked = request.query_params.get(self.page_size_query_param)
        if asked is None:
            return self.page_size
        if not (size := whole(asked)):
            message = _("page_size is a whole number from 1 to {most}.")
            raise ParseError(message.format(most=self.max_page_size))
        return min(size, self.max_page_size)


def paged(
    request: Request,
    rows: QuerySet[Any],
    serializer: type[BaseSerializer[Any]],
    show: Callable[[Any], Any] = lambda row: row,
) -> Response:
    pages = _Pages()
    shown = [show(row) for row in pages.paginate_queryset(rows, request) or ()]
    return pages.get_paginated_response(serializer(shown, many=True).data)
