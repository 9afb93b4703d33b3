"""Pages of a list, as long as the reader asks for."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request

from ledger.text.parsing import whole_number


class Pages(PageNumberPagination):
    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 200
    page_query_description = "Which page, from 1."
    page_size_query_description = "How many on a page, 200 at most."

    def get_page_size(self, request: Request) -> int:
        """Return the rows on a page: as many as asked for, `max_page_size` at most."""
        asked = request.query_params.get(self.page_size_query_param)
        if asked is None:
            return self.page_size
        if not (size := whole_number(asked)):
            message = _("page_size is a whole number from 1 to {most}.")
            raise ParseError(message.format(most=self.max_page_size))
        return min(size, self.max_page_size)

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        address = {"type": ["string", "null"], "format": "uri"}
        properties = {
            "count": {"type": "integer"},
            "next": address,
            "previous": address,
            "results": schema,
        }
        return {
            "type": "object",
            "properties": properties,
            "required": [*properties],
        }
