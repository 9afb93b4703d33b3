"""Hands of a table: listed, recorded, previewed, reversed."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import status
from rest_framework.generics import ListCreateAPIView, RetrieveAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from ledger import journal
from ledger.api import problems, responses
from ledger.api.filters import HandFilterSet
from ledger.api.hand_serializers import (
    HandSerializer,
    NewHandSerializer,
    ReversalSerializer,
    SentHandSerializer,
    WeighedSerializer,
)
from ledger.api.requests import ClubMixin, HandMixin, TableMixin
from ledger.models import Hand, Player, Version


class HandsMixin(ClubMixin):
    """A view that answers hands with every line, its reason, and who pays what."""

    serializer_class = HandSerializer

    @cached_property
    def people(self) -> Mapping[int, Player]:
        return self.club.players.in_bulk()

    def represent(self, hand: Hand) -> Any:
        return HandSerializer(responses.hand_response(hand, self.people)).data


@extend_schema_view(get=extend_schema(operation_id="hands_list"))
class HandListView(TableMixin, HandsMixin, ListCreateAPIView[Version]):
    """The hands of a table, latest first; or the next one.

    A hand that was sent before is answered with 200 and what was kept then.
    """

    queryset = Version.objects.none()
    request_serializer_class = NewHandSerializer
    filterset_class = HandFilterSet

    def get_queryset(self) -> QuerySet[Version]:
        return responses.versions_at(self.table)

    def paginate_queryset(self, queryset: Any) -> list[Any]:
        page = super().paginate_queryset(queryset) or ()
        return [responses.version_response(version, self.people) for version in page]

    def create(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        sent = self.sent()
        known = Hand.objects.filter(pk=sent["id"]).exists()
        try:
            version = self._record(sent)
        except journal.Taken as taken:
            return self._taken(taken.hand)
        except journal.Refused as refused:
            return problems.refused(refused.problems, self._names(sent))
        created = status.HTTP_200_OK if known else status.HTTP_201_CREATED
        return Response(self.represent(version.hand), status=created)

    def _record(self, sent: Mapping[str, Any]) -> Version:
        return journal.record_hand(
            self.table,
            id=sent["id"],
            record=sent["hand"],
            by=self.reader.user,
            number=sent.get("number"),
            override=sent["override"],
            **_chosen(sent),
        )

    def _taken(self, hand: Hand) -> Response:
        sentence = _("Hand {number} is already recorded. Look at it, then choose.")
        detail = sentence.format(number=hand.number)
        return problems.problem("taken", detail, 409, hand=self.represent(hand))

    def _names(self, sent: Mapping[str, Any]) -> list[str]:
        """Return the names, from forehand on, of those who would play."""
        deal = journal.preview(self.table, sent["hand"], **_chosen(sent)).deal
        return [player.name for player in deal.players]


class HandPreviewView(TableMixin):
    """What a hand would come to as the next one at the table; nothing is kept."""

    serializer_class = WeighedSerializer
    request_serializer_class = SentHandSerializer
    writes = False

    def post(self, request: Request, table: int) -> Response:
        sent = self.sent()
        preview = journal.preview(self.table, sent["hand"], **_chosen(sent))
        names = [player.name for player in preview.deal.players]
        if preview.score is None:
            return problems.refused(preview.problems, names)
        warnings = [problems.data_of(problem, names) for problem in preview.problems]
        answer = responses.preview_response(self.table, preview, warnings)
        return Response(self.get_serializer(answer).data)


class HandView(HandMixin, HandsMixin, RetrieveAPIView[Any]):
    """A hand with its record, every line with its reason, and who pays what."""

    def get_object(self) -> responses.HandResponse:
        return responses.hand_response(self.hand, self.people)


class HandReversalView(HandMixin, HandsMixin):
    """Give back what a hand moved. The hand stays visible, voided."""

    request_serializer_class = ReversalSerializer

    def post(self, request: Request, hand: object) -> Response:
        sent = self.sent()
        journal.reverse_hand(self.hand, id=sent["id"], by=self.reader.user)
        return Response(self.represent(self.hand))


def _chosen(sent: Mapping[str, Any]) -> dict[str, Any]:
    return {"dealer": sent.get("dealer"), "resting": sent.get("resting")}
