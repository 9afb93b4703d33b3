"""Parser of JSON bodies: small, shallow and in Unicode, or refused."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import IO, Any

from django.utils.translation import gettext as _
from rest_framework import status
from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import BaseParser

LARGEST = 64 * 1024
DEEPEST = 12
"""A hand is four deep; what is much deeper was made to break something."""


class TooLarge(APIException):
    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_code = "too_large"


class JSONParser(BaseParser):
    media_type = "application/json"

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        body = stream.read(LARGEST + 1)
        if len(body) > LARGEST:
            raise TooLarge(_("That is too much for one request: send less at once."))
        try:
            data = json.loads(body.decode(), parse_constant=_no_number)
        except (ValueError, RecursionError):
            raise ParseError(_("This is not JSON.")) from None
        if not _is_plain(data):
            raise ParseError(_("This JSON is nested too deeply or is not Unicode."))
        return data


def _no_number(name: str) -> float:
    raise ValueError(f"expected a number of JSON, got {name}")


def _is_plain(data: object) -> bool:
    """Whether *data* can be stored, shown and sent back."""
    level = [data]
    for _depth in range(DEEPEST):
        if not all(_is_unicode(value) for value in level):
            return False
        level = [inner for value in level for inner in _inside(value)]
        if not level:
            return True
    return False


def _inside(value: object) -> list[object]:
    if isinstance(value, dict):
        return [*value.keys(), *value.values()]
    return value if isinstance(value, list) else []


def _is_unicode(value: object) -> bool:
    """Half of a surrogate pair is no character, and NUL none that is stored."""
    if not isinstance(value, str):
        return True
    return "\0" not in value and not any("\ud800" <= c <= "\udfff" for c in value)
