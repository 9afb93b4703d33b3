"""The OpenAPI schema: authentication, pages, hand records and problem details."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from ledger.api.hand_serializers import HandSerializer, ProblemSerializer
from ledger.api.problems import MEDIA_TYPE
from ledger.settlement import Method

METHOD = [
    OpenApiParameter(
        "method",
        str,
        enum=Method.values,
        description="How it is settled; else as the club does.",
    )
]


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "ledger.api.tokens.TokenAuthentication"
    name = "personalToken"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer"}


class FaultSerializer(serializers.Serializer[Any]):
    """A problem as RFC 9457 has it."""

    type = serializers.CharField(help_text="What went wrong, as a name for programs.")
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField(help_text="A sentence in the reader’s language.")


class RefusedSerializer(FaultSerializer):
    """What cannot be, all of it at once."""

    problems = ProblemSerializer(many=True)


class TakenSerializer(FaultSerializer):
    """The evening is closed; or the hand's place is taken, by the hand given."""

    hand = HandSerializer(required=False)


FAULTS = {
    400: FaultSerializer,
    401: FaultSerializer,
    403: FaultSerializer,
    404: FaultSerializer,
    409: TakenSerializer,
    422: RefusedSerializer,
    429: FaultSerializer,
    503: FaultSerializer,
    507: FaultSerializer,
}
READING = (401, 429, 503)
WRITING = (400, 401, 403, 404, 409, 422, 429, 503, 507)


class Schema(AutoSchema):
    """The schema of an address: its answers, and the problems it may answer with."""

    def get_paginated_name(self, serializer_name: str) -> str:
        return f"PageOf{serializer_name}s"

    def get_request_serializer(self) -> Any:
        sent = getattr(self.view, "request_serializer_class", None)
        return sent or super().get_request_serializer()

    def get_response_serializers(self) -> Any:
        answer = super().get_response_serializers()
        return {200: answer, 201: answer} if self._is_create_operation() else answer

    def _get_response_bodies(self, direction: Any = "response") -> dict[str, Any]:
        bodies: dict[str, Any] = super()._get_response_bodies(direction)
        for status in self._faults():
            bodies[str(status)] = self._get_response_for_code(  # type: ignore[no-untyped-call]
                FAULTS[status], str(status), [MEDIA_TYPE], direction
            )
        return bodies

    def _faults(self) -> Iterator[int]:
        if self.method != "GET":
            yield from WRITING
            return
        yield from READING
        if "{" in self.path or getattr(self.view, "pagination_class", None):
            yield 404
        if getattr(self.view, "filterset_class", None):
            yield 422


def postprocess(result: dict[str, Any], **_generator: object) -> Any:
    """Let a record match the hands of several games, and have no unknown fields."""
    schemas = result["components"]["schemas"]
    record = schemas["HandRecord"]
    record["anyOf"] = record.pop("oneOf")
    for game in record["anyOf"]:
        schemas[game["$ref"].rpartition("/")[2]]["additionalProperties"] = False
    return _without_marks(result)


def _without_marks(schema: Any) -> Any:
    """Return *schema* without the generator's own marks on enumerations."""
    if isinstance(schema, dict):
        return {
            key: _without_marks(value)
            for key, value in schema.items()
            if key != "x-spec-enum-id"
        }
    return [_without_marks(v) for v in schema] if isinstance(schema, list) else schema
