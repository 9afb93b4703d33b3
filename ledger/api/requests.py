"""Requests: the reader, his club, evening, table or hand, and the body that was sent.

Everything is found through the reader's memberships by `ledger.access`, as on the
pages. A stranger is answered with 404, who may not write with 403: before the body is
read.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, cast

from django.db.models import Model
from rest_framework import status
from rest_framework.generics import GenericAPIView
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer

from ledger import access
from ledger.api.fields import people_of
from ledger.journal import made_before
from ledger.models import Club, Evening, Hand, Table


class ReaderMixin(GenericAPIView[Any]):
    """A view for whoever has signed in, with a body of its own where it takes one."""

    request_serializer_class: type[BaseSerializer[Any]] | None = None
    """Reads the body, where `serializer_class` only writes the answer."""

    @property
    def reader(self) -> access.Request:
        """The request as `ledger.access` knows it."""
        return cast(access.Request, self.request)

    @property
    def writes(self) -> bool:
        return self.request.method not in SAFE_METHODS

    def sent(self) -> dict[str, Any]:
        """Return the body of the request. Raise `ValidationError` where it is wrong."""
        context = self.get_serializer_context()  # first: it finds what is written to
        kind = self.request_serializer_class or self.get_serializer_class()
        serializer = kind(data=self.request.data, context=context)
        serializer.is_valid(raise_exception=True)
        return dict(serializer.validated_data)


class ClubMixin(ReaderMixin):
    """A view of a club, or of what belongs to it."""

    @cached_property
    def club(self) -> Club:
        return access.club_of(self.reader, self.kwargs["club"], write=self.writes)

    def get_serializer_context(self) -> dict[str, Any]:
        return {**super().get_serializer_context(), "people": people_of(self.club)}


class EveningMixin(ClubMixin):
    """A view of an evening, or of what belongs to it."""

    @cached_property
    def evening(self) -> Evening:
        return access.evening_of(self.reader, self.kwargs["evening"], write=self.writes)

    @cached_property
    def club(self) -> Club:
        return self.evening.club


class TableMixin(ClubMixin):
    """A view of a table, or of what belongs to it."""

    @cached_property
    def table(self) -> Table:
        return access.table_of(self.reader, self.kwargs["table"], write=self.writes)

    @cached_property
    def club(self) -> Club:
        return self.table.evening.club


class HandMixin(ClubMixin):
    """A view of a hand."""

    @cached_property
    def hand(self) -> Hand:
        return access.hand_of(self.reader, self.kwargs["hand"], write=self.writes)

    @cached_property
    def club(self) -> Club:
        return self.hand.table.evening.club


class CreateOnceMixin(ReaderMixin):
    """Create by an id of the client's: 201, or 200 where it was sent before."""

    def create(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        sent = self.sent()
        known = made_before(sent["id"], self.get_queryset())
        answer = self.represent(known or self.make(sent))
        created = status.HTTP_200_OK if known else status.HTTP_201_CREATED
        return Response(answer, status=created)

    def make(self, sent: dict[str, Any]) -> Model:
        """Write what was *sent*, once."""
        raise NotImplementedError

    def represent(self, instance: Any) -> Any:
        return self.get_serializer(instance).data
