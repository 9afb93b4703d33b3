"""How the API is described: who signs in, what may be answered, what a page holds."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.utils import OpenApiParameter, inline_serializer
from rest_framework import serializers

from ledger.api.hand_serializers import HandSerializer, ProblemSerializer
from ledger.api.problems import MEDIA_TYPE
from ledger.settling import Method

METHOD = [
    OpenApiParameter(
        "method",
        str,
        enum=Method.values,
        description="How it is settled; else as the club does.",
    )
]
PAGED = [
    OpenApiParameter("page", int, description="Which page, from 1."),
    OpenApiParameter("page_size", int, description="How many on a page, 200 at most."),
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
READING = (401, 404, 429, 503)
WRITING = (400, 401, 403, 404, 409, 422, 429, 503, 507)


def answers(good: dict[int, Any], faults: tuple[int, ...] = READING) -> dict[Any, Any]:
    bad = {(status, MEDIA_TYPE): FAULTS[status] for status in faults}
    return {**good, **bad}


def page_of(serializer: type[serializers.BaseSerializer[Any]]) -> Any:
    name = serializer.__name__.removesuffix("Serializer")
    return inline_serializer(
        f"PageOf{name}s",
        {
            "count": serializers.IntegerField(),
            "next": serializers.URLField(allow_null=True),
            "previous": serializers.URLField(allow_null=True),
            "results": serializer(many=True),
        },
    )


def tidied(result: dict[str, Any], **_generator: object) -> Any:
    """Let hands of two games look alike, and none have fields of no game's."""
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
